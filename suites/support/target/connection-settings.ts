import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { createSecureContext } from "node:tls";
import { z } from "zod";
import { headerName, hostName, line, secretOrText } from "./profile-values.ts";

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/gu;

/** The parsed value is the content of the file. */
const certificates = line().transform((path, context) => {
  const text = contentOf(path, context);
  const found = text.match(certificate) ?? [];
  const problem = found.length === 0 ? "which holds no certificate in PEM form" : unreadable(found);
  if (problem === undefined || text === "") return found.join("\n");
  context.addIssue({ code: "custom", message: `refers to the file ${path}, ${problem}` });
  return z.NEVER;
});

/** Adds an issue and returns nothing when the file cannot be read. */
function contentOf(path: string, context: z.RefinementCtx): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    context.addIssue({
      code: "custom",
      message: `refers to the file ${path}, which cannot be read: ${reason}`,
    });
    return "";
  }
}

function unreadable(pems: readonly string[]): string | undefined {
  try {
    for (const pem of pems) void new X509Certificate(pem);
    return undefined;
  } catch (cause) {
    return `whose certificate cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}

export const caFile = certificates.describe(
  "A PEM file of authorities that are trusted beside the others, for a target whose certificates are of an authority of its own.",
);

/** The parsed value holds the contents of both files. */
export const clientCertificate = z
  .strictObject({
    cert_file: line().describe("The certificate, and those between it and its authority, as PEM."),
    key_file: line().describe("Its private key, as PEM, not encrypted."),
  })
  .transform(({ cert_file: certFile, key_file: keyFile }, context) => {
    const pair = { cert: contentOf(certFile, context), key: contentOf(keyFile, context) };
    if (pair.cert === "" || pair.key === "") return z.NEVER;
    try {
      createSecureContext(pair);
      return pair;
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const message = `${certFile} and ${keyFile} cannot be used together: ${reason}; expected a certificate and its key, both as PEM and not encrypted`;
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    }
  })
  .describe("Shown to the hosts of auth_url, api_url and mcp_url where they ask for one.");

// What the checks send themselves, and what HTTP needs.
const ownNames = [
  "accept-encoding",
  "authorization",
  "connection",
  "content-length",
  "content-type",
  "cookie",
  "host",
  "transfer-encoding",
];

const headerLines = z
  .record(
    headerName.refine((name) => !ownNames.includes(name.toLowerCase()), {
      error: "is a header that the checks send themselves; use another one",
    }),
    secretOrText,
  )
  .default({});

/** Header lines that every request to a listener carries. */
export const addedHeaders = z
  .strictObject({ auth: headerLines, api: headerLines, mcp: headerLines })
  .prefault({})
  .describe(
    "Header lines that every request to that origin of the target carries beside its own, such as the token of a gate in front of it.",
  );

export type AddedHeaders = z.output<typeof addedHeaders>;

type Listeners = Readonly<Record<`${"auth" | "api" | "mcp"}_url`, string>> & {
  readonly headers: AddedHeaders;
};

/** What goes to an origin carries the header lines of all its listeners. */
export function refuseContradictoryHeaders(profile: Listeners, context: z.RefinementCtx): void {
  const seen = new Map<string, string>();
  for (const listener of ["auth", "api", "mcp"] as const) {
    for (const [name, { text }] of Object.entries(profile.headers[listener])) {
      const key = `${URL.parse(profile[`${listener}_url`])?.origin} ${name.toLowerCase()}`;
      if ((seen.get(key) ?? text) === text) seen.set(key, text);
      else
        context.addIssue({
          code: "custom",
          path: ["headers", listener, name],
          message: "has another value for a listener of the same origin; write one value",
        });
    }
  }
}

const thisMachine = /^(?:.+\.)?localhost$/u;

const namedHost = hostName
  .refine((host) => isIP(host.replaceAll(/[[\]]/gu, "")) === 0, {
    error: "is an address already; expected a host name",
  })
  .refine((host) => !thisMachine.test(host), { error: "is this machine; expected another host name" });

export const resolvedHosts = z
  .record(
    namedHost,
    line((text) =>
      isIP(text) === 0 ? `expected an IP address such as 10.0.0.7, got ${JSON.stringify(text)}` : undefined,
    ),
  )
  .default({})
  .describe("Host name to IP address, in place of what a name server says.");
