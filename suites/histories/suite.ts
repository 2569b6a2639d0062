import type { Check } from "../support/judging/check.ts";
import { agentLifeChecks } from "./agent-lives.checks.ts";
import { burstChecks } from "./bursts.checks.ts";
import { choiceChecks } from "./choices.checks.ts";
import { coverageChecks } from "./coverage.checks.ts";
import { lifeChecks } from "./lives.checks.ts";
import { restartChecks } from "./restarts.checks.ts";

/** Random lives of credentials, and bursts of requests about them, each compared with a model of the document. */
export const historyChecks: readonly Check[] = [
  ...lifeChecks,
  ...agentLifeChecks,
  ...burstChecks,
  ...restartChecks,
  ...choiceChecks,
  ...coverageChecks,
];
