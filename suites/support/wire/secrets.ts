import { createHmac, randomBytes } from "node:crypto";
import { type CutBody, type Exchange, type HeaderLines, jsonBody } from "./exchange.ts";
import { flat } from "./bounded-json.ts";
import { publicValuesIn, secretsIn } from "./issued-secrets.ts";
import { createSecretIndex, type Found, isShortWord } from "./secret-index.ts";
import { base64Pieces, type Spelling, spellingOf } from "./secret-spellings.ts";
import { shapedSecrets } from "./secret-shapes.ts";

// Learned from a place that many kinds of secret have; the name under which a secret was issued says more.
const genericKinds = new Set(["authorization", "token", "cookie"]);

// Shorter values in a request or an answer are words, or what a check made up.
const shortestLearned = 8;
// A target that hands out more than any service would must not use up the memory.
const mostSecrets = 100_000;

const nothing: readonly never[] = [];

interface Secret {
  kind: string;
  /** As it was issued; each spelling of a secret has the fingerprint of this. */
  readonly value: string;
  isGuess: boolean;
}

/**
 * Replaces every secret of a run by a fingerprint, so that evidence can be shown and two rows still be correlated:
 * `<access_token 1a2b3c4d, 43 characters>`, and `…, 43 characters, percent-encoded>` where the secret is spelled so.
 * Secrets are found wherever they stand in a text, in the encodings of URLs, HTML, JSON and base64.
 */
export interface SecretMask {
  /** Learns the secrets that an exchange carries. */
  learn(exchange: Exchange): void;
  /** Learns a secret that is known from elsewhere, such as a password of the profile. */
  add(kind: string, value: string): void;
  text(text: string): string;
  /** The same object when it holds no secret. */
  exchange(exchange: Exchange): Exchange;
  /**
   * The fingerprints of the secrets that a text holds. Short words are left out: a password such as `1234` is replaced where
   * it stands alone, and says nothing where it stands among our own numbers and words.
   */
  fingerprintsIn(text: string): ReadonlySet<string>;
}

/** @param key - fingerprints are keyed, so that nobody can test guesses against a report; one key a run */
export function createSecretMask(key: Uint8Array = randomBytes(32)): SecretMask {
  const secrets = new Map<string, Secret>();
  const index = createSecretIndex<Secret>();
  const publicValues = new Set<string>();
  const digests = new Map<string, string>();

  function add(kind: string, value: string, isGuess: boolean): void {
    if (value === "") return;
    const known = secrets.get(value);
    if (known !== undefined) {
      if (genericKinds.has(known.kind)) known.kind = kind;
      known.isGuess &&= isGuess;
      return;
    }
    if (secrets.size >= mostSecrets) return;
    const secret = { kind, value: flat(value), isGuess };
    secrets.set(secret.value, secret);
    index.add({ owner: secret, text: secret.value });
    for (const { text: piece, before } of base64Pieces(value)) {
      index.add({ owner: secret, text: piece, widenBy: before });
    }
    // A file ends in a newline, and a form or a target may cut off what surrounds a password.
    if (value.trim() !== value) add(kind, value.trim(), isGuess);
  }

  const isSecret = ({ isGuess, value }: Secret): boolean => !(isGuess && publicValues.has(value));

  function findAll(text: string): readonly Found<Secret>[] {
    const found = index.findIn(text);
    const formed = shapedSecrets(text);
    // Most texts are short header lines without any.
    if (found.length === 0 && formed.length === 0) return nothing;
    const known = found.filter(({ owner }) => isSecret(owner));
    const shaped = formed.map(({ kind, start, end }) => ({
      start,
      end,
      owner: { kind, value: text.slice(start, end), isGuess: false },
      isWidened: false,
    }));
    return [...known, ...shaped];
  }

  function digestOf(value: string): string {
    const known = digests.get(value);
    if (known !== undefined) return known;
    const digest = createHmac("sha256", key).update(value).digest("hex").slice(0, 8);
    if (digests.size < mostSecrets) digests.set(flat(value), digest);
    return digest;
  }

  function fingerprint({ kind, value }: Secret, spelling: Spelling): string {
    const digest = digestOf(value);
    return `<${kind} ${digest}, ${value.length} characters${spelling && `, ${spelling}`}>`;
  }

  function text(plain: string): string {
    const found = findAll(plain);
    if (found.length === 0) return plain;
    const pieces: string[] = [];
    let end = 0;
    for (const span of joined(found)) {
      const written = plain.slice(span.start, span.end);
      const spelling = span.isWidened ? "base64-encoded" : spellingOf(span.owner.value, written);
      pieces.push(plain.slice(end, span.start), fingerprint(span.owner, spelling));
      end = span.end;
    }
    return [...pieces, plain.slice(end)].join("");
  }

  /** A secret may begin where the body was cut; the characters that it could begin with there are left out as well. */
  function masked({ body, cut }: { readonly body: string; readonly cut?: CutBody }): string {
    return text(cut === undefined ? body : body.replace(/[\w.~%+/=-]{1,200}$/u, "…"));
  }

  function maskHeaders(headers: HeaderLines): HeaderLines {
    // Most lines hold none, and one search in all of them is faster than one in each.
    if (findAll(headers.flat().join("\n")).length === 0) return headers;
    const shown = headers.map((line): HeaderLines[number] => {
      const [name, value] = [text(line[0]), text(line[1])];
      return name === line[0] && value === line[1] ? line : [name, value];
    });
    return shown.every((line, at) => line === headers[at]) ? headers : shown;
  }

  return {
    add: (kind, value) => add(kind, value, false),
    text,
    fingerprintsIn(plain) {
      const owners = findAll(plain).map(({ owner }) => owner);
      return new Set(
        owners.filter(({ value }) => !isShortWord(value)).map((owner) => fingerprint(owner, "")),
      );
    },
    learn(exchange) {
      const json = jsonBody(exchange);
      for (const value of publicValuesIn(exchange, json))
        if (publicValues.size < mostSecrets) publicValues.add(flat(value));
      for (const { kind, value, isGuess } of secretsIn(exchange, json))
        if (value.length >= shortestLearned) add(kind, value, isGuess);
    },
    exchange(exchange) {
      const { request, response, ...rest } = exchange;
      const { outline, ...answer } = response;
      const sent = { url: text(request.url), headers: maskHeaders(request.headers), body: masked(request) };
      const received = { headers: maskHeaders(response.headers), body: masked(response) };
      const isUnchanged = outline === undefined && holds(request, sent) && holds(response, received);
      if (isUnchanged) return exchange;
      return { ...rest, request: { ...request, ...sent }, response: { ...answer, ...received } };
    },
  };
}

function holds<Part extends object>(whole: Part, part: Partial<Part>): boolean {
  return Object.entries(part).every(([name, value]) => Reflect.get(whole, name) === value);
}

/** Places that overlap become one, named after the longest. */
function joined(found: readonly Found<Secret>[]): Found<Secret>[] {
  const spans: Found<Secret>[] = [];
  for (const next of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = spans.at(-1);
    if (last === undefined || next.start >= last.end) {
      spans.push(next);
      continue;
    }
    const { owner, isWidened } = next.end - next.start > last.end - last.start ? next : last;
    spans[spans.length - 1] = { start: last.start, end: Math.max(last.end, next.end), owner, isWidened };
  }
  return spans;
}
