/** Charts use these custom properties too. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --panel: #f5f6f8; --ink: #1c2430; --soft: #566072; --rule: #b9c0cb; --grid: #e6e9ee;
  --good: #1d7a43; --warning: #8f5a00; --bad: #b3261e; --unknown: #5b4a9c;
  --band: #f1f4f8; --band-other: #e6ebf2; --band-quiet: #f7f3ea;
  --planned: #86b894; --shed: #d99a2b; --unplanned: #8b6fc4; --failed: #c4453c;
  --line-0: #2563b0; --line-1: #c2570c; --line-2: #15803d; --line-3: #a21caf;
  --line-4: #0e7490; --line-5: #b91c3c; --line-6: #6b6f1a; --line-7: #6d4aa8;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #14181f; --panel: #1c222c; --ink: #e4e8ee; --soft: #a3adbb; --rule: #4a5463; --grid: #2a313c;
    --good: #63c98a; --warning: #e0a94a; --bad: #f28b82; --unknown: #b3a2f0;
    --band: #1a2029; --band-other: #212936; --band-quiet: #242119;
    --planned: #3f7a55; --shed: #b9832a; --unplanned: #8a70c9; --failed: #d0574e;
    --line-0: #7fb2f0; --line-1: #f0965a; --line-2: #6cc98c; --line-3: #e28af0;
    --line-4: #5fc4d8; --line-5: #f58a9c; --line-6: #c9cc6a; --line-7: #b99cf0;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 56rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
  overflow-wrap: break-word;
}
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 0 0 .25rem; }
h3 { font-size: 1rem; margin: 1.75rem 0 .5rem; }
p { margin: .5rem 0; }
section { margin-top: 3rem; padding-top: 1.5rem; border-top: 1px solid var(--rule); }
a { color: inherit; text-decoration-color: var(--rule); text-underline-offset: .15em; }
.verdict { margin: 0 0 1rem; padding: .9rem 1.1rem; background: var(--panel); border-left: .35rem solid; font-size: 1.15rem; }
.verdict.good, .good { color: var(--good); } .verdict.warning, .warning { color: var(--warning); }
.verdict.bad, .bad { color: var(--bad); } .verdict.unknown, .unknown { color: var(--unknown); }
.verdict span { color: var(--ink); }
.tone { font-weight: 600; }
.soft, caption, figcaption, dt { color: var(--soft); }
dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 1rem 0; font-size: .9rem; }
dl.facts dd { margin: 0; min-width: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; font-variant-numeric: tabular-nums; }
th { text-align: left; font-weight: 600; color: var(--soft); }
th, td { padding: .35rem .9rem .35rem 0; vertical-align: top; border-bottom: 1px solid var(--grid); }
thead th { border-bottom-color: var(--rule); vertical-align: bottom; }
th.n, td.n { text-align: right; } td.n { white-space: nowrap; }
th:last-child, td:last-child { padding-right: 0; }
td.wide { min-width: 16rem; }
td.keep { white-space: nowrap; }
p.soft { font-size: .9rem; }
figure { margin: 1rem 0; }
figcaption { font-size: .9rem; margin-top: .25rem; }
figure svg { display: block; width: 100%; height: auto; min-width: 36rem; font-family: inherit; }
ul.legend { display: flex; flex-wrap: wrap; gap: .15rem 1.1rem; margin: 0 0 .35rem; padding: 0; list-style: none; font-size: .9rem; }
ul.legend i { display: inline-block; width: 1.1rem; margin-right: .4rem; vertical-align: .25em; border-top: 3px solid; }
ul.legend i.dashed { border-top-style: dashed; }
.box { margin: 1rem 0; padding: .6rem 1rem; background: var(--panel); border-left: .25rem solid; }
.box > * { color: var(--ink); }
.box ul { margin: .35rem 0; padding-left: 1.1rem; }
.box p:first-child { margin-top: 0; }
details { margin: .5rem 0; font-size: .9rem; }
summary { cursor: pointer; }
pre { margin: .5rem 0; padding: .6rem .8rem; overflow-x: auto; background: var(--paper); border: 1px solid var(--grid); font: .8rem/1.45 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre-wrap; word-break: break-all; }
@media (max-width: 40rem) {
  body { padding: 1.25rem .9rem 3rem; font-size: 15px; }
  dl.facts { grid-template-columns: 1fr; gap: 0; } dl.facts dd { margin-bottom: .4rem; }
}
@media print {
  body { max-width: none; padding: 0; font-size: 11pt; }
  section { break-before: auto; } formatNumber, tr, .verdict { break-inside: avoid; }
  figure svg { min-width: 0; } .scroll { overflow: visible; }
  details::details-content { content-visibility: visible; block-size: auto; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
