import type { TestProject } from "vitest/node";
import { suites } from "../suites.ts";
import { measureReach, type Reach } from "./reach.ts";

declare module "vitest" {
  interface ProvidedContext {
    reach: Reach;
  }
}

/** Measured once for all test files of the cross-check, and again in each run: it changes with every change of the service. */
export async function setup({ provide }: TestProject): Promise<void> {
  provide("reach", await measureReach(suites.flatMap(({ checks }) => checks)));
}
