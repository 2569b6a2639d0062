import { attempt, codeIn, type Attempt } from "../support/actors/authorization.ts";
import { authorizationRequest, type Client, postRegister } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { isRefusalStatus } from "../support/judging/expect.ts";
import { expectNoRedirect } from "../support/judging/refusals.ts";
import { registrationMetadata } from "../support/material/clients.ts";
import { authorizingClient } from "../support/material/controls.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError, InconclusiveError, type Warning, warning } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { jsonMembers } from "../support/wire/exchange.ts";

// A column of 255 characters keeps less than this, and a URL of 2,000 is within what browsers take.
const longUri = `https://cb.example.test/long/${"0123456789".repeat(40)}`;

/** A client of that redirect_uri; undefined where the target refuses to register or shortens what it cannot keep. */
async function clientWithLongUri(target: Target): Promise<Client | undefined> {
  if (target.profile.clients.registration !== "dynamic")
    throw new BlockedError("needs dynamic registration (clients.registration in the profile)");
  const metadata = { redirect_uris: [longUri], token_endpoint_auth_method: "none" } as const;
  const registration = await postRegister(target.setup, registrationMetadata(metadata));
  if (isRefusalStatus(registration.response.status)) return undefined;
  const { client_id: clientId, redirect_uris: registered } = jsonMembers(registration);
  if (typeof clientId !== "string")
    throw controlRefused("registering a client", "201 or a refusal with 4xx", registration, "DCR-01");
  const isShortened = Array.isArray(registered) && !registered.includes(longUri);
  return isShortened ? undefined : { client_id: clientId, redirect_uris: [longUri] };
}

async function requireCode(target: Target, client: Client): Promise<void> {
  const { end } = await attempt(target.control, authorizationRequest(target, client));
  if (codeIn(end) !== undefined) return;
  throw new InconclusiveError("control-refused", "a request with the registered redirect_uri got no code", {
    exchange: end.exchange,
    explainedBy: "AUTHZ-09/code",
  });
}

/** Comparison to the last character. Document, "Endpoints", authorize parameters. */
export const longUriChecks = [
  check({
    id: "REDIR-03/long",
    claim:
      "A `redirect_uri` that differs in its last character from a registered one of 429 characters is refused without a redirect.",
    needs: ["human"],
    async act(target): Promise<Attempt | undefined> {
      // A target that refuses everything refuses this registration too.
      await authorizingClient(target);
      const client = await clientWithLongUri(target);
      if (client === undefined) return undefined;
      target.spend("grants");
      await requireCode(target, client);
      const { parameters } = authorizationRequest(target, client, {
        redirect_uri: `${longUri.slice(0, -1)}x`,
      });
      return attempt(target, { client, parameters });
    },
    assert(seen): Warning | undefined {
      if (seen === undefined)
        return warning("not tried: no client can register a redirect_uri of 429 characters");
      return expectNoRedirect(seen);
    },
  }),
];
