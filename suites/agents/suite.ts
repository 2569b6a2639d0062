import type { Check } from "../support/judging/check.ts";
import { agentInboxChecks } from "./agent-inboxes.checks.ts";
import { completenessChecks } from "./completeness.checks.ts";
import { credentialChecks } from "./credentials.checks.ts";
import { inboxNameChecks } from "./inbox-names.checks.ts";
import { lastingTimeChecks } from "./lasting-times.checks.ts";
import { listFormatChecks } from "./list-format.checks.ts";
import { noInboxChecks } from "./no-inboxes.checks.ts";
import { ownerChecks } from "./owners.checks.ts";

/** The list of inboxes that a token's user owns. Document, "Endpoints", GET /api/v1/agents. */
export const agentsChecks: readonly Check[] = [
  ...listFormatChecks,
  ...lastingTimeChecks,
  ...inboxNameChecks,
  ...credentialChecks,
  ...ownerChecks,
  ...completenessChecks,
  ...agentInboxChecks,
  ...noInboxChecks,
];
