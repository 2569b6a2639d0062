import type { Target } from "../target/target.ts";
import { InconclusiveError } from "../verdict.ts";
import { type Exchange, isSuccess, jsonMembers } from "../wire/exchange.ts";
import type { Outgoing } from "../wire/http.ts";
import {
  type Client,
  codeExchange,
  newVerifier,
  postToken,
  registeredRedirectUri,
  unguessable,
} from "./oauth-client.ts";

/**
 * Registers a client (RFC 7591 §3.1), which the budget of the run counts, and waits until the target knows it.
 *
 * @throws {BlockedError} when the budget is spent
 */
export async function postRegister(target: Target, metadata: unknown): Promise<Exchange> {
  target.spend("registrations");
  const exchange = await target.send(registrationRequest(target, metadata));
  const client = clientOf(exchange);
  if (client === undefined) return exchange;
  const lagMs = await target.setup.once("registrations:lag", (recording) => lagOf(recording, client));
  if (lagMs > 0) await target.pause(lagMs);
  return exchange;
}

/** A client as far as its registration says so; undefined where there is none. */
function clientOf(exchange: Exchange): Client | undefined {
  const { client_id, client_secret, token_endpoint_auth_method: method } = jsonMembers(exchange);
  if (!isSuccess(exchange) || typeof client_id !== "string") return undefined;
  const secret = method !== "none" && typeof client_secret === "string" ? { client_secret } : {};
  return { client_id, redirect_uris: ["https://client.example/cb"], ...secret };
}

const longestLagMs = 5000;
// Doubled each time: where another reason makes the target refuse the client, a row of refusals might lock it.
const firstLagPollMs = 100;

/** How long it takes until the target knows a client that it has just registered. Zero where it never does. */
async function lagOf(target: Target, client: Client): Promise<number> {
  try {
    return await measuredLag(target, client);
  } catch (error) {
    if (!(error instanceof InconclusiveError)) throw error;
    // What keeps the token endpoint from answering is for its own checks to say.
    return 0;
  }
}

async function measuredLag(target: Target, client: Client): Promise<number> {
  const startedAtMs = performance.now();
  let lagMs = 0;
  for (
    let pollMs = firstLagPollMs;
    (await errorOfUnknownCode(target, client)) === "invalid_client";
    pollMs *= 2
  ) {
    if (lagMs > longestLagMs) return 0;
    await target.pause(pollMs);
    lagMs = performance.now() - startedAtMs;
  }
  // Others may take longer than this one.
  return 2 * lagMs;
}

/** What the token endpoint says of a code that was never issued: of the code, where it knows the client. */
export async function errorOfUnknownCode(target: Target, client: Client): Promise<unknown> {
  const redirect_uri = registeredRedirectUri(client);
  const code = { code: unguessable(), verifier: newVerifier(), client, redirect_uri };
  return jsonMembers(await postToken(target, codeExchange(code)))["error"];
}

/** What {@link postRegister} sends. */
export function registrationRequest(target: Target, metadata: unknown): Outgoing {
  return {
    method: "POST",
    url: `${target.authUrl}/oauth/register`,
    headers: [
      ["Content-Type", "application/json"],
      ["Accept", "application/json"],
    ],
    body: JSON.stringify(metadata),
  };
}
