import { readFileSync } from "node:fs";
import { z } from "zod";
import { withAddresses } from "./address-templates.ts";
import { clientMetadataSettings } from "./client-metadata-settings.ts";
import {
  addedHeaders,
  caFile,
  clientCertificate,
  refuseContradictoryHeaders,
  resolvedHosts,
} from "./connection-settings.ts";
import { consentSettings } from "./consent-settings.ts";
import { JsonTextError, parseJsonFile } from "./json-text.ts";
import { loadSettings } from "./load-settings.ts";
import { nodeSettings, refuseSharedNodePorts } from "./node-settings.ts";
import { hookSettings, internalUrls, operatorClient } from "./operator-settings.ts";
import {
  address,
  baseUrl,
  headerName,
  hexText,
  line,
  namePattern,
  origin,
  redirectUri,
  secret,
  word,
} from "./profile-values.ts";
import { ProfileError } from "./profile-error.ts";
import { startSettings } from "./start-settings.ts";
import { suggestion } from "./unknown-keys.ts";

/**
 * What a run may make of each. A run against a service with every key of the profile makes half of it; services that remember
 * a consent need more clients, since what is to be asked again needs a new one.
 */
export const defaultBudget = { registrations: 300, grants: 2400, sign_ups: 120 } as const;

const positive = z.number().positive();

const verdicts = ["pass", "fail", "warn", "observed", "inconclusive", "blocked"] as const;

type Human = { readonly name: string; readonly consent: { readonly username: string } };

/** Isolation between a person and themselves cannot hold. */
function refuseSamePerson(humans: readonly Human[], context: z.RefinementCtx): void {
  const keys = [
    { path: ["consent", "username"], of: (human: Human) => human.consent.username.toLowerCase() },
    { path: ["name"], of: (human: Human) => human.name },
  ];
  for (const { path, of } of keys) {
    const all = humans.map(of);
    for (const [at, value] of all.entries()) {
      const first = all.indexOf(value);
      if (first === at) continue;
      const message = `${JSON.stringify(value)} is already the person of humans.${first}; the isolation checks need two different people`;
      context.addIssue({ code: "custom", path: [at, ...path], message });
    }
  }
}

