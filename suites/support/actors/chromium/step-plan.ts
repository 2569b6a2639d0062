import type { BrowserConsent, BrowserSection, BrowserStep } from "../../target/consent-settings.ts";
import type { Decision } from "../consent/step.ts";
import { literalPattern } from "./literal-pattern.ts";

/** A step with where it stands in the profile. */
export interface PlannedStep {
  readonly step: BrowserStep;
  readonly section: BrowserSection;
  /** From 1, within its section. */
  readonly number: number;
}

const sectionOf: Readonly<Record<Decision, Exclude<BrowserSection, "sign_in">>> = {
  approve: "approve",
  deny: "deny",
  "approve read-only": "read_only",
  "approve with a new inbox": "new_inbox",
};

/**
 * All steps of one authorization.
 *
 * @returns the key of the profile that is missing, where the person has no steps for this decision
 */
export function planOf(
  consent: BrowserConsent,
  decision: Decision,
): { readonly plan: readonly PlannedStep[] } | { readonly missing: BrowserSection } {
  const section = sectionOf[decision];
  const decisive = consent[section];
  if (decisive === undefined) return { missing: section };
  return { plan: [...planned(consent.sign_in, "sign_in"), ...planned(decisive, section)] };
}

function planned(steps: readonly BrowserStep[], section: BrowserSection): PlannedStep[] {
  return steps.map((step, at) => ({ step, section, number: at + 1 }));
}

/**
 * The steps that may be next on a page: those from `at` up to the first that cannot be left out. Sign-in is left out as a
 * whole while none of its steps has been taken.
 */
export function candidates(
  plan: readonly PlannedStep[],
  at: number,
  { hasBegun, url }: { readonly hasBegun: boolean; readonly url: string },
): { readonly planned: PlannedStep; readonly index: number }[] {
  const found = [];
  for (const [index, it] of plan.entries()) {
    if (index < at) continue;
    const isElsewhere = it.step.at !== undefined && !isAt(it.step.at, url);
    if (!isElsewhere) found.push({ planned: it, index });
    const canBeLeftOut =
      isElsewhere || it.step.optional || it.step.at !== undefined || (it.section === "sign_in" && !hasBegun);
    if (!canBeLeftOut) break;
  }
  return found;
}

/** @param place - the beginning of an address, or of a path; `*` stands for anything */
export function isAt(place: string, url: string): boolean {
  const { origin, pathname } = URL.parse(url) ?? { origin: "", pathname: "" };
  const beginning = place.split("*").map(literalPattern).join(".*");
  return new RegExp(`^${beginning}`, "u").test(place.startsWith("/") ? pathname : `${origin}${pathname}`);
}
