import { controlRefused } from "../support/wire/control-refused.ts";
import { type Client } from "../support/actors/oauth-client.ts";
import { postRegister } from "../support/actors/registration.ts";
import { redirectUris, registrationMetadata } from "../support/material/registrations.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { isRefusal } from "../support/judging/expect.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError, Violation } from "../support/verdict.ts";

/** Metadata of a public client as the suite registers it, with some members replaced or added. */
export function publicMetadata(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    ...registrationMetadata({ redirect_uris: [redirectUris.main], token_endpoint_auth_method: "none" }),
    ...changes,
  };
}

export function confidentialMetadata(): Record<string, unknown> {
  return publicMetadata({ token_endpoint_auth_method: "client_secret_post" });
}

/** @throws {BlockedError} when the profile allows no dynamic registration */
export function requireRegistration(target: Target): void {
  if (target.profile.clients.registration === "dynamic" && target.profile.budget.registrations > 0) return;
  throw new BlockedError(
    "needs dynamic registration; allow it in the profile (clients.registration, budget.registrations)",
  );
}

export async function registerAs(target: Target, metadata: unknown): Promise<Exchange> {
  requireRegistration(target);
  return postRegister(target, metadata);
}

/** The registration of a public client with nothing wrong in it: one a run, the control of every refusal. */
export function publicRegistration(target: Target): Promise<Exchange> {
  return target.once("registration:public", (recording) => registerAs(recording, publicMetadata()));
}

/** The registration of a client that authenticates: one a run. */
export function confidentialRegistration(target: Target): Promise<Exchange> {
  return target.once("registration:confidential", (recording) =>
    registerAs(recording, confidentialMetadata()),
  );
}

/** The registration of a client that names no method to authenticate by: one a run. */
export function registrationWithoutMethod(target: Target): Promise<Exchange> {
  const { token_endpoint_auth_method: _method, ...metadata } = publicMetadata();
  return target.once("registration:without-method", (recording) => registerAs(recording, metadata));
}

/**
 * @throws {BlockedError} when the target registers public clients alone (RFC 7591 §2)
 * @throws {InconclusiveError} control-refused, when the response carries no client_secret
 */
export async function registrationWithSecret(target: Target): Promise<Exchange> {
  const exchange = await confidentialRegistration(target);
  if (requireRegistered(exchange).client_secret !== undefined) return exchange;
  if (jsonMembers(exchange)["token_endpoint_auth_method"] === "none")
    throw new BlockedError(
      "needs a target that registers confidential clients; this one registers public ones alone",
    );
  throw controlRefused(
    "registering a client for client_secret_post",
    "a registration with client_secret",
    exchange,
    "DCR-03/issued",
  );
}

/** @throws {InconclusiveError} control-refused, when the registration was not accepted */
export function requireRegistered(exchange: Exchange, redirectUri: string = redirectUris.main): Client {
  const { client_id, client_secret, token_endpoint_auth_method: method } = jsonMembers(exchange);
  if (!isSuccess(exchange) || typeof client_id !== "string") {
    throw controlRefused(
      "registering a client with nothing wrong in it",
      "201 with client_id",
      exchange,
      "DCR-01",
    );
  }
  const isConfidential = method === "client_secret_post" && typeof client_secret === "string";
  return { client_id, redirect_uris: [redirectUri], ...(isConfidential && { client_secret }) };
}

/**
 * Tries a registration that is to be refused, after the same without its flaw was accepted. It counts against the budget
 * only when the target accepts it, since a refusal leaves nothing behind.
 *
 * @throws {InconclusiveError} control-refused, when the registration without the flaw is refused too
 */
export async function registerFlawed(
  target: Target,
  body: string,
  contentType = "application/json",
): Promise<Exchange> {
  requireRegistered(await publicRegistration(target.control));
  const exchange = await target.send({
    method: "POST",
    url: `${target.authUrl}/oauth/register`,
    headers: [
      ["Content-Type", contentType],
      ["Accept", "application/json"],
    ],
    body,
  });
  if (isSuccess(exchange)) target.spend("registrations");
  return exchange;
}

/** A refusal with one of the codes of RFC 7591 §3.2.2. Its status is judged over the whole run (B-DCR-04/status). */
export function expectRegistrationRefused(exchange: Exchange, codes: readonly string[]): void {
  const { error } = jsonMembers(exchange);
  const isRefused = isRefusal(exchange);
  if (isRefused && typeof error === "string" && codes.includes(error)) return;
  throw new Violation(`a refusal with ${codes.join(" or ")}`, summary(exchange), {
    exchange,
    explainedBy: isRefused && typeof error !== "string" ? "ERR-01" : undefined,
  });
}

/** What became of a registration, for observations. */
export function outcome(exchange: Exchange, ...members: readonly string[]): string {
  const body = jsonMembers(exchange);
  const shown = members.map((name) => `${name} ${JSON.stringify(body[name]) ?? "absent"}`);
  if (isSuccess(exchange)) return ["registered", ...shown].join(", ");
  return isRefusal(exchange) ? `refused with ${summary(exchange)}` : `answered ${summary(exchange)}`;
}
