import { endInWords } from "../support/judging/expected-code.ts";
import {
  type AuthorizationRequest,
  authorizationRequest,
  codeExchange,
  jmapResource,
  mcpResource,
  postToken,
  registeredRedirectUri,
} from "../support/actors/oauth-client.ts";
import { attempt, type Attempt, codeIn } from "../support/actors/authorization.ts";
import { responseParameter } from "../support/actors/client-redirects.ts";
import type { WhichHuman } from "../support/actors/human.ts";
import { type ClientKind, sharedClient } from "../support/material/clients.ts";
import { authorizingClient } from "../support/material/controls.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { type Parameters, replacing } from "../support/wire/parameters.ts";
import { codeSpans } from "../support/judging/code-spans.ts";
import { expectThat, isRefusalStatus } from "../support/judging/expect.ts";
import { expectAuthorizationRefused } from "../support/judging/refusals.ts";
import type { Target } from "../support/target/target.ts";
import { type Warning, Violation } from "../support/verdict.ts";
import type { Addresses } from "./near-miss.ts";

/** The error of a `resource` that is not accepted. Document, "Authentication", OAuth 2.0 path 6, and "Errors". */
export const mismatch = ["invalid_request"] as const;
/** The code that RFC 8707 §2 has for it. */
export const mismatchOfTheRfc = ["invalid_target"] as const;
/** What {@link expectResourceRefused} expects, after the subject of a claim. */
export const isRefusedAsResource = `is refused with ${codeSpans([...mismatch, ...mismatchOfTheRfc])}`;

/** A refusal for the `resource`. Which of the two codes it carries is judged by RES-26 alone. */
export function expectResourceRefused(seen: Attempt): Warning | undefined {
  try {
    return expectAuthorizationRefused(seen, [...mismatch, ...mismatchOfTheRfc]);
  } catch (error) {
    if (!(error instanceof Violation) || codeIn(seen.end) !== undefined) throw error;
    const { expected, observed, exchange, explainedBy = "RES-26" } = error;
    throw new Violation(expected, observed, { exchange, explainedBy });
  }
}

/** No code, and an end that is a decision about the request, whatever error it names. */
export function expectRefused(seen: Attempt): void {
  const { end } = seen;
  const isRefusal =
    end.kind === "redirect"
      ? codeIn(end) === undefined && responseParameter(end.location, "error") !== undefined
      : isRefusalStatus(end.exchange.response.status);
  expectThat(isRefusal, "a refusal", endInWords(seen), end.exchange);
}

/** How an authorization request ended, and the answer to the exchange of its code where there was one. */
export interface Outcome {
  readonly seen: Attempt;
  readonly exchange?: Exchange;
}

export interface ChangedRequest {
  readonly change: (parameters: Parameters) => Parameters;
  readonly client?: ClientKind;
  readonly human?: WhichHuman;
  /** The resource of the control, which `change` spoils. */
  readonly resource: string;
}

/**
 * A request that differs from one that was authorized in this run by what `change` does to its parameters, followed to
 * its end; a code that it yields is exchanged as if nothing were wrong.
 *
 * @throws {InconclusiveError} control-refused, when the unchanged request is refused too
 */
export async function attemptChanged(target: Target, request: ChangedRequest): Promise<Outcome> {
  const { change, client: kind = "public", human = "first", resource } = request;
  const client = await authorizingClient(target, kind, { resource }, human);
  return follow(target, authorizationRequest(target, client, { resource }), change, human);
}

/** A valid request for a resource, followed to its tokens. It has no control: it is one. */
export async function request(target: Target, resource: string): Promise<Outcome> {
  const client = await sharedClient(target, "public");
  return follow(target, authorizationRequest(target, client, { resource }), (parameters) => parameters);
}

async function follow(
  target: Target,
  { client, parameters, verifier }: AuthorizationRequest,
  change: ChangedRequest["change"],
  human: WhichHuman = "first",
): Promise<Outcome> {
  const seen = await attempt(target, { client, parameters: change(parameters) }, { human });
  const code = codeIn(seen.end);
  if (code === undefined) return { seen };
  target.spend("grants");
  const redirectUri = registeredRedirectUri(client);
  return {
    seen,
    exchange: await postToken(target, codeExchange({ code, client, verifier, redirect_uri: redirectUri })),
  };
}

/** The same with nothing but the value of `resource` changed, from the JMAP resource. */
export async function attemptResource(
  target: Target,
  value: string,
  kind: ClientKind = "public",
): Promise<Attempt> {
  const client = await authorizingClient(target, kind, { resource: jmapResource(target) });
  const { parameters } = authorizationRequest(target, client);
  return attempt(target, { client, parameters: replacing(parameters, "resource", value) });
}

/** Whether the document's list has the value, whatever the target's addresses have in common. */
export function isAccepted(target: Target, value: string): boolean {
  return value === jmapResource(target) || value === mcpResource(target);
}

export function addressesOf(target: Target, clientId: string): Addresses {
  const { authUrl, apiUrl, mcpUrl, profile } = target;
  return { authUrl, apiUrl, mcpUrl, clientId, agentUrnPrefix: profile.names.agent_urn_prefix };
}
