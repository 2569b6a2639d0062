import type { Check } from "../support/check.ts";
import { agentResourceChecks } from "./agent-resource.ts";
import { audienceChecks } from "./audiences.ts";
import { mcpResourceChecks } from "./mcp-resource.ts";
import { refusedValueChecks } from "./refused-values.ts";
import { repeatedValueChecks } from "./repeated-values.ts";
import { tokenRequestChecks } from "./token-requests.ts";
import { tokenUseChecks } from "./token-use.ts";

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
