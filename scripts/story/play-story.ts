import { checkOfStory } from "../../suites/histories/replayed-story.ts";
import {
  BlockedError,
  InconclusiveError,
  type PlayableStory,
  Violation,
} from "../../suites/support/verdict.ts";
import { catalogue } from "../conformance/catalogue.ts";
import { type JudgedOnce, judgeOnce } from "../conformance/judge-once.ts";
import { applyNetworkSettings } from "../network-settings.ts";
import { withTarget } from "../start-target/with-target.ts";
import { exitCodes } from "../exit-codes.ts";

/** A story of a run, as `stories/*.test.mjs` has it. */
export interface KeptStory extends PlayableStory {
  /** The check that found it. */
  readonly check: string;
}

/**
 * Plays a story that a run has found, with fresh clients, grants and keys. A burst is played ten times, since what collides
 * once may pass the next time.
 *
 * @param profile - a path; what the environment variable `MAILPROOF_TARGET` names unless given
 * @throws {Violation} when an answer is one that the document does not allow, saying which and what was expected
 * @throws {InconclusiveError} when it could not be told, as when the target did not answer
 * @throws {BlockedError} when the profile lacks what the story needs, such as a second person
 */
export async function playStory(
  { check: id, ...story }: KeptStory,
  profile: string | undefined = process.env["MAILPROOF_TARGET"],
): Promise<void> {
  const check = checkOfStory(id, story);
  if (profile === undefined || profile === "")
    throw new TypeError(
      "MAILPROOF_TARGET is not set: name the profile of the target, as in MAILPROOF_TARGET=profile.json node --test",
    );
  applyNetworkSettings();
  let judged: JudgedOnce | undefined;
  await withTarget(profile, async (parsed) => {
    judged = await judgeOnce(parsed, [check], { catalogue, isEmbedded: false });
    return exitCodes.conforms;
  });
  requirePass(judged);
}

function requirePass(judged: JudgedOnce | undefined): void {
  if (judged === undefined)
    throw new InconclusiveError("target-unreachable", "the target of the profile did not start");
  const [result] = judged.run.checks;
  if (result === undefined || judged.notJudged !== undefined)
    throw new InconclusiveError("target-unreachable", judged.notJudged ?? "the story was not played");
  const { verdict, reason = "", expected = "", observed = "" } = result;
  switch (verdict) {
    case "pass":
    case "warn":
    case "observed":
      return;
    case "fail":
      throw new Violation(expected, observed);
    case "blocked":
      throw new BlockedError(reason);
    case "inconclusive":
      throw new InconclusiveError("precondition-missing", reason);
  }
}
