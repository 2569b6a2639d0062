import type { Check } from "../support/judging/check.ts";
import { agentResourceChecks } from "./agent-resource.checks.ts";
import { audienceChecks } from "./audiences.checks.ts";
import { mcpResourceChecks } from "./mcp-resource.checks.ts";
import { refusedValueChecks } from "./refused-values.checks.ts";
import { repeatedValueChecks } from "./repeated-values.checks.ts";
import { tokenRequestChecks } from "./token-requests.checks.ts";
import { tokenUseChecks } from "./token-use.checks.ts";

/** Access tokens are bound to the resource that was asked for, byte for byte. Document, "Authentication", OAuth 2.0 path 6. */
export const resourceChecks: readonly Check[] = [
  ...audienceChecks,
  ...refusedValueChecks,
  ...repeatedValueChecks,
  ...mcpResourceChecks,
  ...agentResourceChecks,
  ...tokenRequestChecks,
  ...tokenUseChecks,
];
