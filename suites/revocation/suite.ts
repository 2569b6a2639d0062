import type { Check } from "../support/judging/check.ts";
import { dashboardChecks } from "./dashboard.checks.ts";
import { agentTokenChecks } from "./agent-tokens.checks.ts";
import { answerChecks } from "./answers.checks.ts";
import { clientChecks } from "./clients.checks.ts";
import { effectChecks } from "./effects.checks.ts";
import { everyGrantChecks } from "./every-grant.checks.ts";
import { isolationChecks } from "./isolation.checks.ts";
import { permanenceChecks } from "./permanence.checks.ts";
import { promptnessChecks } from "./promptness.checks.ts";
import { raceChecks } from "./races.checks.ts";
import { repeatedChecks } from "./repeated.checks.ts";

/** Either kind of token ends its grant, at once. Document, "POST /oauth/revoke", and "States", grant; RFC 7009. */
export const revocationChecks: readonly Check[] = [
  ...effectChecks,
  ...promptnessChecks,
  ...permanenceChecks,
  ...repeatedChecks,
  ...raceChecks,
  ...isolationChecks,
  ...answerChecks,
  ...agentTokenChecks,
  ...clientChecks,
  ...dashboardChecks,
  ...everyGrantChecks,
];
