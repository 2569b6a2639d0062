import type { Target } from "../target/target.ts";
import { InconclusiveError, NotApplicableError } from "../verdict.ts";
import type { ClientKind } from "./clients.ts";
import { freshGrant, type Grant } from "./grants.ts";

/**
 * A grant for both scopes that the person narrowed to reading.
 *
 * @throws {NotApplicableError} when nobody is asked again who has approved the only client of its kind
 */
export async function narrowedGrant(target: Target, client: ClientKind): Promise<Grant> {
  try {
    return await freshGrant(target, { client, decision: "approve read-only" });
  } catch (error) {
    const isRemembered = error instanceof InconclusiveError && error.code === "consent-skipped";
    if (!isRemembered || client !== "operator") throw error;
    throw new NotApplicableError(
      "the target remembers who has approved the operator's client, and asks nothing",
    );
  }
}
