import { requirementOf, sentenceOf } from "../suites/support/judging/check.ts";
import { unlocks } from "../suites/support/target/unlocks.ts";
import { notJudged } from "../suites/unchecked.ts";
import { catalogue } from "./conformance/catalogue.ts";
import { loadOwnSuites } from "./conformance/load-own-suites.ts";
import { exitCodes } from "./exit-codes.ts";
import { parseOptions } from "./parse-options.ts";

const usage = `mailproof list [--checks MODULE]…

Prints every suite with its checks, and the requirements that no check decides.

  --checks MODULE   a JavaScript or TypeScript module with checks of your own, listed too; may be repeated`;

/**
 * Prints every suite with its checks: kind, level, id, and the claim or question, and the key of the profile without which the
 * check is left out of a run. Then the requirements that no check decides, with the reason.
 */
export async function list(args: string[]): Promise<number> {
  const { values } = parseOptions({
    args,
    options: {
      checks: { type: "string", multiple: true, default: [] },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return exitCodes.conforms;
  }
  const { suites, requirements } = await loadOwnSuites(values.checks);
  for (const { name, checks } of suites) {
    console.log(`${name} (${checks.length})`);
    for (const check of checks) {
      const level = requirements.get(requirementOf(check.id))?.level ?? "";
      const needed = check.unlockedBy === undefined ? "" : ` [needs ${unlocks[check.unlockedBy].key}]`;
      console.log(
        `  ${check.kind.padEnd(9)}  ${level.padEnd(8)}  ${check.id}  ${sentenceOf(check)}${needed}`,
      );
    }
  }
  console.log(`not judged (${Object.keys(notJudged).length} of ${catalogue.requirements.size} requirements)`);
  for (const [id, { reason, unlockedBy }] of Object.entries(notJudged)) {
    const level = requirements.get(id)?.level ?? "";
    const needed = unlockedBy === undefined ? "" : `; needs ${unlockedBy}`;
    console.log(`  ${level.padEnd(8)}  ${id}  ${reason}${needed}`);
  }
  return exitCodes.conforms;
}
