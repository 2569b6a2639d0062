import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunCheck } from "../../reports/run-format.ts";
import { storiesFolder, storyTestName } from "../../reports/story-test.ts";
import { historyChecks } from "../../suites/histories/suite.ts";
import { readProfile, parseProfile } from "../../suites/support/target/profile.ts";
import { catalogue } from "../conformance/catalogue.ts";
import { type ProfiledTarget, startProfiledTarget } from "../conformance/defective-target.ts";
import { judgeOnce } from "../conformance/judge-once.ts";
import { writeStories } from "../conformance/write-stories.ts";
import { allFaults } from "../faults/fault-list.ts";

const folder = mkdtempSync(join(tmpdir(), "mailproof-story-"));
let sound: ProfiledTarget;

beforeAll(async () => {
  // What `npm install mailproof` would put there.
  const installed = join(folder, "node_modules/mailproof");
  mkdirSync(installed, { recursive: true });
  const exports = pathToFileURL(join(import.meta.dirname, "../package/exports.ts")).href;
  writeFileSync(
    join(installed, "package.json"),
    JSON.stringify({ name: "mailproof", exports: "./index.mjs" }),
  );
  writeFileSync(join(installed, "index.mjs"), `export * from ${JSON.stringify(exports)};\n`);
  sound = await startProfiledTarget();
});
afterAll(async () => {
  await sound.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Left by one of the tests below. */
const agentStory = join(folder, storiesFolder, storyTestName({ id: "LIFE-04/agents" }));

interface Played {
  readonly code: number;
  readonly out: string;
}

async function played(file: string, env: Readonly<Record<string, string>>): Promise<Played> {
  const { MAILPROOF_TARGET: _, NODE_OPTIONS: __, ...others } = process.env;
  const options = { env: { ...others, ...env }, cwd: folder };
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--test", "--test-reporter=tap", file],
      options,
    );
    return { code: 0, out: stdout };
  } catch (error) {
    const { code, stdout } = error as Error & { code?: unknown; stdout?: string };
    if (typeof code !== "number" || stdout === undefined) throw error;
    return { code, out: stdout };
  }
}

function playedAgainst(file: string, target: ProfiledTarget): Promise<Played> {
  return played(file, { ...target.env, MAILPROOF_TARGET: target.profile(folder) });
}

describe.for([
  { fault: "histories/refused-scopes-granted-next", found: "LIFE-01/narrowed", words: "a life of grants" },
  {
    fault: "histories/spent-challenge-back-after-two-refusals",
    found: "LIFE-04/agents",
    words: "a life of agents",
  },
  { fault: "histories/later-rotations-race", found: "LIFE-02/one-grant", words: "a burst" },
])("the test that $words leaves ($fault)", ({ fault, found }) => {
  let defective: ProfiledTarget;
  let judged: RunCheck | undefined;
  let file: string;

  beforeAll(async () => {
    defective = await startProfiledTarget(allFaults.find(({ id }) => id === fault));
    Object.assign(process.env, defective.env);
    const path = defective.profile(folder);
    const checks = historyChecks.filter(({ id }) => id === found);
    const { run } = await judgeOnce(parseProfile(readProfile(path), path), checks, {
      catalogue,
      isEmbedded: false,
    });
    writeStories(run, folder);
    [judged] = run.checks;
    file = join(folder, storiesFolder, storyTestName({ id: found }));
  });
  afterAll(() => defective.close());

  test("fails against the service that it was found in, and says what was expected", async () => {
    const { code, out } = await playedAgainst(file, defective);
    expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining("# fail 1") as string });
    expect(out).toContain(`expected ${judged?.expected}; observed`);
  });

  test("passes against a service without the defect", async () => {
    expect(await playedAgainst(file, sound)).toMatchObject({ code: 0 });
  });

  test("tells each step in a sentence, and holds no secret", () => {
    const source = readFileSync(file, "utf8");
    const sentences = judged?.steps?.filter((one) => /^\d+\. /u.test(one)) ?? [];
    expect(sentences.length).toBeGreaterThan(2);
    for (const sentence of sentences.slice(0, judged?.story?.steps.length))
      expect(source).toContain(`// ${sentence}\n`);
    for (const secret of Object.values(defective.env)) expect(source).not.toContain(secret);
    expect(source).not.toMatch(/[\w-]{40}/u);
  });
});

test("a test of a story asks for a profile where none is named", async () => {
  expect(await played(agentStory, {})).toMatchObject({
    code: 1,
    out: expect.stringContaining("MAILPROOF_TARGET is not set: name the profile of the target") as string,
  });
});

test("a test of a story is not a pass where nothing answers", async () => {
  const gone = await startProfiledTarget();
  const profile = gone.profile(folder);
  await gone.close();
  const { code, out } = await played(agentStory, { ...gone.env, MAILPROOF_TARGET: profile });
  expect({ code, out }).toMatchObject({
    code: 1,
    out: expect.stringContaining("InconclusiveError") as string,
  });
});
