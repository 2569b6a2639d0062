import type { Check } from "../support/judging/check.ts";
import { lifeChecks } from "./lives.checks.ts";

/** Random lives of credentials, each compared with a model of the document. */
export const historyChecks: readonly Check[] = lifeChecks;
