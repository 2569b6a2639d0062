import { parseArgs } from "node:util";
import { requirements } from "../fixtures/spec/requirements.ts";
import { requirementOf, sentenceOf } from "../suites/support/judging/check.ts";
import { exitCodes } from "./exit-codes.ts";
import { suites } from "./suites.ts";

/** Prints every suite with its checks: kind, level, id, and the claim or question. */
export async function list(args: string[]): Promise<number> {
  parseArgs({ args, options: {} });
  for (const { name, checks } of suites) {
    console.log(`${name} (${checks.length})`);
    for (const check of checks) {
      const level = requirements.get(requirementOf(check.id))?.level ?? "";
      console.log(`  ${check.kind.padEnd(9)}  ${level.padEnd(8)}  ${check.id}  ${sentenceOf(check)}`);
    }
  }
  return exitCodes.conforms;
}
