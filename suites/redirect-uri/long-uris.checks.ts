import { attempt, codeIn, type Attempt } from "../support/actors/authorization.ts";
import { authorizationRequest, type Client } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectNoRedirect } from "../support/judging/refusals.ts";
import { authorizingClient } from "../support/material/controls.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError } from "../support/verdict.ts";
import { clientWith } from "./client-with.ts";

// Beyond what a column of 1,024 or of 255 characters keeps, and within what browsers take.
const longUris = [180, 40].map((tens) => `https://cb.example.test/long/${"0123456789".repeat(tens)}`);

/**
 * The longest that gets a code when a client has registered it.
 *
 * @throws {NotApplicableError} when a client can register none of them
 */
async function longestAuthorized(target: Target): Promise<{ client: Client; uri: string }> {
  let refused: InconclusiveError | NotApplicableError | undefined;
  for (const uri of longUris) {
    let client: Client;
    try {
      client = await clientWith(target, uri);
    } catch (error) {
      if (!(error instanceof NotApplicableError)) throw error;
      refused = error;
      continue;
    }
    target.spend("grants");
    refused = await refusalOf(target, client);
    if (refused === undefined) return { client, uri };
  }
  // Of the shorter one: what is too long for a whole URL says nothing.
  throw refused;
}

async function refusalOf(target: Target, client: Client): Promise<InconclusiveError | undefined> {
  const { end } = await attempt(target.control, authorizationRequest(target, client));
  if (codeIn(end) !== undefined) return undefined;
  return new InconclusiveError("control-refused", "a request with the registered redirect_uri got no code", {
    exchange: end.exchange,
    explainedBy: "AUTHZ-09/code",
  });
}

/** Comparison to the last character. Document, "Endpoints", authorize parameters. */
export const longUriChecks = [
  check({
    id: "REDIR-03/long",
    claim:
      "A `redirect_uri` that differs in its last character from a long registered one is refused without a redirect.",
    needs: ["human"],
    async act(target): Promise<Attempt> {
      // A target that refuses everything refuses this registration too.
      await authorizingClient(target);
      const { client, uri } = await longestAuthorized(target);
      const { parameters } = authorizationRequest(target, client, { redirect_uri: `${uri.slice(0, -1)}x` });
      return attempt(target, { client, parameters });
    },
    assert: (seen) => expectNoRedirect(seen),
  }),
];
