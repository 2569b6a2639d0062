import type { Check } from "../../suites/support/judging/check.ts";

/** A suite of one's own, for `--checks`. */
export interface OwnSuite {
  /** Names the suite in reports and for `--suite`. */
  readonly name: string;
  /** What its checks are about beside the interface document, by the id that the ids of checks begin with. */
  readonly requirements?: Readonly<Record<string, OwnRequirement>>;
  readonly checks: readonly Check[];
}

export interface OwnRequirement {
  readonly level: "MUST" | "MUST NOT" | "SHOULD" | "MAY";
  /** Where it is written down, such as `Acme handbook, 3.2`. */
  readonly section: string;
  readonly statement: string;
}
