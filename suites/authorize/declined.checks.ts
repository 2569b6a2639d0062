import { attempt, type Attempt, codeIn } from "../support/actors/authorization.ts";
import { responseParameter, responseParameters } from "../support/actors/client-redirects.ts";
import { authorizationRequest, registeredRedirectUri, unguessable } from "../support/actors/oauth-client.ts";
import { check, recommend } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { withUndecidedClient } from "../support/material/clients.ts";
import { authorizingClient } from "../support/material/controls.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError, NotApplicableError } from "../support/verdict.ts";
import {
  confidentialRequest,
  mcpRequest,
  publicRequest,
  readOnlyRequest,
  singleInboxRequest,
} from "./request-kinds.ts";

const requests = [publicRequest, confidentialRequest, readOnlyRequest, mcpRequest, singleInboxRequest];

const declined = requests.map(({ slug, words, client: kind, choice }) =>
  check({
    id: `AUTHZ-18/${slug}`,
    claim: `An authorization request ${words} that the person declines yields no code.`,
    needs: ["human"],
    async act(target) {
      const chosen = await choice(target);
      const client = await authorizingClient(target, kind, chosen);
      return withUndecidedClient(target, kind, client, (decidedOn) =>
        attempt(target, authorizationRequest(target, decidedOn, chosen), { decision: "deny" }),
      );
    },
    assert({ end }) {
      expectThat(codeIn(end) === undefined, "no code", "a redirect with a code", end.exchange);
    },
  }),
);

// What is cut off, encoded twice or written without encoding comes back otherwise.
const telling = "a b&c=%2B+d";
const nonAscii = "Gr\u{00FC}\u{00DF}e \u{4E16}\u{754C} \u{1F511}";

/** How a request is answered that the person declines, with a state that begins so and the last of the client's URIs. */
function declinedWithState(target: Target, beginning = telling) {
  return target.once(`authorize:declined-with-state:${beginning}`, async (recording) => {
    const client = await authorizingClient(recording);
    return withUndecidedClient(recording, "public", client, async (decidedOn) => {
      const state = beginning + Array.from({ length: 10 }, unguessable).join("");
      const redirectUri = decidedOn.redirect_uris.at(-1) ?? registeredRedirectUri(decidedOn);
      const request = authorizationRequest(recording, decidedOn, { state, redirect_uri: redirectUri });
      const { end } = await attempt(recording, request, { decision: "deny" });
      return { state, redirectUri, end };
    });
  });
}

/** @throws {NotApplicableError} when the client hears nothing of the denial, which B-AUTHZ-10 judges */
function requireRedirect(end: Attempt["end"]): Extract<Attempt["end"], { kind: "redirect" }> {
  if (end.kind === "redirect") return end;
  throw new NotApplicableError("a denial is not answered by a redirect to the client");
}

function expectStateReturned({ state, end }: Awaited<ReturnType<typeof declinedWithState>>): void {
  const { location, exchange } = requireRedirect(end);
  const returned = responseParameter(location, "state");
  expectThat(returned === state, `state ${shown(state)}`, shown(returned), exchange);
}

const stateReturned = check({
  id: "AUTHZ-10/declined",
  claim:
    "Where a denial is answered by a redirect to the client, it returns a long `state` with reserved characters unchanged.",
  needs: ["human"],
  act: (target) => declinedWithState(target),
  assert: expectStateReturned,
});

const nonAsciiStateReturned = check({
  id: "AUTHZ-10/declined-non-ascii",
  claim:
    "Where a denial is answered by a redirect to the client, it returns a `state` beyond ASCII unchanged.",
  needs: ["human"],
  act: (target) => declinedWithState(target, nonAscii),
  assert: (declinedRequest) => explained("AUTHZ-10/declined", () => expectStateReturned(declinedRequest)),
});

const queryKept = recommend({
  id: "B-AUTHZ-09",
  claim:
    "Where a denial is answered by a redirect to the client, it keeps the query of the `redirect_uri` and adds `error` to it.",
  needs: ["human"],
  async act(target) {
    const declinedRequest = await declinedWithState(target);
    if (responseParameters(declinedRequest.redirectUri).length > 0) return declinedRequest;
    throw new BlockedError("needs a client whose last redirect_uri has a query");
  },
  assert({ redirectUri, end }) {
    const { location, exchange } = requireRedirect(end);
    const returned = responseParameters(location);
    for (const [name, value] of responseParameters(redirectUri)) {
      const isKept = returned.some(([key, kept]) => key === name && kept === value);
      expectThat(isKept, `${name}=${value} in the query`, shown(location), exchange);
    }
    const hasError = returned.some(([name]) => name === "error");
    expectThat(hasError, "an error in the query", shown(location), exchange);
  },
});

/** The person decides, for every kind of request. Document, "GET /oauth/authorize", result. B-AUTHZ-10 judges the error. */
export const declinedChecks = [...declined, stateReturned, nonAsciiStateReturned, queryKept];