const profileKeys = z.strictObject({
  $schema: z.string().optional(),
  auth_url: baseUrl.describe("Base address of the authorization service."),
  api_url: baseUrl.describe("Base address of the mail API."),
  mcp_url: baseUrl.describe("Base address of the remote MCP server."),
  ca_file: caFile.optional(),
  client_certificate: clientCertificate.optional(),
  headers: addedHeaders,
  resolve: resolvedHosts,
  names: z
    .strictObject({
      account_header: headerName.default("X-Service-Account-Id"),
      agent_urn_prefix: word.default("urn:service:agent:"),
      mail_domain: word
        .optional()
        .describe(
          "Domain of the inboxes' addresses, when neither inboxId nor Identity/get shows an address.",
        ),
    })
    .prefault({})
    .describe("Names that the interface document leaves as placeholders."),
  sign_in_origins: z
    .array(origin)
    .min(1)
    .optional()
    .describe(
      "Where passwords may be typed. When left out: the target's own origins, and the one that its authorization endpoint sends the browser to first.",
    ),
  humans: z
    .array(
      z.strictObject({
        name: line(),
        inboxes: z
          .number()
          .int()
          .min(1)
          .default(1)
          .describe("The least number of inboxes that the person owns; the inbox list must show as many."),
        consent: consentSettings,
      }),
    )
    .superRefine(refuseSamePerson)
    .default([])
    .describe("People who own inboxes. Two for the isolation checks; the first owns two inboxes."),
  clients: z
    .strictObject({
      registration: z.enum(["dynamic", "none"]).default("dynamic"),
      public: z.strictObject({ client_id: line(), redirect_uris: z.array(redirectUri).min(1) }).optional(),
      confidential: z
        .strictObject({
          client_id: line(),
          client_secret: secret,
          redirect_uris: z.array(redirectUri).min(1),
        })
        .optional(),
      operator: operatorClient
        .optional()
        .describe("A client that the operator registered, for a published connector."),
      disabled: operatorClient.optional().describe("A client that the operator has disabled."),
    })
    .prefault({}),
  client_metadata: clientMetadataSettings
    .optional()
    .describe("Where mailproof can publish client-id metadata documents that the target fetches."),
  hooks: hookSettings
    .prefault({})
    .describe("What only the operator can do, by an HTTP request or a command; each unlocks checks."),
  internal_urls: internalUrls
    .optional()
    .describe(
      "Addresses of the internal endpoints that mint delegated capabilities, below auth_url, api_url or mcp_url.",
    ),
  registration_limit: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe(
      "Unlocks the checks that use up the registrations of this address. This many in a row must not all be accepted.",
    ),
  pow: z
    .strictObject({
      salt: hexText
        .optional()
        .describe("The salt as the hexadecimal text that is hashed, when it is a constant of the target."),
      salt_claim: line()
        .optional()
        .describe("The challenge claim that carries the salt; detected when neither is given."),
      max_difficulty: z
        .number()
        .int()
        .min(0)
        .max(30)
        .default(12)
        .describe("In bits; a higher difficulty blocks the checks that search for a proof of work."),
      username_prefix: word
        .optional()
        .describe(
          "Names of sign-ups are this and ten lower-case letters and digits, or what another usual policy asks for; `ct` when left out.",
        ),
      username: namePattern
        .optional()
        .describe(
          "A regular expression for the names of sign-ups, such as `ct-[a-z]{10}`, instead of the usual names.",
        ),
      api_key: secret.optional().describe("An existing agent's apiKey, to log in instead of signing up."),
    })
    .refine(({ username, username_prefix: prefix }) => username === undefined || prefix === undefined, {
      path: ["username"],
      error: "cannot be combined with username_prefix; give one of them",
    })
    .prefault({}),
  clock: z
    .strictObject({ advance_url: address })
    .optional()
    .describe('Where `POST {"advance_seconds": n}` moves the target\'s clock.'),
  credentials: z
    .union([z.literal(true), line()])
    .optional()
    .describe(
      "A file in which clients and agents are kept for the next run; true for one in the user's state directory.",
    ),
  start: startSettings
    .optional()
    .describe("Starts the target for each conformance run and stops it afterwards."),
  patience_seconds: positive.default(120).describe("The longest wait in real time that one check may take."),
  timeout_seconds: positive.max(600).default(30).describe("The longest time that one exchange may take."),
  revocation_propagation_seconds: z.number().min(0).max(130).default(5),
  challenge_max_age_seconds: positive
    .optional()
    .describe(
      "After this time a challenge without `exp` must have expired. When left out, this is not judged.",
    ),
  token_leeway_seconds: z
    .number()
    .min(0)
    .max(300)
    .default(60)
    .describe(
      "How long after its expiry an access token or a session JWT may still be accepted, since clocks differ.",
    ),
  code_max_age_seconds: positive
    .default(660)
    .describe("After this time an authorization code must have expired."),
  nodes: nodeSettings,
  budget: z
    .strictObject({
      registrations: z.number().int().min(0).default(defaultBudget.registrations),
      grants: z.number().int().min(0).default(defaultBudget.grants),
      sign_ups: z.number().int().min(0).default(defaultBudget.sign_ups),
      requests_per_second: positive.optional(),
      concurrency: z
        .number()
        .int()
        .min(1)
        .max(64)
        .default(12)
        .describe("Checks at the same time. A check of a race still sends its requests at once."),
    })
    .prefault({}),
  tolerate: z
    .strictObject({
      loopback_any_port: z
        .boolean()
        .default(false)
        .describe("RFC 8252 §7.3 instead of string equality for the ports of loopback addresses."),
    })
    .prefault({}),
  load: loadSettings.prefault({}).describe("What `mailproof load` may do, and what it measures against."),
  known: z
    .record(
      z.string(),
      z.strictObject({
        verdict: z.enum(verdicts),
        reason: z.string().min(1),
        issue: z.string().optional(),
        expires: z.iso.date().describe("YYYY-MM-DD; from that day on the entry is an error."),
      }),
    )
    .default({})
    .describe("By check id, the verdict that this target is known to get. These checks still run."),
});

