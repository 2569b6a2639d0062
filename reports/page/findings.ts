import { formatCount } from "../format.ts";
import { capitalized } from "../capitalized.ts";
import { findingWords } from "../finding-words.ts";
import { type RunFinding, severities } from "../finding-format.ts";
import { empty, type Html, html } from "../html-text.ts";
import type { Run, RunCheck } from "../run-format.ts";
import { checkEvidence, checkOutcome, type ExchangeLookup } from "./check-view.ts";
import { idLink, idLinks, joined, prose, verdictMark, when } from "./text.ts";

/** Evidence that stands open, so that a first look needs no click. */
const mostOpen = 1;
const mostLinks = 12;
/** With more evidence in the page itself, a run that fails everywhere would be slow to open. */
const mostWithEvidence = 50;

/** What is wrong, the gravest first; then failures that no finding explains. All of it can be read without a script. */
export function findingsSection(run: Run, exchangeOf: ExchangeLookup): Html {
  const explained = new Set(run.findings.flatMap(({ explains }) => explains));
  const failed = run.checks.filter(({ verdict }) => verdict === "fail");
  const left = failed.filter(({ id, known }) => known === undefined && !explained.has(id));
  const known = failed.filter((check) => check.known !== undefined);
  const bySeverity = severities.flatMap((severity) => {
    const found = run.findings.filter((finding) => finding.severity === severity);
    return found.length === 0 ? [] : [{ severity, found }];
  });
  let position = 0;
  return html`<section id="findings">
    <h2>Findings</h2>
    ${when(failed.length === 0 && run.findings.length === 0, () => html`<p>No check failed.</p>`)}
    ${joined(
      bySeverity.map(
        ({ severity, found }) =>
          html`<h3>${capitalized(severity)}</h3>
            ${joined(found.map((finding) => findingView(finding, run, exchangeOf, position++)))}`,
      ),
    )}
    ${unexplained(left, run, exchangeOf, run.findings.length)} ${knownFailures(known)}
  </section>`;
}

function findingView(finding: RunFinding, run: Run, exchangeOf: ExchangeLookup, position: number): Html {
  const { headline, choices, sureness } = findingWords(finding, run);
  const { id, consequence, section, cause, mend, explains, against, alternatives } = finding;
  const shown = run.checks.find((check) => check.id === explains[0]);
  const others = alternatives.filter(({ sentence }) => !choices.includes(sentence));
  return html`<article class="finding" id="${id}">
    <h4>${idLink(id)} ${prose(headline)}</h4>
    ${sureness === undefined ? empty : html`<p class="soft">${capitalized(sureness)}.</p>`}
    ${when(
      choices.length > 1,
      () =>
        html`<ul>
          ${choices.map((choice) => html`<li>${prose(choice)}</li>`)}
        </ul>`,
    )}
    <p>${prose(consequence)}</p>
    <dl class="facts">
      <dt>Violates</dt>
      <dd>${section}</dd>
      ${fact("Usual cause", cause)} ${fact("How to fix it", mend)}
      <dt>Shown by</dt>
      <dd>${linksTo(explains)}</dd>
      ${
        against.length === 0
          ? empty
          : html`<dt>Speaks against it</dt>
              <dd>${linksTo(against)}, which passed</dd>`
      }
      ${
        others.length === 0
          ? empty
          : html`<dt>Other candidates</dt>
              <dd>
                ${joined(others.map(({ sentence }, at) => html`${at === 0 ? "" : html`<br />`}${prose(sentence)}`))}
              </dd>`
      }
    </dl>
    ${shown === undefined ? empty : shownBy(shown, run, exchangeOf, position)}
  </article>`;
}

function fact(title: string, text: string | undefined): Html {
  return text === undefined
    ? empty
    : html`<dt>${title}</dt>
        <dd>${prose(text)}</dd>`;
}

function linksTo(ids: readonly string[]): Html {
  const shown = ids.slice(0, mostLinks);
  const rest = ids.slice(mostLinks);
  return html`${idLinks(shown)}${when(
    rest.length > 0,
    () =>
      html`<details class="more">
        <summary>and ${formatCount(rest.length, "more check")}</summary>
        ${idLinks(rest)}
      </details>`,
  )}`;
}

function shownBy(check: RunCheck, run: Run, exchangeOf: ExchangeLookup, position: number): Html {
  return html`<div class="shown-by">
    <p>${verdictMark(check.verdict)}${idLink(check.id)} ${prose(check.sentence)}</p>
    ${checkOutcome(check)}
    ${
      position >= mostWithEvidence
        ? empty
        : html`<details class="evidence" ${{ markup: position < mostOpen ? "open" : "" }}>
            <summary>Evidence</summary>
            ${checkEvidence(check, run, exchangeOf)}
          </details>`
    }
  </div>`;
}

function unexplained(
  checks: readonly RunCheck[],
  run: Run,
  exchangeOf: ExchangeLookup,
  position: number,
): Html {
  if (checks.length === 0) return empty;
  const groups = [...Map.groupBy(checks, ({ requirement }) => requirement.id).values()];
  return html`<h3>
      ${run.findings.length === 0 ? "Violated requirements" : "Failures that no finding explains"}
    </h3>
    ${joined(
      groups.map((group, at) => {
        const [first] = group;
        if (first === undefined) return empty;
        const { id, statement, section, level } = first.requirement;
        return html`<article class="finding">
          <h4>${idLink(id)} ${prose(statement)}</h4>
          <dl class="facts">
            <dt>Violates</dt>
            <dd>${section} (${level})</dd>
            <dt>Failed</dt>
            <dd>${linksTo(group.map((check) => check.id))}</dd>
          </dl>
          ${shownBy(first, run, exchangeOf, position + at)}
        </article>`;
      }),
    )}`;
}

function knownFailures(checks: readonly RunCheck[]): Html {
  if (checks.length === 0) return empty;
  return html`<h3>Known failures</h3>
    <ul class="plain">
      ${checks.map(({ id, sentence, known = "" }) => html`<li>${idLink(id)} ${prose(sentence)} <span class="soft">Known: ${known}</span></li>`)}
    </ul>`;
}
