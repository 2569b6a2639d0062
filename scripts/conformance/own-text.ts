import type { Run } from "../../reports/run-format.ts";
import { hasStory, storyTest } from "../../reports/story-test.ts";
import type { Profile } from "../../suites/support/target/profile.ts";

/** The words of a report that are ours or stand in the profile for everybody to read. */
export function ownText(run: Run, { humans, known }: Profile): string {
  const { checks, requirements, leftOut, interpretations, suite, target } = run;
  const names = [
    checks[0] ?? {},
    checks[0]?.exchanges[0] ?? {},
    "request response headers body url method status",
  ];
  return JSON.stringify([
    names.map((each) => (typeof each === "string" ? each : Object.keys(each))),
    checks.map(({ id, requirement, sentence, suite: concern }) => [id, requirement, sentence, concern]),
    requirements,
    // Those of a story that no target has a word in.
    checks.filter(hasStory).map((check) => storyTest({ ...check, steps: [], expected: "" }, run).source),
    leftOut,
    interpretations,
    suite,
    target,
    humans.map(({ name, consent }) => [name, consent.username]),
    known,
  ]);
}
