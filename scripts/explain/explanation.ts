import { counted } from "../../reports/format.ts";
import { indented } from "../../reports/evidence.ts";
import { type Interpretation, interpretationsOf } from "../../fixtures/spec/interpretations.ts";
import { type Check, requirementOf, sentenceOf } from "../../suites/support/judging/check.ts";
import { unlockWords } from "../../suites/support/target/unlocks.ts";
import { judgedElsewhere, notJudged } from "../../suites/unchecked.ts";
import type { Catalogue, CataloguedRequirement } from "../conformance/catalogue.ts";
import { lossOfConcern } from "../diagnosis/families.ts";
import { type Defect, type Mistake, mistakesOf, reasonsWithoutMistake } from "./mistakes.ts";
import type { Subject } from "./find-subject.ts";

const width = 100;
// A requirement of many cases has as many checks, and dozens of defects.
const mostShown = 25;
const mostLosses = 3;

/** What there is to know, for a terminal. */
export function explanation(subject: Subject, catalogue: Catalogue): string[] {
  switch (subject.kind) {
    case "check":
      return checkLines(subject.check, catalogue);
    case "requirement":
      return requirementLines(subject.requirement, catalogue);
    case "reading":
      return readingLines(subject.interpretation, catalogue);
    case "defect":
      return defectLines(subject.defect);
  }
}

function checkLines(check: Check, catalogue: Catalogue): string[] {
  const requirement = catalogue.requirements.get(requirementOf(check.id));
  const mistakes = mistakesOf([check.id]);
  const siblings = checksOf(requirementOf(check.id), catalogue).filter((other) => other !== check);
  return [
    `${check.id}  ${kindWords(check)}`,
    ...wrapped(sentenceOf(check)),
    ...(requirement === undefined ? [] : ["", ...statementLines(requirement)]),
    ...lossSection(mistakes, suiteOf(check, catalogue)),
    ...section("how it is checked", experimentLines(check)),
    ...section("the reading taken", interpretationsOf(requirementOf(check.id)).flatMap(shortReading)),
    ...mistakeSection(mistakes, [check]),
    ...siblingLines(check, siblings),
    "",
    `mailproof conformance --check ${check.id} judges it; mailproof explain ${check.id} --example shows it`,
    ...(siblings.length > 0 && !hasIdOfRequirement(check)
      ? [
          `mailproof explain ${requirementOf(check.id)} shows its requirement and ${counted(siblings.length, "more check")}`,
        ]
      : []),
  ];
}

/** Such an id explains the check: nothing else would show what more judges its requirement. */
function siblingLines(check: Check, siblings: readonly Check[]): string[] {
  if (!hasIdOfRequirement(check)) return [];
  return section(`other checks of this requirement (${siblings.length})`, claimLines(siblings));
}

function hasIdOfRequirement({ id }: Check): boolean {
  return id === requirementOf(id);
}

function claimLines(checks: readonly Check[]): string[] {
  return [
    ...checks.slice(0, mostShown).flatMap((check) => [check.id, ...indented(wrapped(sentenceOf(check)))]),
    ...andMore(checks.length),
  ];
}

function requirementLines(requirement: CataloguedRequirement, catalogue: Catalogue): string[] {
  const { id } = requirement;
  const checks = checksOf(id, catalogue);
  const mistakes = mistakesOf(checks.map((check) => check.id));
  const [first] = checks;
  return [
    ...statementLines(requirement),
    ...(first === undefined ? [] : lossSection(mistakes, suiteOf(first, catalogue))),
    ...section(`how it is checked (${checks.length})`, [
      ...claimLines(checks),
      ...(checks.length === 0 ? unjudgedLines(id) : []),
    ]),
    ...section("the reading taken", interpretationsOf(id).flatMap(shortReading)),
    ...mistakeSection(mistakes, checks),
  ];
}

function readingLines(
  { id, question, reading, why, requirements }: Interpretation,
  catalogue: Catalogue,
): string[] {
  const statements = requirements.flatMap((one) => {
    const requirement = catalogue.requirements.get(one);
    return requirement === undefined ? [] : [`${one}  ${requirement.statement}`];
  });
  return [
    `${id}  a place where the document is silent, or allows more than one reading`,
    ...wrapped(question),
    ...section("the reading taken", wrapped(reading)),
    ...section("why", wrapped(why)),
    ...section(
      `requirements whose verdicts rest on it (${requirements.length})`,
      statements.flatMap((line) => hanging(line)),
    ),
  ];
}

function defectLines({ fault, sentence, caughtBy, family }: Defect): string[] {
  const caught = Object.entries(caughtBy).map(([check, verdict]) => `${check}  ${verdict}`);
  return [
    `${fault}  a deliberate defect of the reference service`,
    ...wrapped(sentence),
    ...(family === undefined
      ? []
      : [
          ...section("why it matters", hanging(`${family.severity}: ${family.consequence}`)),
          ...section("the usual cause", hanging(family.cause)),
          ...section("how to fix it", hanging(family.mend)),
        ]),
    ...section(`caught by (${caught.length})`, [...caught.slice(0, mostShown), ...andMore(caught.length)]),
  ];
}

