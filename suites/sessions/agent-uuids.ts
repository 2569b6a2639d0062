import { claimsOf } from "../support/actors/agent.ts";
import { freshCapability, sharedSession, type WhichAgent } from "../support/material/agents.ts";
import type { Target } from "../support/target/target.ts";

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu;

/** What the claims of an agent's tokens say of it, where they can be read: the header takes UUIDs. */
async function uuidsOf(target: Target, which: WhichAgent): Promise<readonly string[]> {
  const tokens = [await sharedSession(target.setup, which), await freshCapability(target.setup, which)];
  const claims = tokens.flatMap((token) => Object.entries(claimsOf(token) ?? {}));
  // The name of the token itself is not a name of an inbox.
  const values = claims.flatMap(([name, value]) =>
    name !== "jti" && typeof value === "string" ? [value] : [],
  );
  return values.filter((value) => uuid.test(value));
}

/** A UUID in the tokens of the second agent that those of the first one do not have; undefined where there is none. */
export async function uuidOfOtherAgent(target: Target): Promise<string | undefined> {
  const [own, theirs] = [await uuidsOf(target, "first"), await uuidsOf(target, "second")];
  return theirs.find((id) => !own.includes(id));
}
