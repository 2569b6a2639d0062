import { formatCount } from "../format.ts";
import { certaintyWords } from "../certainty.ts";
import { empty, type Html, html } from "../html-text.ts";
import { shellWord } from "../shell-text.ts";
import { reproductionWords } from "../reproduction.ts";
import type { ExchangeRole, Run, RunCheck, RunExchange } from "../run-format.ts";
import { hasStory, storiesFolder, storyTestName } from "../story-test.ts";
import { burstPicture } from "./burst-picture.ts";
import { compareRequests } from "./compare-requests.ts";
import { comparisonView } from "./comparison-view.ts";
import { command, statusWords } from "./exchange-view.ts";
import { growthPicture } from "./growth-picture.ts";
import { fragmentOf, foreign, idLinks, joined, prose, when } from "./text.ts";
import type { FindingsOfCheck } from "./findings-of-checks.ts";
import { verdictWords } from "./verdict-words.ts";

export type ExchangeLookup = (number: number) => RunExchange | undefined;

/** All that the run knows of a check, below its sentence. */
export function checkView(
  check: RunCheck,
  run: Run,
  exchangeOf: ExchangeLookup,
  findings: FindingsOfCheck,
): Html {
  return html`${checkOutcome(check)} ${checkFacts(check, run, findings)}
  ${checkEvidence(check, run, exchangeOf)}`;
}

function checkFacts(check: RunCheck, run: Run, findings: FindingsOfCheck): Html {
  const readings = run.interpretations.filter(({ id }) => check.interpretations?.includes(id));
  return html`<p class="soft">
      <a class="id" href="#${fragmentOf(check.id)}">${check.id}</a>, ${verdictWords[check.verdict]}; suite
      ${check.suite}; ${kindWords[check.kind]}; ${Math.round(check.durationMs)} ms
    </p>
    ${findingNotes(findings)}
    ${readings.map(
      ({ id, question, reading }) =>
        html`<details class="reading">
          <summary>Reading ${id}: ${prose(question)}</summary>
          <p>${prose(reading)}</p>
        </details>`,
    )}`;
}

const kindWords: Readonly<Record<RunCheck["kind"], string>> = {
  check: "the document decides it",
  recommend: "an RFC alone asks for it",
  observe: "the document leaves it open",
};

function findingNotes({ explainedBy, contradicts }: FindingsOfCheck): Html {
  return html`${when(explainedBy.length > 0, () => html`<p>Explained by finding ${idLinks(explainedBy)}.</p>`)}
  ${when(contradicts.length > 0, () => html`<p>Speaks against finding ${idLinks(contradicts)}.</p>`)}`;
}

/** Expected and observed, or the reason, and what the profile and other checks say of it. */
export function checkOutcome(check: RunCheck): Html {
  const {
    id,
    verdict,
    expected,
    observed = "",
    steps,
    bars = [],
    growth,
    reason = "",
    known,
    defect,
    reproduced,
  } = check;
  const { certainty } = check;
  const explanations = check.explainedBy?.filter((other) => other !== id) ?? [];
  const facts = [
    ...(expected === undefined
      ? []
      : [
          { title: "Expected", text: foreign(expected) },
          { title: "Observed", text: steps === undefined ? foreign(observed) : storyView(steps) },
        ]),
    ...(bars.length === 0
      ? []
      : [{ title: "Over time", text: burstPicture(bars, steps?.findLast(isReason) ?? "") }]),
    ...(expected === undefined && reason !== "" && verdict !== "pass"
      ? [{ title: reasonTitles[defect === true ? "defect" : verdict], text: foreign(reason) }]
      : []),
    ...(growth === undefined ? [] : [{ title: "How it grew", text: growthPicture(growth) }]),
    ...(reproduced === undefined
      ? []
      : [{ title: "Repeated", text: html`${reproductionWords(reproduced)}` }]),
    ...(certainty === undefined ? [] : [{ title: "How sure", text: html`${certaintyWords(certainty)}` }]),
    ...(explanations.length > 0 ? [{ title: "Explained by", text: idLinks(explanations) }] : []),
    ...(known === undefined ? [] : [{ title: "Known", text: html`${known}` }]),
  ];
  if (facts.length === 0) return empty;
  return html`<dl class="outcome">
    ${facts.map(
      ({ title, text }) =>
        html`<dt>${title}</dt>
          <dd>${text}</dd>`,
    )}
  </dl>`;
}

