import caughtBy from "../../fixtures/faults/caught-by.json" with { type: "json" };
import unprovedChecks from "../../fixtures/faults/unproved-checks.json" with { type: "json" };
import { catalogue, checkIds } from "../conformance/catalogue.ts";
import { type Family, familyOf } from "../diagnosis/families.ts";
import { knownFaults } from "../diagnosis/knowledge.ts";

/** A deliberate defect of the reference service that makes checks fail. */
export interface Mistake {
  readonly fault: string;
  /** `The service compares redirect_uri by prefix.`, or what its id says where the dictionary has no entry of it. */
  readonly sentence: string;
  /** Those of the asked ones that catch it. */
  readonly checks: readonly string[];
  /** What it belongs to: the loss, the usual cause, the fix. */
  readonly family?: Family;
}

/** A deliberate defect of the reference service, and all checks that catch it. */
export type Defect = Omit<Mistake, "checks"> & {
  /** The expected verdict of each. */
  readonly caughtBy: Readonly<Record<string, string>>;
};

/** @returns undefined where no deliberate defect has this id */
export function defectOf(id: string): Defect | undefined {
  const catches = new Map<string, Readonly<Record<string, string>>>(Object.entries(caughtBy)).get(id);
  if (catches === undefined) return undefined;
  const family = familyOf(id);
  return { fault: id, sentence: sentenceOf(id), caughtBy: catches, ...(family && { family }) };
}

/** The defects that some of these checks catch, first those that they alone catch. */
export function mistakesOf(checkIds: readonly string[]): Mistake[] {
  const asked = new Set(checkIds);
  return Object.entries(caughtBy)
    .map(([fault, catches]) => {
      const catching = Object.keys(catches);
      const sentence = sentenceOf(fault);
      const checks = catching.filter((check) => asked.has(check));
      const family = familyOf(fault);
      return { fault, sentence, checks, ...(family && { family }), share: checks.length / catching.length };
    })
    .filter(({ checks }) => checks.length > 0)
    .toSorted((a, b) => b.share - a.share)
    .map(({ share: _share, ...mistake }) => mistake);
}

/** Why no deliberate defect of the reference service makes these checks fail: each reason once, as sentences. */
export function reasonsWithoutMistake(ids: readonly string[]): string[] {
  const known = new Set(checkIds(catalogue));
  return [
    ...new Set(
      ids.map((id) =>
        known.has(id)
          ? (unprovedChecks.find(({ checks }) => checks.includes(id))?.reason ?? provedOtherwise)
          : "None has been tried with checks of your own.",
      ),
    ),
  ];
}

// `extreme-targets.guard.test.ts` holds this of every check that is neither caught by a fault nor in the list.
const provedOtherwise =
  "None, but it fails for another server: one that accepts everything, one that refuses everything, one that loses its state in a restart, or one of several nodes that differs from the others.";

function sentenceOf(fault: string): string {
  return knownFaults.faults[fault]?.sentence ?? wordsOf(fault);
}

/** Only defects of a whole rule have an entry in the dictionary. */
function wordsOf(fault: string): string {
  const [, slug = fault] = fault.split("/");
  return `${slug.charAt(0).toUpperCase()}${slug.slice(1).replaceAll("-", " ")}.`;
}
