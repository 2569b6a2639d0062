import { controlRefused } from "../wire/control-refused.ts";
import type { Client } from "../actors/oauth-client.ts";
import { errorOfUnknownCode, postRegister } from "../actors/registration.ts";
import { type Exchange, header, jsonMembers } from "../wire/exchange.ts";
import { gatewayRefusals } from "../wire/stopped-by-gateway.ts";
import type { Topic } from "../target/notes.ts";
import type { Target } from "../target/target.ts";
import { InconclusiveError } from "../verdict.ts";
import {
  type RegisteredKind,
  type Registration,
  registrationMetadata,
  registrations,
} from "./registrations.ts";

/** Ids of clients that an earlier run registered. */
export const keptClients: Topic<string> = { name: "clients of an earlier run" };

/** The client of that kind that an earlier run kept, where the target still knows it, else a new one. */
export async function keptOrRegistered(target: Target, kind: RegisteredKind): Promise<Client> {
  // What a client may ask for is in the answer to its registration, which checks read.
  if ("scope" in registrations[kind]) return register(target, kind);
  const { credentials } = target;
  const kept = credentials?.takeClient(kind, registrations[kind]);
  if (kept !== undefined) target.note(keptClients, kept.client_id);
  if (kept !== undefined && (await isKnown(target, kept))) return kept;
  const client = await register(target, kind);
  credentials?.keepClient(kind, registrations[kind], client);
  return client;
}

/** Whether the token endpoint still knows a client: then it refuses a code that was never issued, and not the client. */
async function isKnown(target: Target, client: Client): Promise<boolean> {
  return (await errorOfUnknownCode(target, client)) === "invalid_grant";
}

/** @throws {InconclusiveError} control-refused, when the target does not register it */
export async function register(target: Target, kind: RegisteredKind): Promise<Client> {
  const wanted: Registration = registrations[kind];
  const [first = "", ...others] = wanted.redirect_uris;
  const exchange = await postRegister(target, registrationMetadata(wanted));
  if (others.length === 0 || !isRefused(exchange)) return clientIn(target, exchange, kind, wanted);
  // Some targets register one redirect_uri for a client, or none with a query (RFC 7591 §2 leaves their policy open).
  const fewer = { ...wanted, redirect_uris: [first] };
  return clientIn(target, await postRegister(target, registrationMetadata(fewer)), kind, fewer);
}

function isRefused({ response: { status } }: Exchange): boolean {
  return status >= 400 && status < 500 && !gatewayRefusals.includes(status);
}

/** The target lets no client have the redirect_uri that it was to be registered with. */
export class RedirectUriRefused extends InconclusiveError {}

/** @throws {InconclusiveError} control-refused, when the target did not register the client */
function clientIn(
  target: Target,
  exchange: Exchange,
  kind: RegisteredKind,
  registration: Registration,
): Client {
  const { client_id, client_secret, token_endpoint_auth_method: method } = jsonMembers(exchange);
  // The answer says what was registered, whatever was asked for (RFC 7591 §3.2.1, C-40).
  const needsSecret = method !== "none" && registration.token_endpoint_auth_method === "client_secret_post";
  const isConfidential = needsSecret || method === "client_secret_post";
  if (
    ![200, 201].includes(exchange.response.status) ||
    typeof client_id !== "string" ||
    (needsSecret && typeof client_secret !== "string")
  ) {
    if (kind.startsWith("native") && isRefused(exchange))
      throw new RedirectUriRefused(
        "control-refused",
        "no client with a loopback redirect_uri was registered",
        {
          exchange,
          explainedBy: "DCR-01",
        },
      );
    throw controlRefused(
      `registering a ${kind} client`,
      `201 with client_id${needsSecret ? " and client_secret" : ""}`,
      exchange,
      "DCR-01",
    );
  }
  return {
    client_id,
    redirect_uris: keptUris(registration.redirect_uris, jsonMembers(exchange)["redirect_uris"]),
    // A client of the method none sends no secret, though it is given one; DCR-02 judges that.
    ...(isConfidential && typeof client_secret === "string" ? { client_secret } : {}),
    ...(isConfidential && secretEnd(target, exchange)),
  };
}

/** A target may keep the first of them alone (RFC 7591 §3.2.1). One that leaves them out of its answer has kept all. */
function keptUris(sent: readonly string[], answered: unknown): readonly string[] {
  const kept = sent.filter((uri) => Array.isArray(answered) && answered.includes(uri));
  return kept.length > 0 ? kept : sent;
}

function secretEnd(target: Target, exchange: Exchange): Pick<Client, "secretEndsAtSeconds"> {
  const { client_secret_expires_at: endsAt, client_id_issued_at: issuedAt } = jsonMembers(exchange);
  // 0: never.
  if (typeof endsAt !== "number" || endsAt <= 0) return {};
  const sent = Date.parse(header(exchange, "Date") ?? "") / 1000;
  const now = typeof issuedAt === "number" ? issuedAt : Number.isNaN(sent) ? Date.now() / 1000 : sent;
  return { secretEndsAtSeconds: target.elapsedSeconds() + endsAt - now };
}