function isReason(step: string): boolean {
  return step.startsWith("No order explains");
}

/** The text of a step begins with its number, since later steps refer to it. */
function storyView(steps: readonly string[]): Html {
  return joined(steps.map((step) => html`<p>${foreign(step)}</p>`));
}

const reasonTitles: Readonly<Record<Exclude<RunCheck["verdict"], "pass"> | "defect", string>> = {
  fail: "Reason",
  warn: "Deviation",
  observed: "Answer",
  inconclusive: "Reason",
  blocked: "Reason",
  defect: "Defect of mailproof",
};

/** Control and subject, the command that repeats the check, and every exchange. */
export function checkEvidence(check: RunCheck, run: Run, exchangeOf: ExchangeLookup): Html {
  const comparison = compareRequests(check, exchangeOf);
  const stopped = comparison === undefined ? exchangeOf(check.decisive ?? -1) : undefined;
  return html`${comparison === undefined ? empty : comparisonView(comparison)}
  ${stopped === undefined ? empty : comparisonView({ subject: stopped, rows: [] })}
  ${
    check.exchanges.length === 0
      ? html`<p class="soft">Nothing was sent for this check.</p>`
      : html`<h5>Send it again</h5>
          ${command(replayCommand(run, check))} ${storyTestNote(check)}
          <p class="soft">
            What proves this check, and how implementations usually get it wrong:
            <code>npx mailproof explain ${check.id}</code>
          </p>
          ${exchangeList(check, exchangeOf)}`
  }`;
}

function storyTestNote(check: RunCheck): Html {
  if (!hasStory(check)) return empty;
  return html`<p>
    This story is kept as a test, in the folder of the run:
    <code>MAILPROOF_TARGET=profile.json node --test ${storiesFolder}/${storyTestName(check)}</code>
  </p>`;
}

function replayCommand(run: Run, check: RunCheck): string {
  const { flags } = run.environment;
  const profile = flags.find((_, at) => flags[at - 1] === "--target") ?? "profile.json";
  const target = run.target.isEmbedded ? "" : ` --target ${shellWord(profile, new Map())}`;
  return `npx mailproof replay ${shellWord(`reports/runs/${run.id}`, new Map())} ${shellWord(check.id, new Map())}${target}`;
}

const roleWords: Readonly<Record<ExchangeRole, string>> = {
  subject: "subject",
  control: "control",
  setup: "setup",
  waited: "waited for",
};

/** Setup is long and rarely looked at. */
function exchangeList({ exchanges, decisive }: RunCheck, exchangeOf: ExchangeLookup): Html {
  const isAside = ({ number, role }: RunCheck["exchanges"][number]): boolean =>
    (role === "setup" || role === "waited") && number !== decisive;
  const main = exchanges.filter((cited) => !isAside(cited));
  const aside = exchanges.filter(isAside);
  const items = (cited: RunCheck["exchanges"]): Html =>
    joined(
      cited.map(({ number, role }) => {
        const exchange = exchangeOf(number);
        return exchange === undefined ? empty : exchangeItem(exchange, role, number === decisive);
      }),
    );
  return html`<h5>Exchanges</h5>
    ${items(main)}
    ${when(
      aside.length > 0,
      () =>
        html`<details>
          <summary>${formatCount(aside.length, "exchange")} that prepared it</summary>
          ${items(aside)}
        </details>`,
    )}`;
}

function exchangeItem(exchange: RunExchange, role: ExchangeRole, isDecisive: boolean): Html {
  const { number, request } = exchange;
  const target = request.url.replace(/^https?:\/\/[^/]+/u, "");
  const shown = target.length > 100 ? `${target.slice(0, 100).replace(/[\uD800-\uDBFF]$/u, "")}…` : target;
  return html`<details class="exchange" data-exchange="${number}">
    <summary>
      ${number} ${roleWords[role]}: ${foreign(`${request.method} ${shown}`)} →
      ${statusWords(exchange)}${isDecisive ? ", which decided" : ""}
    </summary>
    <div></div>
  </details>`;
}
