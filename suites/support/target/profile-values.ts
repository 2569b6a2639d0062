import { readFileSync } from "node:fs";
import { z } from "zod";
import { NamePatternError, parseNamePattern } from "./name-pattern.ts";

/** A text of one line for which `problemOf` finds no fault. */
export function line(problemOf: (text: string) => string | undefined = () => undefined): z.ZodString {
  return z.string().superRefine((text, context) => {
    const message = lineProblem(text) ?? problemOf(text);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });
}

function lineProblem(text: string): string | undefined {
  if (text.trim() === "") return "is empty; write a value or leave the key out";
  const control = /[\p{Cc}\u2028\u2029]/u.exec(text)?.[0];
  if (control !== undefined)
    return `contains ${codePoint(control)}, a ${/[\r\n\u2028\u2029]/u.test(control) ? "line break" : "control character"}; write it without`;
  if (text !== text.trim()) return `begins or ends with a space: ${JSON.stringify(text)}; remove it`;
  return undefined;
}

function codePoint(character: string): string {
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** What makes a text unusable as an http or https address; undefined when nothing does. */
function addressProblem(text: string): string | undefined {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#\\]*)/iu.exec(text)?.[1] ?? "";
  if (authority.includes("@"))
    return `has user information before ${JSON.stringify(authority.slice(authority.lastIndexOf("@") + 1))}; an address must not carry credentials, so write it without`;
  if (!/^https?:\/\//iu.test(text))
    return `expected an absolute http or https URL such as https://auth.example.com, got ${JSON.stringify(text)}`;
  if (/[\s\\]/u.test(text)) return `contains a space or a backslash: ${JSON.stringify(text)}`;
  const port = /:(\d+)$/u.exec(authority)?.[1];
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65535))
    return `names port ${port}, which does not exist; ports are 1 to 65535`;
  return URL.canParse(text) ? undefined : `is not an address that can be requested: ${JSON.stringify(text)}`;
}

