import type { Check } from "../support/check.ts";
import { clientChecks } from "./clients.ts";
import { effectChecks } from "./effects.ts";
import { isolationChecks } from "./isolation.ts";
import { promptnessChecks } from "./promptness.ts";
import { unrecognisedChecks } from "./unrecognised.ts";

/** Either kind of token ends its grant, at once. Document, "POST /oauth/revoke", and "States", grant; RFC 7009. */
export const revocationChecks: readonly Check[] = [
  ...effectChecks,
  ...promptnessChecks,
  ...isolationChecks,
  ...unrecognisedChecks,
  ...clientChecks,
];
