import { readFileSync } from "node:fs";
import { z } from "zod";
import { loadSettings } from "./load-settings.ts";

/** What cannot be used as a profile. The message says where and how to mend it. */
export class ProfileError extends Error {
  override readonly name = "ProfileError";
}

const baseUrl = z
  .string()
  .regex(
    /^https?:\/\/[^/?#\s]+(\/[^?#\s]*)?$/u,
    "expected an absolute http or https URL without query or fragment, such as https://auth.example.com",
  )
  .refine(
    (url) => !url.endsWith("/"),
    "has a trailing slash; the suite compares this text byte for byte, so write it as the target publishes it, without the slash",
  );

const secret = z
  .string()
  .regex(
    /^(env|file):.+/u,
    'expected a reference, "env:NAME" or "file:PATH": secrets do not stand in a profile',
  )
  .transform((reference, context) => {
    const value = resolveSecret(reference);
    if (typeof value === "string") return value;
    context.addIssue({ code: "custom", message: value.problem });
    return z.NEVER;
  });

function resolveSecret(reference: string): string | { problem: string } {
  const [kind, name] = [
    reference.slice(0, reference.indexOf(":")),
    reference.slice(reference.indexOf(":") + 1),
  ];
  if (kind === "env") {
    return (
      process.env[name] ?? {
        problem: `refers to the environment variable ${name}, which is not set; export ${name}=…`,
      }
    );
  }
  try {
    return readFileSync(name, "utf8").trimEnd();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return { problem: `refers to the file ${name}, which cannot be read: ${reason}` };
  }
}

const positive = z.number().positive();

const verdicts = ["pass", "fail", "warn", "observed", "inconclusive", "blocked"] as const;

const formConsent = z.strictObject({
  driver: z.literal("form").describe("Follows redirects and fills HTML forms over HTTP."),
  username: z.string(),
  password: secret,
  sign_in_with: z
    .string()
    .optional()
    .describe(
      "Text of the link or button of the identity provider to sign in with, where there is a choice.",
    ),
  approve: z.string().optional().describe("Text of the button that approves, when it is not recognised."),
  deny: z.string().optional().describe("Text of the button that denies, when it is not recognised."),
  read_only: z
    .string()
    .optional()
    .describe(
      "`name=value` of the form field that narrows the grant to mail.read, when it is not recognised.",
    ),
});

const profileSchema = z.strictObject({
  $schema: z.string().optional(),
  auth_url: baseUrl.describe("Base address of the authorization service."),
  api_url: baseUrl.describe("Base address of the mail API."),
  mcp_url: baseUrl.describe("Base address of the remote MCP server."),
  names: z
    .strictObject({
      account_header: z.string().default("X-Service-Account-Id"),
      agent_urn_prefix: z.string().default("urn:service:agent:"),
      mail_domain: z
        .string()
        .optional()
        .describe(
          "Domain of the inboxes' addresses, when neither inboxId nor Identity/get shows an address.",
        ),
    })
    .prefault({})
    .describe("Names that the interface document leaves as placeholders."),
  humans: z
    .array(z.strictObject({ name: z.string(), consent: formConsent }))
    .default([])
    .describe("People who own inboxes. Two for the isolation checks; the first owns two inboxes."),
  clients: z
    .strictObject({
      registration: z.enum(["dynamic", "none"]).default("dynamic"),
      public: z.strictObject({ client_id: z.string(), redirect_uris: z.array(z.string()).min(1) }).optional(),
      confidential: z
        .strictObject({
          client_id: z.string(),
          client_secret: secret,
          redirect_uris: z.array(z.string()).min(1),
        })
        .optional(),
    })
    .prefault({}),
  pow: z
    .strictObject({
      salt: z
        .string()
        .optional()
        .describe("The salt as the hexadecimal text that is hashed, when it is a constant of the target."),
      salt_claim: z
        .string()
        .optional()
        .describe("The challenge claim that carries the salt; detected when neither is given."),
      max_difficulty: z
        .number()
        .int()
        .min(0)
        .max(30)
        .default(12)
        .describe("In bits; a higher difficulty blocks the checks that search."),
      username_prefix: z
        .string()
        .default("ct")
        .describe("Sign-ups are named this and ten lower-case letters and digits."),
      api_key: secret.optional().describe("An existing agent's apiKey, to log in instead of signing up."),
    })
    .prefault({}),
  clock: z
    .strictObject({ advance_url: z.string().regex(/^https?:\/\//u) })
    .optional()
    .describe('Where `POST {"advance_seconds": n}` moves the target\'s clock.'),
  patience_seconds: positive.default(120).describe("The longest wait in real time that one check may take."),
  timeout_seconds: positive.max(600).default(30).describe("For one exchange."),
  revocation_propagation_seconds: z.number().min(0).max(130).default(5),
  code_max_age_seconds: positive.default(660).describe("After it an authorization code must be dead."),
  budget: z
    .strictObject({
      registrations: z.number().int().min(0).default(80),
      grants: z.number().int().min(0).default(600),
      sign_ups: z.number().int().min(0).default(20),
      requests_per_second: positive.optional(),
    })
    .prefault({}),
  tolerate: z
    .strictObject({
      loopback_any_port: z
        .boolean()
        .default(false)
        .describe("RFC 8252 §7.3 instead of string equality for ports of loopback literals."),
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
    .describe("Check id to the verdict that this target is known to get. Known checks still run."),
});

/** How to reach a target: its addresses, its people, its limits. Secrets are resolved. */
export type Profile = z.output<typeof profileSchema>;
export type HumanProfile = Profile["humans"][number];
export type FormConsent = z.output<typeof formConsent>;
export type KnownResult = Profile["known"][string];

/**
 * @param content - a profile as parsed JSON
 * @param source - the file it came from, for messages
 * @throws {ProfileError} naming each entry that cannot be used, what was expected there and the likely mend
 */
export function parseProfile(content: unknown, source: string): Profile {
  const parsed = profileSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(
    (issue) => `  ${issue.path.join(".") || "(top level)"}: ${describe(issue)}`,
  );
  throw new ProfileError([`the profile ${source} cannot be used:`, ...lines].join("\n"));
}

/** @throws {ProfileError} when the file is missing, is no JSON or is no profile */
export function loadProfile(path: string): Profile {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ProfileError(`the profile cannot be read: ${reason}`, { cause });
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ProfileError(`the profile ${path} is not JSON: ${reason}`, { cause });
  }
  return parseProfile(content, path);
}

/** The JSON Schema (2020-12) of the profile file, for editors. */
export function profileJsonSchema(): unknown {
  return z.toJSONSchema(profileSchema, { io: "input" });
}

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => `unknown key ${JSON.stringify(key)}${suggestion(key)}`).join("; ");
  }
  return issue.message;
}

function suggestion(key: string): string {
  const near = knownKeys(profileJsonSchema()).find(
    (candidate) => normalised(candidate) === normalised(key) || editDistance(candidate, key) <= 2,
  );
  return near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
}

function normalised(key: string): string {
  return key.replaceAll(/[-_]/gu, "").toLowerCase();
}

function knownKeys(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]: [string, unknown]) => [
    ...(name === "properties" && typeof value === "object" && value !== null ? Object.keys(value) : []),
    ...knownKeys(value),
  ]);
}

export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      next.push(
        Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)),
      );
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