function statementLines({ id, level, section: place, source, statement }: CataloguedRequirement): string[] {
  const origin = { document: "the document", rfc: "an RFC alone: a violation warns", own: "your own suite" }[
    source
  ];
  return [`${id}  ${levelWords(level)}  (${origin})`, ...wrapped(statement), ...wrapped(`section: ${place}`)];
}

function levelWords(level: string): string {
  if (level === "MUST*") return "MUST (not stated, but it follows from what is)";
  if (level === "OBSERVE") return "OBSERVE (left open: what the target does is recorded)";
  return level;
}

function kindWords({ kind }: Check): string {
  switch (kind) {
    case "check":
      return "a violation fails";
    case "recommend":
      return "a violation warns";
    case "observe":
      return "it records an answer, and cannot fail";
  }
}

function experimentLines({ needs, unlockedBy, waitSeconds, last, kind }: Check): string[] {
  const subject =
    last === true
      ? "It runs after all other checks of the run, and may judge what they sent instead of sending something itself."
      : kind === "observe"
        ? "It sends the request that the question is about, and records the answer."
        : "It prepares what it needs, and sends the request that is judged: the subject. Where a refusal is expected, the same request without its flaw, the control, must have been accepted in the same run.";
  const needWords = {
    human: "a person who signs in and consents",
    "second-human": "a second person",
    pages: "a consent driver that shows the pages on the way (form or browser)",
  };
  return [
    ...wrapped(subject),
    ...needs.map((need) => `needs ${needWords[need]}`),
    ...(unlockedBy === undefined ? [] : [`needs ${unlockWords(unlockedBy)}`]),
    ...(waitSeconds === undefined ? [] : [`lets ${waitSeconds} s pass on the target's clock`]),
  ];
}

function unjudgedLines(id: string): string[] {
  const elsewhere = judgedElsewhere[id];
  if (elsewhere !== undefined) return [`by the checks of ${elsewhere.join(", ")}, which say the same`];
  const reason = notJudged[id];
  if (reason === undefined) return [];
  const { unlockedBy } = reason;
  return wrapped(`not judged: ${reason.reason}${unlockedBy === undefined ? "" : `; it needs ${unlockedBy}`}`);
}

function shortReading({ id, question, reading }: Interpretation): string[] {
  return hanging(`${id}  ${question} ${reading}`);
}

/** What is lost when the statement does not hold, by the rules that its closest defects break. */
function lossSection(mistakes: readonly Mistake[], suite: string): string[] {
  const losses = mistakes.slice(0, mostLosses).map(({ family }) => family ?? lossOfConcern(suite));
  const shown = losses.length === 0 ? [lossOfConcern(suite)] : losses;
  return section("why it matters", [
    ...new Set(shown.flatMap(({ severity, consequence }) => hanging(`${severity}: ${consequence}`))),
  ]);
}

function mistakeSection(mistakes: readonly Mistake[], checks: readonly Check[]): string[] {
  const claims = checks.filter(({ kind }) => kind !== "observe");
  // A question cannot fail.
  if (claims.length === 0 && mistakes.length === 0) return [];
  const shown = mistakes.slice(0, mostShown);
  const families = [...new Set(shown.slice(0, mostLosses).flatMap(({ family }) => family ?? []))];
  return [
    ...section(
      `how implementations get it wrong: deliberate defects that it catches (${mistakes.length})`,
      mistakes.length === 0
        ? reasonsWithoutMistake(claims.map(({ id }) => id)).flatMap(hanging)
        : [
            ...shown.flatMap(({ fault, sentence, checks }) => [
              ...hanging(sentence),
              `    ${fault}${claims.length === 1 ? "" : `, caught by ${checks.length === 1 ? checks.join("") : `${checks.length} of them`}`}`,
            ]),
            ...andMore(mistakes.length),
          ],
    ),
    ...section(
      "the usual cause",
      families.flatMap(({ cause }) => hanging(cause)),
    ),
    ...section(
      "how to fix it",
      families.flatMap(({ mend }) => hanging(mend)),
    ),
  ];
}

function andMore(count: number): string[] {
  return count > mostShown ? [`… and ${count - mostShown} more`] : [];
}

function checksOf(requirement: string, { suites }: Catalogue): Check[] {
  return suites.flatMap(({ checks }) => checks).filter(({ id }) => requirementOf(id) === requirement);
}

function suiteOf(check: Check, { suites }: Catalogue): string {
  return suites.find(({ checks }) => checks.includes(check))?.name ?? "";
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", `${title}:`, ...indented(lines)];
}

/** The second line and those below are indented further. */
function hanging(text: string): string[] {
  const [first = "", ...rest] = wrapped(text);
  return [first, ...indented(indented(rest))];
}

function wrapped(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
