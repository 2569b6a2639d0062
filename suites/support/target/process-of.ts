import { BlockedError } from "../verdict.ts";
import type { Target } from "./target.ts";
import type { TargetProcess } from "./target-process.ts";

/** @throws {BlockedError} when mailproof has not started the target, or must change nothing */
export function processOf({ process, isReadOnly }: Target): TargetProcess {
  if (isReadOnly)
    throw new BlockedError("needs to restart the target, which a run with --read-only does not");
  if (process !== undefined) return process;
  throw new BlockedError("needs a target that mailproof starts: only `mailproof conformance` starts it");
}
