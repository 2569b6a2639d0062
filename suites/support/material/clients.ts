import { controlRefused } from "../wire/control-refused.ts";
import {
  type Client,
  codeExchange,
  newVerifier,
  postRegister,
  postToken,
  registeredRedirectUri,
  unguessable,
} from "../actors/oauth-client.ts";
import { type Exchange, header, jsonMembers } from "../wire/exchange.ts";
import { gatewayRefusals } from "../wire/stopped-by-gateway.ts";
import type { Profile } from "../target/profile.ts";
import type { Target, Topic } from "../target/target.ts";
import { BlockedError, InconclusiveError } from "../verdict.ts";

/** What the suites register. `.test` and `.example` never resolve (RFC 6761): no answer ever reaches a third party. */
export const redirectUris = {
  main: "https://cb.example.test/oauth/cb",
  withQuery: "https://cb.example.test/second?tenant=7",
  withTrailingSlash: "https://cb.example.test/slash/",
  punycode: "https://xn--bcher-kva.example/cb",
  percentEncoded: "https://cb.example.test/caf%C3%A9",
  twoParameters: "https://cb.example.test/pair?a=1&b=2",
  loopback: "http://127.0.0.1:8123/cb",
} as const;

interface Registration {
  readonly redirect_uris: readonly string[];
  readonly token_endpoint_auth_method: "none" | "client_secret_post";
  readonly scope?: string;
}

const registrations = {
  public: { redirect_uris: [redirectUris.main, redirectUris.withQuery], token_endpoint_auth_method: "none" },
  confidential: {
    redirect_uris: [redirectUris.main, redirectUris.withQuery],
    token_endpoint_auth_method: "client_secret_post",
  },
  /** For grants that no check destroys: some targets let one person's grants to one client stand and fall together. */
  shared: {
    redirect_uris: [redirectUris.main, redirectUris.withQuery],
    token_endpoint_auth_method: "none",
  },
  /** A second public client with the same redirect_uri, to tell clients apart by nothing else. */
  other: { redirect_uris: [redirectUris.main], token_endpoint_auth_method: "none" },
  /** Spellings that only an exact comparison keeps apart. */
  spellings: {
    redirect_uris: [
      redirectUris.withTrailingSlash,
      redirectUris.punycode,
      redirectUris.percentEncoded,
      redirectUris.twoParameters,
    ],
    token_endpoint_auth_method: "none",
  },
  native: { redirect_uris: [redirectUris.loopback], token_endpoint_auth_method: "none" },
  nativeConfidential: {
    redirect_uris: [redirectUris.loopback],
    token_endpoint_auth_method: "client_secret_post",
  },
  readOnly: { redirect_uris: [redirectUris.main], token_endpoint_auth_method: "none", scope: "mail.read" },
  readOnlyConfidential: {
    redirect_uris: [redirectUris.main],
    token_endpoint_auth_method: "client_secret_post",
    scope: "mail.read",
  },
  sendOnly: { redirect_uris: [redirectUris.main], token_endpoint_auth_method: "none", scope: "mail.send" },
} as const satisfies Record<string, Registration>;

type RegisteredKind = keyof typeof registrations;

export type ClientKind =
  | RegisteredKind
  /** A public client whose id is the https URL of its metadata document. */
  | "document"
  /** Registered by the operator, as the profile gives it. */
  | "operator";

/** What a registration sends, beside what the kind of client decides. */
export function registrationMetadata(registration: Registration): Record<string, unknown> {
  return {
    client_name: "mailproof",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    // A server may have a default of its own where a client names none (RFC 7591 §2).
    scope: "mail.read mail.send",
    ...registration,
  };
}

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
  return kind === "confidential" ? withLivingSecret(target, shared) : shared;
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

/** The confidential client, registered anew when the secret of the last one has ended, or is about to, by the target's clock. */
async function withLivingSecret(
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

/** Whether a secret can be used for so many seconds more. */
export function secretLasts(target: Target, { secretEndsAtSeconds }: Client, seconds: number): boolean {
  return secretEndsAtSeconds === undefined || target.elapsedSeconds() + seconds < secretEndsAtSeconds;
}

/** Registers the confidential client anew where its secret ends sooner: one that lived for a year may have aged in the run. */
export async function renewSecretFor(target: Target, seconds: number): Promise<void> {
  if (target.profile.clients.registration === "dynamic")
    await withLivingSecret(target, await sharedClient(target, "confidential"), seconds);
}

/** @throws {BlockedError} when the secret of a client ends sooner, as a target may decide (RFC 7591 §3.2.1) */
export function requireLastingSecret(target: Target, client: Client, seconds: number): void {
  if (secretLasts(target, client, seconds)) return;
  throw new BlockedError(
    `needs a client whose secret lives for ${seconds} s; that of ${client.client_id} ends sooner`,
  );
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
 * Lets a person decide about a client, and about a new one where the target remembers an earlier consent and asks nothing.
 *
 * @throws {InconclusiveError} consent-skipped, when no client can be registered or the target still asks nothing
 */
export async function decidedAnew<Result>(
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
 * A confidential client beside the one that most checks use.
 *
 * @throws {BlockedError} when clients cannot be registered
 * @throws {InconclusiveError} precondition-missing, when the two have the same id
 */
export async function secondConfidential(target: Target): Promise<Client> {
  if (target.profile.clients.registration !== "dynamic")
    throw new BlockedError("needs a second confidential client; allow dynamic registration in the profile");
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
  if (isDynamic) return undefined;
  throw new BlockedError(
    `needs a ${kind} client; allow dynamic registration in the profile (clients.registration)`,
  );
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

/** The metadata document of {@link documentClient}. */
export function clientDocument(url: string): Record<string, unknown> {
  const { client_id, redirect_uris } = documentClient(url);
  return { client_id, ...registrationMetadata({ redirect_uris, token_endpoint_auth_method: "none" }) };
}

/**
 * The public client whose metadata document is at an address. Its redirect_uri is beside it: a target may ask that both have
 * one origin (draft-ietf-oauth-client-id-metadata-document-01 §4.1).
 */
export function documentClient(url: string): Client {
  return { client_id: url, redirect_uris: [new URL("oauth/cb", url).href] };
}

async function publishedClient(target: Target): Promise<Client> {
  return documentClient(await target.documents.publish(clientDocument));
}

/** Ids of clients that an earlier run registered. */
export const keptClients: Topic<string> = { name: "clients of an earlier run" };

async function keptOrRegistered(target: Target, kind: RegisteredKind): Promise<Client> {
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
  const code = {
    code: unguessable(),
    verifier: newVerifier(),
    client,
    redirect_uri: registeredRedirectUri(client),
  };
  const { error } = jsonMembers(await postToken(target, codeExchange(code)));
  return error === "invalid_grant";
}

async function register(target: Target, kind: RegisteredKind): Promise<Client> {
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

/** The client's registered URI, or blocked when a given client lacks it. */
export function requireRegistered(client: Client, uri: string): string {
  if (client.redirect_uris.includes(uri)) return uri;
  throw new BlockedError(
    `needs a client with the redirect_uri ${uri}; the client has ${client.redirect_uris.join(", ")}`,
  );
}
