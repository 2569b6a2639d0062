import { requestChallenge, sessionRequest } from "../support/actors/agent.ts";
import {
  accountHeader,
  bearer,
  inboxQuery,
  jmapRequest,
  jsonContentType,
  requireServed,
} from "../support/actors/jmap.ts";
import {
  codeExchange,
  newVerifier,
  registeredRedirectUri,
  revocationRequest,
  tokenRequest,
  unguessable,
} from "../support/actors/oauth-client.ts";
import { registrationRequest } from "../support/actors/registration.ts";
import { check, type Need } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { provenAgent } from "../support/material/agent-controls.ts";
import { sharedClient } from "../support/material/clients.ts";
import { redeemableCode } from "../support/material/controls.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { answeredOrDropped } from "../support/target/unserved-host.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { isGatewayAnswer } from "../support/wire/disturbance.ts";
import { isSuccess, summary } from "../support/wire/exchange.ts";
import type { Outgoing } from "../support/wire/outgoing.ts";

// More than many frameworks and front ends take unless told otherwise: 100 kB to 1 MiB.
const paddingBytes = 1_200_000;

interface Place {
  readonly slug: string;
  /** Reads after "A". */
  readonly words: string;
  readonly needs?: readonly Need[];
  /**
   * Of a kind that was accepted in this run.
   *
   * @param padding - what a body is to hold beside what makes it a request, if only white space
   */
  readonly request: (target: Target) => Promise<(padding: string) => Outgoing>;
}

/** White space around JSON means nothing (RFC 8259 §2). */
const widened =
  (request: Outgoing) =>
  (padding: string): Outgoing => ({
    ...request,
    body: `${String(request.body)}${" ".repeat(padding.length)}`,
  });

const places: readonly Place[] = [
  {
    slug: "token-request",
    words: "token request",
    needs: ["human"],
    async request(target) {
      const { client } = await redeemableCode(target);
      const redirect_uri = registeredRedirectUri(client);
      const unknown = { code: unguessable(), redirect_uri, verifier: newVerifier(), client };
      return (padding) => tokenRequest(target, [...codeExchange(unknown), ["padding", padding]]);
    },
  },
  {
    slug: "revocation",
    words: "revocation",
    async request(target) {
      const { client_id } = await sharedClient(target, "public");
      const revoking = (padding: string): Outgoing =>
        revocationRequest(target, [
          ["client_id", client_id],
          ["token", `${unguessable()}${padding}`],
        ]);
      const control = await target.control.send(revoking(""));
      if (!isSuccess(control)) throw controlRefused("an ordinary revocation", "200", control, "REVOKE-06");
      return revoking;
    },
  },
  {
    slug: "registration",
    words: "registration",
    async request(target) {
      // A client of this kind is always registered, whatever clients the profile gives.
      await sharedClient(target, "other");
      // An array registers nothing, however long it is.
      return (padding) => registrationRequest(target, [padding]);
    },
  },
  {
    slug: "session-request",
    words: "session request",
    async request(target) {
      await provenAgent(target);
      const { jwt } = await requestChallenge(target.setup);
      return widened(sessionRequest(target, jwt, { powHex: "00", nonce: "0", apiKey: unguessable() }));
    },
  },
  {
    slug: "jmap-request",
    words: "JMAP request",
    needs: ["human"],
    async request(target) {
      const token = await sharedAccessToken(target);
      const headers = [bearer(token), accountHeader(target, await inboxOf(target)), jsonContentType];
      const request = jmapRequest(target, { headers, body: inboxQuery });
      requireServed(await target.control.send(request), "an inbox query");
      return widened(request);
    },
  },
];

/** How much a service takes is its own. That somebody sends more is not a reason to fail. */
export const largeBodyChecks = places.map(({ slug, words, needs = [], request }) =>
  check({
    id: `ERR-11/large-${slug}`,
    claim: `A ${words} of ${paddingBytes / 1_000_000} MB is not answered with 5xx, except by a gateway.`,
    needs,
    async act(target) {
      const padded = await request(target);
      return answeredOrDropped(
        target,
        () => target.send({ ...padded("m".repeat(paddingBytes)), mayBeLost: true }),
        () => target.control.send(padded("")),
      );
    },
    assert: (exchange) =>
      expectThat(
        exchange.response.status < 500 || isGatewayAnswer(exchange),
        "an answer below 500, or a connection that is closed",
        summary(exchange),
        exchange,
      ),
  }),
);