/** What two keys say of each other. */
const profileSchema = profileKeys
  .superRefine(refuseContradictoryHeaders)
  .superRefine(refuseSharedNodePorts)
  .superRefine(({ auth_url: authUrl, sign_in_origins: origins = [] }, context) => {
    for (const [at, signIn] of origins.entries())
      if (authUrl.startsWith("https:") && !signIn.startsWith("https:"))
        context.addIssue({
          code: "custom",
          path: ["sign_in_origins", at],
          message: `${JSON.stringify(signIn)} is plain http while auth_url is https; no password is sent there, so list an https origin`,
        });
  });

/** How to reach a target: its addresses, its people, its limits. Secrets are resolved. */
export type Profile = z.output<typeof profileSchema>;
export type HumanProfile = Profile["humans"][number];

/**
 * @param content - a profile as parsed JSON
 * @param source - the file it came from, for messages
 * @throws {ProfileError} naming each entry that cannot be used, what was expected there and the likely fix
 */
export function parseProfile(content: unknown, source: string): Profile {
  const parsed = profileSchema.safeParse(withAddresses(content));
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues
    .flatMap(inMeantForm)
    .map((issue) => `  ${issue.path.join(".") || "(top level)"}: ${describe(issue)}`);
  throw new ProfileError([`the profile ${source} cannot be used:`, ...lines].join("\n"));
}

/** @throws {ProfileError} when the file is missing, is not JSON or is not a profile */
export function loadProfile(path: string): Profile {
  return parseProfile(readProfile(path), path);
}

/**
 * The content of a profile as parsed JSON.
 *
 * @throws {ProfileError} when the file is missing or is not JSON
 */
export function readProfile(path: string): unknown {
  if (/^https?:\/\//iu.test(path)) {
    throw new ProfileError(
      `${path} is an address, and a profile is a file that names the addresses of a target; ` +
        `\`mailproof init --auth ${path}\` writes one`,
    );
  }
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    const advice = isMissing ? "; `mailproof init` writes one" : "";
    throw new ProfileError(`the profile cannot be read: ${reason}${advice}`, { cause });
  }
  try {
    return parseJsonFile(bytes);
  } catch (cause) {
    if (!(cause instanceof JsonTextError)) throw cause;
    throw new ProfileError(`the profile ${path} is not JSON that can be used: ${cause.message}`, { cause });
  }
}

/** The JSON Schema (2020-12) of the profile file, for editors. */
export function profileJsonSchema(): unknown {
  return z.toJSONSchema(profileSchema, { io: "input" });
}

/** Of a value that may have one of several forms: what is wrong with the one that it has. */
function inMeantForm(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const meant = issue.errors.find((issues) => !issues.some(isOfOtherForm));
  return meant === undefined
    ? [issue]
    : meant.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

function isOfOtherForm({ code, path }: z.core.$ZodIssue): boolean {
  return path.length === 0 && (code === "invalid_type" || code === "invalid_value");
}

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") {
    return issue.keys
      .map((key) => `unknown key ${JSON.stringify(key)}${suggestion(key, profileJsonSchema())}`)
      .join("; ");
  }
  if (issue.code === "invalid_key") return issue.issues.map(describe).join("; ");
  if (issue.code === "invalid_type" && issue.message.endsWith("received undefined")) {
    const example = examples[String(issue.path.at(-1))];
    return example === undefined ? `is missing; expected ${issue.expected}` : `is missing; give ${example}`;
  }
  return issue.message;
}

/** For keys that are often forgotten. */
const examples: Readonly<Record<string, string>> = {
  auth_url: 'the service\'s address, such as "https://auth.example.com"',
  api_url: 'the address of the mail API, such as "https://api.example.com"',
  mcp_url: 'the address of the MCP server, such as "https://mcp.example.com"',
  expires: 'a day as YYYY-MM-DD, such as "2027-01-31"',
  reason: 'why it is so, such as "fixed in the next release"',
};
