import type { Check } from "../support/check.ts";
import { credentialChecks } from "./credentials.ts";
import { listFormatChecks } from "./list-format.ts";
import { ownerChecks } from "./owners.ts";

/** The list of inboxes that a token's user owns. Document, "Endpoints", GET /api/v1/agents. */
export const agentsChecks: readonly Check[] = [...listFormatChecks, ...credentialChecks, ...ownerChecks];
