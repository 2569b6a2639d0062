import { postToken, refreshExchange } from "../support/actors/oauth-client.ts";
import { isRefusal } from "../support/judging/expect.ts";
import { refreshableGrant } from "../support/material/controls.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { adding } from "../support/wire/parameters.ts";

/**
 * For a check whose refreshes name a scope: the document shows none there, and a target may refuse them before it looks at
 * the refresh token.
 *
 * @throws {NotApplicableError} when the target refuses a valid refresh that names the granted scopes
 */
export async function requireScopeTaken(target: Target): Promise<void> {
  const isTaken = await target.control.once("refresh:names-scope", async (recording) => {
    const { client, tokens } = await refreshableGrant(recording);
    const fields = refreshExchange(client, tokens.refresh_token);
    const refresh = await postToken(recording, adding(fields, ["scope", "mail.read mail.send"]));
    return !isRefusal(refresh);
  });
  if (!isTaken) throw new NotApplicableError("the target refuses a refresh that names a scope");
}
