import { type Client, unguessable } from "../actors/oauth-client.ts";
import type { Profile } from "../target/profile.ts";
import type { Target } from "../target/target.ts";
import { BlockedError, InconclusiveError } from "../verdict.ts";
import { secretLasts } from "./client-secrets.ts";
import { publishedClient } from "./document-clients.ts";
import { keptOrRegistered, register } from "./register-client.ts";
import { type RegisteredKind, registrations } from "./registrations.ts";

export type ClientKind =
  | RegisteredKind
  /** A public client whose id is the https URL of its metadata document. */
  | "document"
  /** Registered by the operator, as the profile gives it. */
  | "operator";

/**
 * A client of that kind, the same for all checks of a run: the profile's own, or registered dynamically. No check changes it.
 *
 * @throws {BlockedError} when the profile neither gives one nor allows dynamic registration
 * @throws {InconclusiveError} control-refused, when the target does not register it
 */
export async function sharedClient(target: Target, kind: ClientKind): Promise<Client> {
  if (kind === "operator") return operatorsClient(target);
  const shared = await target.setup.once(keyOf(target, kind), (recording) => {
    if (kind === "document") return publishedClient(recording);
    if (target.place > 0) return register(recording, kind);
    return givenClient(recording, kind) ?? keptOrRegistered(recording, kind);
  });
  requireSecret(kind, shared);
  return kind === "confidential" ? withValidSecret(target, shared) : shared;
}

function isConfidential(kind: ClientKind): boolean {
  return kind in registrations && registrations[kind as RegisteredKind].token_endpoint_auth_method !== "none";
}

/** Under what a client is kept: for each place its own (see {@link Target.place}). */
function keyOf({ place }: Target, name: string): string {
  return `client ${place}:${name}`;
}

/** A target may register public clients alone, and confidential ones only for its operator (RFC 7591 §2, C-40). */
function requireSecret(kind: ClientKind, { client_secret: secret }: Client): void {
  if (isConfidential(kind) && secret === undefined)
    throw new BlockedError(
      "needs a confidential client, and the target registers public ones alone; give clients.confidential in the profile",
    );
}

/** The confidential client, registered again when the secret of the last one has ended, or is about to, by the target's clock. */
async function withValidSecret(
  target: Target,
  first: Client,
  seconds = renewSecretBeforeSeconds,
): Promise<Client> {
  if (first.secretEndsAtSeconds === undefined) return first;
  const key = keyOf(target, "confidential:living");
  const holder = await target.setup.once(key, () => Promise.resolve({ client: first }));
  return target.exclusively(key, async () => {
    if (!secretLasts(target, holder.client, seconds))
      holder.client = await register(target.setup, "confidential");
    return holder.client;
  });
}

/** Long enough for what a check does with a client, and short enough for secrets that live for minutes. */
const renewSecretBeforeSeconds = 60;

/** Registers the confidential client again where its secret ends sooner: one that lived for a year may have aged in the run. */
export async function renewSecretFor(target: Target, seconds: number): Promise<void> {
  if (target.profile.clients.registration === "dynamic")
    await withValidSecret(target, await sharedClient(target, "confidential"), seconds);
}

/**
 * A client of that kind for one purpose alone, where what happens to another grant of the same client would spoil it. Where
 * clients cannot be registered it is the profile's own.
 */
export async function clientFor(target: Target, kind: ClientKind, purpose: string): Promise<Client> {
  if (kind === "document") return target.setup.once(keyOf(target, `${kind}:${purpose}`), publishedClient);
  if (kind === "operator" || target.profile.clients.registration !== "dynamic")
    return sharedClient(target, kind);
  const client = await target.setup.once(keyOf(target, `${kind}:${purpose}`), (recording) =>
    register(recording, kind),
  );
  requireSecret(kind, client);
  return client;
}

/**
 * Lets a person decide about a client. Where the target remembers an earlier decision and asks nothing, they decide about a
 * new client instead.
 *
 * @throws {InconclusiveError} consent-skipped, when no client can be registered or the target still asks nothing
 */
export async function withUndecidedClient<Result>(
  target: Target,
  kind: ClientKind,
  client: Client,
  decide: (client: Client) => Promise<Result>,
): Promise<Result> {
  try {
    return await decide(client);
  } catch (error) {
    if (!(error instanceof InconclusiveError) || error.code !== "consent-skipped") throw error;
    return decide(await clientFor(target, kind, `decision:${unguessable()}`));
  }
}

/**
 * For what a shared client cannot stand in for.
 *
 * @param need - reads after "needs"
 * @throws {BlockedError} when the profile allows no dynamic registration
 */
export function requireDynamicRegistration({ profile }: Target, need = "a client of its own"): void {
  if (profile.clients.registration === "dynamic") return;
  throw new BlockedError(`needs ${need}; allow dynamic registration in the profile (clients.registration)`);
}

/**
 * A confidential client beside the one that most checks use.
 *
 * @throws {BlockedError} when clients cannot be registered
 * @throws {InconclusiveError} precondition-missing, when the two have the same id
 */
export async function secondConfidential(target: Target): Promise<Client> {
  requireDynamicRegistration(target, "a second confidential client");
  const second = await clientFor(target, "confidential", "second");
  const first = await sharedClient(target, "confidential");
  if (first.client_id !== second.client_id) return second;
  throw new InconclusiveError("precondition-missing", "needs two clients; both have the same id", {
    explainedBy: "DCR-05",
  });
}

/** A client beside the one that most checks use: one of its own, else the confidential one that the profile gives. */
export function clientBeside({ profile }: Target): "other" | "confidential" {
  return profile.clients.registration === "dynamic" ? "other" : "confidential";
}

function givenClient(target: Target, kind: RegisteredKind): Promise<Client> | undefined {
  const { clients } = target.profile;
  const isDynamic = clients.registration === "dynamic";
  const given =
    kind === "public" || (kind === "shared" && !isDynamic)
      ? clients.public
      : kind === "confidential"
        ? clients.confidential
        : undefined;
  if (given !== undefined) return Promise.resolve(given);
  requireDynamicRegistration(target, `a ${kind} client`);
  return undefined;
}

async function operatorsClient({ profile }: Target): Promise<Client> {
  const client = givenBy(profile.clients.operator);
  if (client !== undefined) return client;
  throw new BlockedError("needs a client that the operator registered; give clients.operator in the profile");
}

/** A client of the profile as the target knows it. */
export function givenBy(given: Profile["clients"]["operator"]): Client | undefined {
  if (given === undefined) return undefined;
  const { client_id, client_secret, redirect_uris } = given;
  return { client_id, redirect_uris, ...(client_secret !== undefined && { client_secret }) };
}

/** The client's registered URI, or blocked when a given client lacks it. */
export function requireRegistered(client: Client, uri: string): string {
  if (client.redirect_uris.includes(uri)) return uri;
  throw new BlockedError(
    `needs a client with the redirect_uri ${uri}; the client has ${client.redirect_uris.join(", ")}`,
  );
}
