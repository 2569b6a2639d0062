/** In the colours of the other reports. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --panel: #f5f6f8; --ink: #1c2430; --soft: #566072; --rule: #b9c0cb; --grid: #e6e9ee;
  --good: #1d7a43; --bad: #b3261e; --unknown: #5b4a9c;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #14181f; --panel: #1c222c; --ink: #e4e8ee; --soft: #a3adbb; --rule: #4a5463; --grid: #2a313c;
    --good: #63c98a; --bad: #f28b82; --unknown: #b3a2f0;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 50rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
  overflow-wrap: anywhere;
}
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.15rem; line-height: 1.3; margin: 0 0 .5rem; }
p { margin: .5rem 0; }
section { margin-top: 2rem; padding-top: 1.25rem; border-top: 1px solid var(--rule); }
.verdict { margin: 0 0 1rem; padding: .9rem 1.1rem; background: var(--panel); border-left: .35rem solid; font-size: 1.1rem; }
.verdict.good { border-color: var(--good); } .verdict.bad { border-color: var(--bad); }
.verdict.unknown { border-color: var(--unknown); }
.soft, dt { color: var(--soft); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 1rem 0; font-size: .95rem; }
dd { margin: 0; min-width: 0; font-variant-numeric: tabular-nums; }
dd.changed { color: var(--bad); font-weight: 600; }
ul { margin: .5rem 0; padding-left: 1.2rem; } li { margin: .25rem 0; }
summary { cursor: pointer; }
pre {
  margin: .5rem 0; padding: .6rem .8rem; background: var(--panel); border: 1px solid var(--grid);
  font: .85rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre-wrap;
}
@media (max-width: 36rem) {
  body { padding: 1.25rem .9rem 3rem; }
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; }
}
@media print {
  body { max-width: none; padding: 0; font-size: 11pt; }
  dl, li, pre { break-inside: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
