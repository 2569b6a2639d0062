import { withoutCode } from "../support/judging/expected-code.ts";
import { authorizationRequest, type Client } from "../support/actors/oauth-client.ts";
import { attempt, type Attempt, codeIn } from "../support/actors/authorization.ts";
import { sharedClient } from "../support/material/clients.ts";
import { authorizingClient } from "../support/material/controls.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import type { Parameters } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";

/**
 * A request that differs from one that was authorized in this run by what `change` does to its parameters, followed to
 * its end.
 *
 * @throws {InconclusiveError} control-refused, when the unchanged request is refused too
 */
export async function attemptChanged(
  target: Target,
  change: (parameters: Parameters, client: Client) => Parameters,
): Promise<Attempt> {
  const client = await authorizingClient(target);
  const { parameters } = authorizationRequest(target, client);
  return attempt(target, { client, parameters: change(parameters, client) });
}

/** The same for a `client_id` that names no client: nothing counts as registered, any redirect is one too many. */
export async function attemptUnregistered(
  target: Target,
  change: (parameters: Parameters, client: Client) => Parameters,
): Promise<Attempt> {
  const client = await authorizingClient(target);
  const { parameters } = authorizationRequest(target, client);
  return attempt(target, { client: { redirect_uris: [] }, parameters: change(parameters, client) });
}

/** A valid request that a person approves, followed to its end whatever that is: one for all checks of a run. */
export function approvedAttempt(target: Target): Promise<Attempt> {
  return target.once("authorize:approved", async (recording) => {
    recording.spend("grants");
    const client = await sharedClient(recording, "public");
    return attempt(recording, authorizationRequest(recording, client));
  });
}

/**
 * The same for checks that look at what comes beside the code.
 *
 * @throws {InconclusiveError} control-refused, when valid requests yield no code, which AUTHZ-09 judges
 */
export async function successfulAttempt(target: Target): Promise<Attempt> {
  await authorizingClient(target);
  return approvedAttempt(target);
}

/**
 * The redirect that carries the code.
 *
 * @throws {Violation} when there is none, which AUTHZ-09/code judges by itself
 */
export function expectCodeRedirect(seen: Attempt): { location: string; exchange: Exchange } {
  const { end } = seen;
  if (end.kind === "redirect" && codeIn(end) !== undefined)
    return { location: end.location, exchange: end.exchange };
  throw withoutCode(seen);
}

/** A library may normalize the URL (RFC 3986 §6.2): what a browser asks for, and what the client reads, is the same. */
export function leadsTo(location: string, uri: string): boolean {
  if (location.startsWith(uri)) return true;
  const [there, asked] = [URL.parse(location), URL.parse(uri)];
  if (there === null || asked === null) return false;
  const isSamePlace = (["protocol", "host", "pathname"] as const).every(
    (part) => there[part] === asked[part],
  );
  return isSamePlace && [...asked.searchParams].every(([name, value]) => there.searchParams.has(name, value));
}
