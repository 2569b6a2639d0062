import { printable } from "./printable.ts";
import type { Run, RunCheck, RunStory, RunStoryStep } from "./run-format.ts";

/** The folder of a run that holds them. */
export const storiesFolder = "stories";

/** A test that plays a story of a run again. */
export interface StoryTest {
  /** Its name in {@link storiesFolder}. */
  readonly name: string;
  readonly source: string;
}

/** A check that found a story which can be played again. */
export type CheckWithStory = RunCheck & { readonly story: RunStory };

export function hasStory(check: RunCheck): check is CheckWithStory {
  return check.story !== undefined;
}

export function storyTestName({ id }: Pick<RunCheck, "id">): string {
  return `${id.replaceAll(/[^\w.-]+/gu, "-")}.test.mjs`;
}

/** A file for `node --test`. Nothing secret is in a story: what it presents goes by the step that issued it. */
export function storyTest(check: CheckWithStory, { id: run, startedAt, suite }: Run): StoryTest {
  const { id, sentence, requirement, story, steps: sentences = [], expected = "" } = check;
  const name = storyTestName(check);
  const told = sentences.map((one) => printable(one));
  const played = story.steps.length + (story.together?.length ?? 0);
  const afterwards = told.slice(told.findIndex((one) => one.startsWith(`${played}. `)) + 1);
  const source = `${comment([
    `${id}: ${sentence}`,
    `${requirement.section} (${requirement.level})`,
    "",
    `Found on ${startedAt.slice(0, 10)} by ${suite.name} ${suite.version}, run ${run}.`,
    "",
    "Needs mailproof beside it (npm install --save-dev, see its README), and the profile of a target:",
    "",
    `  MAILPROOF_TARGET=profile.json node --test ${name}`,
    "",
    "It fails while an answer is one that the document does not allow, and names what could not be told.",
  ])}
import { test } from "node:test";
import { playStory } from "mailproof";

test(${JSON.stringify(printable(`${id}: expects ${expected}`))}, () =>
  playStory({
    check: ${JSON.stringify(id)},
    kind: ${JSON.stringify(story.kind)},
    steps: [
${stepLines(story.steps, 0, told)}
    ],${story.together === undefined ? "" : `\n    // At the same moment. What was answered then stands beside each.\n    together: [\n${stepLines(story.together, story.steps.length, told)}\n    ],`}
  }));

${comment(afterwards)}
`;
  return { name, source };
}

/** Each step below the sentence that tells it. */
function stepLines(steps: readonly RunStoryStep[], before: number, sentences: readonly string[]): string {
  return steps
    .flatMap((step, at) => {
      const place = before + at + 1;
      const sentence = sentences.find((one) => one.startsWith(`${place}. `)) ?? `${place}.`;
      return [`      // ${sentence}`, `      ${literal(step)},`];
    })
    .join("\n");
}

function literal(step: RunStoryStep): string {
  const members = Object.entries(step).map(
    ([name, value]) => `${/^[a-z]\w*$/iu.test(name) ? name : JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return `{ ${members.join(", ")} }`;
}

function comment(lines: readonly string[]): string {
  return lines.map((line) => (line === "" ? "//" : `// ${printable(line)}`)).join("\n");
}
