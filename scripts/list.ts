import { parseArgs } from "node:util";
import { requirements } from "../fixtures/spec/requirements.ts";
import { requirementOf, sentenceOf } from "../suites/support/judging/check.ts";
import { exitCodes } from "./exit-codes.ts";
import { suites } from "./suites.ts";

/** Prints every suite with its checks: id, level and claim. */
export async function list(args: string[]): Promise<number> {
  parseArgs({ args, options: {} });
  for (const { name, checks } of suites) {
    console.log(`${name} (${checks.length})`);
    for (const check of checks) {
      const level = requirements.get(requirementOf(check.id))?.level ?? "";
      console.log(`  ${check.id}  [${level}]  ${sentenceOf(check)}`);
    }
  }
  return exitCodes.conforms;
}