/** As {@link addressProblem}, of an address to which paths are appended. */
function baseUrlProblem(text: string): string | undefined {
  const problem = addressProblem(text);
  if (problem !== undefined) return problem;
  const rest = /[?#].*$/su.exec(text)?.[0];
  if (rest !== undefined)
    return `has a ${rest.startsWith("?") ? "query" : "fragment"}, ${JSON.stringify(rest.slice(0, 40))}; paths are appended to this address, so write it without query and fragment`;
  if (text.endsWith("/"))
    return "has a trailing slash; the suite compares this text byte for byte, so write it as the target publishes it, without the slash";
  return undefined;
}

/** For editors that complete by the JSON Schema. */
const webAddress = { pattern: "^https?://" };

/** Below one of the target's own, as in `{auth_url}/test/clock`, or anywhere. */
const templatedAddress = { pattern: "^(https?://|\\{(auth|api|mcp)_url\\})" };

export const baseUrl = line(baseUrlProblem).meta(webAddress);

export const address = line(addressProblem).meta(templatedAddress);

export const origin = line((text) => {
  const problem = addressProblem(text);
  if (problem !== undefined) return problem;
  const expected = new URL(text).origin;
  return text === expected ? undefined : `is more than an origin; write ${JSON.stringify(expected)}`;
}).meta(webAddress);

/** Where documents appear that a target fetches over https. */
export const httpsBaseUrl = line((text) =>
  text.startsWith("https://")
    ? baseUrlProblem(text)
    : `expected an https address without a trailing slash, got ${JSON.stringify(text)}`,
).meta({ pattern: "^https://" });

/** A name or an address of a machine, as it stands in a URL that a parser has written. */
export const hostName = line((text) =>
  URL.parse(`https://${text}/`)?.hostname === text
    ? undefined
    : `is not a host name in lower case: ${JSON.stringify(text)}`,
);

const httpToken = /^[!#$%&'*+.^`|~\w-]+$/u;

export const headerName = line((text) =>
  httpToken.test(text) ? undefined : `is not a header name: ${JSON.stringify(text)}`,
);

/** A piece of an address, in which a space or a quote would end the whole. */
export const word = line((text) =>
  /[\s"<>]/u.test(text) ? `contains a space, a quote or a bracket: ${JSON.stringify(text)}` : undefined,
);

export const hexText = line((text) => {
  const wrong = /[^0-9a-f]/iu.exec(text)?.[0];
  if (wrong !== undefined)
    return `expected hexadecimal text, got ${JSON.stringify(wrong)} at character ${text.indexOf(wrong) + 1}; write the salt as the text that is hashed, digits 0-9 and a-f, without 0x`;
  return text.length % 2 === 0
    ? undefined
    : `expected hexadecimal text of whole bytes, got ${text.length} digits; is one missing?`;
}).meta({ pattern: "^([0-9a-fA-F]{2})+$" });

// A run signs up at most as many as its budget allows, and the next run finds the names of the former ones taken.
const leastBitsOfNames = 24;

/** A regular expression; the parsed value makes names of it. */
export const namePattern = line().transform((source, context) => {
  try {
    const pattern = parseNamePattern(source);
    if (pattern.bits >= leastBitsOfNames) return pattern;
    const message = `leaves about ${Math.round(2 ** pattern.bits)} names, which are soon taken; let it match at least ${2 ** leastBitsOfNames}`;
    context.addIssue({ code: "custom", message });
  } catch (error) {
    if (!(error instanceof NamePatternError)) throw error;
    context.addIssue({ code: "custom", message: error.message });
  }
  return z.NEVER;
});

/** `name=value` of a form field. */
export const assignment = line((text) =>
  /^[^=]+=/u.test(text)
    ? undefined
    : `expected name=value, got ${JSON.stringify(text)}; write the field's name, "=", and its value`,
).meta({ pattern: "^[^=]+=" });

export const redirectUri = line((text) => {
  if (!/^[a-z][a-z0-9+.-]*:./iu.test(text)) return `is not an absolute URI: ${JSON.stringify(text)}`;
  if (text.includes("#"))
    return "has a fragment, which RFC 6749 §3.1.2 rules out; write it as it is registered";
  return /^https?:/iu.test(text) ? addressProblem(text) : undefined;
});

/** A reference to a secret; the parsed value is the secret itself. */
export const secret = z
  .string()
  .regex(
    /^(env|file):.+/u,
    'expected a reference, "env:NAME" or "file:PATH": secrets do not stand in a profile',
  )
  .transform((reference, context) => {
    const found = resolveSecret(reference);
    if ("secret" in found) return found.secret;
    context.addIssue({ code: "custom", message: found.problem });
    return z.NEVER;
  });

/** A reference to a secret, or a text that is none. */
export interface SecretOrText {
  readonly text: string;
  readonly isSecret: boolean;
}

/** The value of a header line or of a variable: a reference to a secret, or the value itself. */
export const secretOrText = line((text) =>
  /^[\x20-\x7e]+$/u.test(text) ? undefined : "expected printable ASCII",
)
  .meta({ pattern: "^(?:(env|file):)?.+" })
  .transform((text, context): SecretOrText => {
    if (!/^(?:env|file):/u.test(text)) return { text, isSecret: false };
    const found = resolveSecret(text);
    if ("secret" in found) return { text: found.secret, isSecret: true };
    context.addIssue({ code: "custom", message: found.problem });
    return z.NEVER;
  });

function resolveSecret(reference: string): { secret: string } | { problem: string } {
  const at = reference.indexOf(":");
  const name = reference.slice(at + 1);
  if (reference.startsWith("env:")) {
    const value = process.env[name];
    const what = `refers to the environment variable ${name}`;
    return value === undefined
      ? { problem: `${what}, which is not set; export ${name}=…` }
      : usable(value, what, `export ${name}=…`);
  }
  const what = `refers to the file ${name}`;
  try {
    return usable(readFileSync(name, "utf8").trimEnd(), what, "write the secret into it");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return { problem: `${what}, which cannot be read: ${reason}` };
  }
}

/** The value itself stands in no message. */
function usable(value: string, what: string, fix: string): { secret: string } | { problem: string } {
  if (value.trim() === "") return { problem: `${what}, which is empty; ${fix}` };
  const control = /\p{Cc}/u.exec(value)?.[0];
  return control === undefined
    ? { secret: value }
    : { problem: `${what}, which contains ${codePoint(control)}, a control character; nobody can type that` };
}
