import { sampledPasses } from "../certainty.ts";
import { leftBehindWords } from "../left-behind.ts";
import { formatCount, formatDuration } from "../format.ts";
import { empty, type Html, html } from "../html-text.ts";
import type { Run } from "../run-format.ts";
import { foreign, idLink, joined, prose, when } from "./text.ts";
import { proofOfWorkWords } from "../proof-of-work-words.ts";

/** Where the verdicts come from: the target, the tool, what the run made and left, known results, and readings. */
export function aboutRun(run: Run): Html {
  const { target, suite, coverage, environment } = run;
  const sampled = sampledPasses(run);
  return html`<section id="run">
    <h2>About this run</h2>
    <dl class="facts">
      <dt>Target</dt>
      <dd>
        ${target.isEmbedded ? "The reference service that comes with mailproof" : ""} ${target.authUrl},
        ${target.apiUrl}, ${target.mcpUrl}
      </dd>
      <dt>Run</dt>
      <dd>${run.id}, started ${run.startedAt}, took ${formatDuration(run.durationMs)}</dd>
      <dt>Completeness</dt>
      <dd>${completeness(run)}</dd>
      <dt>Coverage</dt>
      <dd>${coverage.decided} of the document’s ${coverage.requirements} requirements decided</dd>
      ${
        sampled === undefined
          ? empty
          : html`<dt>How sure</dt>
              <dd>${sampled}</dd>`
      }
      <dt>Suite</dt>
      <dd>
        ${suite.name} ${suite.version}; checks ${digest(suite.checksSha256)}, requirements
        ${digest(suite.requirementsSha256)}
      </dd>
      <dt>Environment</dt>
      <dd>
        Node.js ${suite.node}, ${environment.os}, ${formatCount(environment.cpus, "processor")};
        ${environment.flags.length === 0 ? "no options" : html`options ${foreign(environment.flags.join(" "))}`}
      </dd>
      ${fingerprintOf(target)}
      ${
        run.profile === undefined
          ? empty
          : html`<dt>Profile</dt>
              <dd>
                <details class="more">
                  <summary>as it was given, secrets by reference</summary>
                  <pre tabindex="0">${foreign(JSON.stringify(run.profile, undefined, 2))}</pre>
                </details>
              </dd>`
      }
      <dt>Expenses</dt>
      <dd>${expenses(run)}</dd>
      <dt>Left behind</dt>
      <dd>${leftBehind(run)}</dd>
    </dl>
    ${knownResults(run)} ${readings(run)}
  </section>`;
}

function digest(sha256: string): Html {
  return html`<code title="SHA-256 ${sha256}">${sha256.slice(0, 12)}</code>`;
}

/** What tells this target from another one. */
function fingerprintOf({ fingerprint }: Run["target"]): Html {
  if (fingerprint === undefined) return empty;
  const { issuer, metadataSha256, jwkThumbprints = [], tls = [] } = fingerprint;
  const parts = [
    ...(issuer === undefined ? [] : [html`issuer ${foreign(issuer)}`]),
    ...(metadataSha256 === undefined ? [] : [html`metadata ${digest(metadataSha256)}`]),
    ...jwkThumbprints.map((thumbprint) => html`key ${foreign(thumbprint)}`),
    ...tls.map(
      ({ origin, publicKeySha256 }) => html`TLS key of ${foreign(origin)} ${digest(publicKeySha256)}`,
    ),
  ];
  return html`<dt>Fingerprint</dt>
    <dd>${joined(parts.map((part, at) => html`${at === 0 ? "" : ", "}${part}`))}</dd>`;
}

function completeness({ isComplete, isReadOnly, checks, leftOut, exchanges, cutExchanges = 0 }: Run): string {
  const left = leftOut.reduce((sum, one) => sum + one.checks.length, 0);
  return [
    isComplete
      ? `complete: ${formatCount(checks.length, "check")} ran`
      : `interrupted after ${formatCount(checks.length, "check")}`,
    ...(isReadOnly ? ["read-only"] : []),
    `${left} left out`,
    ...(cutExchanges > 0
      ? [`${cutExchanges} of ${exchanges.length} exchanges cut to their first lines`]
      : []),
  ].join("; ");
}

function expenses(run: Run): string {
  const { exchanges, ledger } = run;
  const made = Object.entries(ledger).map(([what, count]) => `${count} ${what.replaceAll("_", "-")}`);
  return [formatCount(exchanges.length, "exchange"), ...made, proofOfWorkWords(run)].join(", ");
}

function leftBehind({ leftBehind: left, isReadOnly }: Run): Html {
  if (isReadOnly) return html`Nothing was made on the target.`;
  if (left === undefined) return html`The run ended before it tidied up: what it made is still there.`;
  const clients = left.clients.filter(({ isDeleted }) => !isDeleted).map(({ client_id }) => client_id);
  return html`${leftBehindWords(left)}${names("Clients", clients)}${names("Inboxes of agents", left.agents)}`;
}

function names(title: string, values: readonly string[]): Html {
  if (values.length === 0) return empty;
  return html`<details class="more">
    <summary>${title}</summary>
    ${joined(values.map((value, at) => html`${at === 0 ? "" : ", "}${foreign(value)}`))}
  </details>`;
}

function knownResults({ checks, knownProblems }: Run): Html {
  const known = checks.filter((check) => check.known !== undefined);
  if (known.length + knownProblems.length === 0) return empty;
  return html`<h3>Known results</h3>
    ${when(
      knownProblems.length > 0,
      () =>
        html`<div class="box bad">
          <ul>
            ${knownProblems.map((problem) => html`<li>${foreign(problem)}</li>`)}
          </ul>
        </div>`,
    )}
    <ul class="plain">
      ${known.map(({ id, verdict, known: reason = "" }) => html`<li>${idLink(id)} ${verdict}: ${reason}</li>`)}
    </ul>`;
}

function readings({ interpretations }: Run): Html {
  if (interpretations.length === 0) return empty;
  return html`<h3>Readings of the document</h3>
    <p class="soft">How this run read places where the document is silent or allows more than one reading.</p>
    <details>
      <summary>${formatCount(interpretations.length, "reading")}</summary>
      <dl class="readings">
        ${interpretations.map(
          ({ id, question, reading }) =>
            html`<dt id="${id}">${idLink(id)} ${prose(question)}</dt>
              <dd>${prose(reading)}</dd>`,
        )}
      </dl>
    </details>`;
}
