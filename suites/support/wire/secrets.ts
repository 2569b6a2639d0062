import { createHmac, randomBytes } from "node:crypto";
import { type Exchange, formParameters, type HeaderLines, jsonBody } from "./exchange.ts";

/** Wire members whose value is a secret, or opens something while it is fresh. */
const secretMembers = new Set([
  "access_token",
  "refresh_token",
  "code",
  "code_verifier",
  "client_secret",
  "token",
  "apiKey",
  "password",
  "registration_access_token",
]);

// Short values would blank out ordinary words wherever they stand.
const shortestSecret = 8;

// Nearly every secret is one run of these characters. Looking runs up in a map keeps masking linear in the length of the
// text; one pattern with thousands of alternatives would not.
const run = /[\w.~%-]{8,}/gu;
const wholeRun = /^[\w.~%-]+$/u;
const jwt = /^eyJ[\w-]{5,}\.[\w-]*\.[\w-]*$/u;

// Learned from any header line or `token` parameter; the name under which the secret was issued says more.
const genericKinds = new Set(["authorization", "token", "cookie"]);

interface Secret {
  readonly kind: string;
  /** As it was issued; each spelling of a secret has the fingerprint of this. */
  readonly value: string;
  readonly spelling: "" | "percent-encoded" | "JSON-escaped";
}

/**
 * Replaces every secret of a run by a fingerprint, so that evidence can be shown and two rows still be correlated:
 * `<access_token 1a2b3c4d, 43 characters>`, and `…, 43 characters, percent-encoded>` where the secret is spelled so.
 */
export interface SecretMask {
  /** Learns the secrets that an exchange carries. */
  learn(exchange: Exchange): void;
  /** Learns a secret that is known from elsewhere, such as a password of the profile. */
  add(kind: string, value: string): void;
  text(text: string): string;
  exchange(exchange: Exchange): Exchange;
}

/** @param key - fingerprints are keyed, so that nobody can test guesses against a report; one key a run */
export function createSecretMask(key: Uint8Array = randomBytes(32)): SecretMask {
  const secrets = new Map<string, Secret>();
  /** Those with characters that no run has; few, so they are looked for one by one. */
  const oddSecrets = new Map<string, Secret>();

  function add(kind: string, value: string): void {
    if (value.length < shortestSecret) return;
    const known = secrets.get(value) ?? oddSecrets.get(value);
    if (known !== undefined && !genericKinds.has(known.kind)) return;
    const percentEncoded = encodeURIComponent(value.toWellFormed());
    const jsonEscaped = JSON.stringify(value).slice(1, -1);
    if (percentEncoded !== value) remember(percentEncoded, { kind, value, spelling: "percent-encoded" });
    if (jsonEscaped !== value) remember(jsonEscaped, { kind, value, spelling: "JSON-escaped" });
    remember(value, { kind, value, spelling: "" });
  }

  function remember(form: string, secret: Secret): void {
    (wholeRun.test(form) ? secrets : oddSecrets).set(form, secret);
  }

  function fingerprint({ kind, value, spelling }: Secret): string {
    const digest = createHmac("sha256", key).update(value).digest("hex").slice(0, 8);
    return `<${kind} ${digest}, ${value.length} characters${spelling && `, ${spelling}`}>`;
  }

  function fingerprintOf(piece: string): string | undefined {
    const secret = secrets.get(piece);
    if (secret !== undefined) return fingerprint(secret);
    return jwt.test(piece) ? fingerprint({ kind: "JWT", value: piece, spelling: "" }) : undefined;
  }

  function maskRun(piece: string): string {
    const masked = fingerprintOf(piece);
    if (masked !== undefined) return masked;
    // A URL inside a URL joins its parts by escapes such as %26.
    return piece.includes("%") ? piece.replaceAll(/[\w.~-]{8,}?(?=%|$)/gu, maskPart) : piece;
  }

  function maskPart(part: string): string {
    // The two hexadecimal digits of an escape stand before the part that it separates.
    const rest = fingerprintOf(part.slice(2));
    return fingerprintOf(part) ?? (rest === undefined ? part : part.slice(0, 2) + rest);
  }

  function text(plain: string): string {
    let masked = plain;
    for (const [form, secret] of oddSecrets) {
      if (masked.includes(form)) masked = masked.replaceAll(form, fingerprint(secret));
    }
    return masked.replaceAll(run, maskRun);
  }

  function learnMembers(value: unknown, depth = 0): void {
    if (typeof value !== "object" || value === null || depth > 8) return;
    for (const [name, member] of Object.entries(value)) {
      // `code` in JSON is an error code; authorization codes travel as parameters.
      if (typeof member === "string" && secretMembers.has(name) && name !== "code") add(name, member);
      else learnMembers(member, depth + 1);
    }
  }

  function learnParameters(encoded: string): void {
    for (const [name, value] of formParameters(encoded)) if (secretMembers.has(name)) add(name, value);
  }

  function learnHeaders(headers: HeaderLines): void {
    for (const [name, value] of headers) {
      const lower = name.toLowerCase();
      if (lower === "authorization") {
        const isBasic = /^basic\s/iu.test(value);
        add(isBasic ? "basic_credentials" : "authorization", value.replace(/^\S+\s+/u, ""));
      }
      if (lower === "cookie") for (const pair of value.split(";")) add("cookie", cookieValue(pair));
      // What follows the first pair are attributes.
      if (lower === "set-cookie") add("cookie", cookieValue(value.split(";", 1)[0] ?? ""));
      if (lower === "location" && value.includes("?")) learnParameters(value.slice(value.indexOf("?") + 1));
    }
  }

  const maskHeaders = (headers: HeaderLines): HeaderLines =>
    headers.map(([name, value]) => [name, text(value)]);

  return {
    add,
    text,
    learn(exchange) {
      const { request, response } = exchange;
      if (request.url.includes("?")) learnParameters(request.url.slice(request.url.indexOf("?") + 1));
      learnHeaders(request.headers);
      learnHeaders(response.headers);
      if (request.body.startsWith("{")) learnMembers(parsed(request.body));
      else if (request.body.includes("=")) learnParameters(request.body);
      learnMembers(jsonBody(exchange));
    },
    exchange: (exchange) => ({
      ...exchange,
      request: {
        ...exchange.request,
        url: text(exchange.request.url),
        headers: maskHeaders(exchange.request.headers),
        body: text(exchange.request.body),
      },
      response: {
        ...exchange.response,
        headers: maskHeaders(exchange.response.headers),
        body: text(exchange.response.body),
      },
    }),
  };
}

function cookieValue(pair: string): string {
  return pair.slice(pair.indexOf("=") + 1).trim();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A body that is malformed on purpose; values in it are still masked when they are known from elsewhere.
    return undefined;
  }
}
