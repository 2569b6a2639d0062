import type { Profile } from "../../suites/support/target/profile.ts";
import type { Target } from "../../suites/support/target/target.ts";
import type { Prerequisite } from "./prerequisites.ts";

/** What a probe works with. */
export interface Patient {
  readonly profile: Profile;
  readonly target: Target;
}

/** One thing that a run needs, tried in the way that a run does it. */
export interface Probe {
  /** A word or two. */
  readonly title: string;
  /** Titles of probes without whose success this one cannot be tried. */
  readonly after: readonly string[];
  readonly supplies: Prerequisite;
  /** How to fix what stands in the way, where the error does not say it. */
  readonly fix: string;
  /**
   * @returns what was found, in a few words
   * @throws {Problem | InconclusiveError | BlockedError | Violation} when it is missing
   */
  attempt(patient: Patient): Promise<string>;
}
