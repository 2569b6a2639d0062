/**
 * What is wrong with a target, as a reader wants to know it first: one defect that explains failing checks, as far as one is
 * known that fits.
 */
export interface RunFinding {
  /** `F1`, `F2`, …, in the order in which they deserve attention: by severity, then by confidence. */
  readonly id: string;
  /**
   * `defect`: an entry of the fault dictionary fits what failed. `common-answer`: many checks of many requirements failed
   * with one and the same answer, so that one cause lies before all of them. `requirement`: nothing that is known fits, and
   * the requirement that failed most wholly gives its name.
   */
  readonly kind: "defect" | "common-answer" | "requirement";
  /** One sentence: `The service compares redirect_uri by prefix.` */
  readonly sentence: string;
  readonly severity: Severity;
  /** What is lost or what an attacker gains, in one or two sentences. */
  readonly consequence: string;
  /** The section of the document, or of the RFC, that is violated. */
  readonly section: string;
  /** How implementations usually come to it, and how to fix it; absent where nothing is known. */
  readonly cause?: string;
  readonly mend?: string;
  /** Calibrated probabilities from 0 to 1; absent unless `kind` is `defect`. */
  readonly confidence?: {
    /** That the rule is the one that is broken. */
    readonly rule: number;
    /** That it is broken in this way, perhaps for another client, resource, parameter, value or moment. */
    readonly defect: number;
  };
  /** Id of the entry of the dictionary. */
  readonly fault?: string;
  /** Ids of failing checks that it explains. The first shows it best. */
  readonly explains: readonly string[];
  /** Ids of checks that it would make fail, but that passed. */
  readonly against: readonly string[];
  /** Other ways of breaking a rule that fit nearly as well, best first. */
  readonly alternatives: readonly {
    readonly fault: string;
    readonly sentence: string;
    readonly confidence: number;
  }[];
}

/** From the worst to the least. */
export const severities = [
  "account takeover",
  "mail sent in another's name",
  "mail read by others",
  "denial of service",
  "interoperability",
] as const;

export type Severity = (typeof severities)[number];
