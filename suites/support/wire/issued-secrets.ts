import { membersOf } from "./bounded-json.ts";
import { type Exchange, formParameters, type HeaderLines, isJsonObject } from "./exchange.ts";

/** A value that an exchange carries and that opens something, or opens it while it is fresh. */
export interface CarriedSecret {
  /** What it is: a word, used as part of a variable's name. */
  readonly kind: string;
  readonly value: string;
  /** Known by its shape or place alone, such as a cookie: what is public by another name is then no secret. */
  readonly isGuess: boolean;
}

/** Members and parameters whose value is a secret. */
const secretNames = new Set([
  "access_token",
  "refresh_token",
  "code",
  "code_verifier",
  "client_secret",
  "client_assertion",
  "id_token",
  "apiKey",
  "password",
  "registration_access_token",
]);

/** Parameters, form fields and members that are shown to everybody. */
const publicNames = new Set([
  "client_id",
  "client_name",
  "redirect_uri",
  "response_type",
  "response_mode",
  "scope",
  "state",
  "resource",
  "code_challenge",
  "code_challenge_method",
  "grant_type",
  "iss",
  "token_endpoint",
  "token_endpoint_auth_method",
  "token_type",
  "token_type_hint",
  "accountId",
  "inboxId",
  "inbox",
  "username",
  "urn:ietf:params:jmap:mail",
  "kid",
]);

/** Form fields and parameters that carry a person through sign-in and consent. */
const ticketName =
  /csrf|xsrf|token|ticket|consent|interaction|transaction|assertion|saml|(?:^|[_-])(?:request|session|login|flow|tx|uid)(?:[_-]?id)?$/iu;

const deepest = 8;
const mostMembers = 2000;
const longest = 16_384;

/** What of an exchange is secret, in the order in which it stands. */
export function secretsIn({ request, response }: Exchange, json: unknown): CarriedSecret[] {
  const body = request.body.startsWith("{") ? parsed(request.body) : undefined;
  return [
    ...ofUrl(request.url).map(asSent),
    ...ofHeaders(request.headers),
    ...ofHeaders(response.headers),
    ...(body !== undefined
      ? ofMembers(body).map(asSent)
      : request.body.includes("=")
        ? ofParameters(request.body).map(asSent)
        : []),
    ...ofMembers(json),
    ...ofHiddenFields(response.body),
  ].filter(({ value }) => value.length <= longest);
}

/** Somebody who tries a name for a secret has sent none. What a target has issued as one is known from there. */
function asSent(secret: CarriedSecret): CarriedSecret {
  return { ...secret, isGuess: true };
}

/** Values of an exchange that are not secrets, whatever else carries them. */
export function publicValuesIn({ request, response }: Exchange, json: unknown): string[] {
  const location = response.headers.filter(([name]) => name.toLowerCase() === "location");
  const parameters = [request.url, ...location.map(([, url]) => url)].flatMap(parametersOf);
  const isJson = request.body.startsWith("{");
  const form = isJson ? [] : formParameters(request.body);
  const sent = isJson && request.body.includes('"username"') ? parsed(request.body) : undefined;
  const members = [...membersIn(sent), ...membersIn(json)].flatMap(([name, value]): [string, string][] =>
    typeof value === "string" ? [[name, value]] : [],
  );
  return [...parameters, ...form, ...members].flatMap(([name, value]) =>
    publicNames.has(name) ? [value] : [],
  );
}

function ofUrl(url: string): CarriedSecret[] {
  return parametersOf(url).flatMap(ofParameter);
}

function ofParameters(encoded: string): CarriedSecret[] {
  const parameters = formParameters(encoded);
  // Somebody who tries the public id for the secret has sent none.
  const clientId = parameters.find(([name]) => name === "client_id")?.[1];
  return parameters
    .flatMap(ofParameter)
    .filter(({ kind, value }) => kind !== "client_secret" || value !== clientId);
}

function ofParameter([name, value]: readonly [string, string]): CarriedSecret[] {
  if (secretNames.has(name)) return [{ kind: name, value, isGuess: false }];
  if (!ticketName.test(name) || publicNames.has(name) || !looksRandom(value)) return [];
  return [{ kind: kindOf(name), value, isGuess: true }];
}

/** Of the query and of the fragment. */
function parametersOf(url: string): [name: string, value: string][] {
  const at = url.search(/[?#]/u);
  return at < 0
    ? []
    : url
        .slice(at + 1)
        .split("#")
        .flatMap(formParameters);
}

function ofHeaders(headers: HeaderLines): CarriedSecret[] {
  return headers.flatMap(([name, value]): CarriedSecret[] => {
    switch (name.toLowerCase()) {
      case "authorization":
        return ofAuthorization(value);
      // The Cookie lines that go back say nothing new: what no target has set is not a secret of one.
      case "set-cookie":
        return ofCookie(value);
      case "location":
        return ofUrl(value);
      default:
        return [];
    }
  });
}

function ofAuthorization(line: string): CarriedSecret[] {
  const value = line.replace(/^\S+\s+/u, "");
  const kind = /^basic\s/iu.test(line) ? "basic_credentials" : "authorization";
  return [{ kind, value, isGuess: true }];
}

function ofCookie(line: string): CarriedSecret[] {
  // What follows the first pair are attributes.
  const pair = line.split(";", 1)[0] ?? "";
  const value = pair.slice(pair.indexOf("=") + 1).trim();
  return looksRandom(value) ? [{ kind: "cookie", value, isGuess: true }] : [];
}

function ofMembers(json: unknown): CarriedSecret[] {
  return membersIn(json).flatMap(([name, value, holder]) => {
    if (typeof value !== "string") return [];
    if (isPrivateKeyPart(name, holder)) return [{ kind: "private_key", value, isGuess: false }];
    // `code` in JSON is an error code; authorization codes travel as parameters.
    if (name === "code") return [];
    if (name === "token") return [{ kind: "token", value, isGuess: true }];
    return ofParameter([name, value]);
  });
}

function isPrivateKeyPart(name: string, holder: object): boolean {
  return ["d", "k", "p", "q", "dp", "dq", "qi"].includes(name) && "kty" in holder;
}

/** The members of a JSON value, at any depth down to a limit. */
function membersIn(json: unknown): [name: string, value: unknown, holder: object][] {
  const members: [string, unknown, object][] = [];
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== "object" || value === null || depth > deepest) return;
    for (const [name, member] of membersOf(value)) {
      if (members.length >= mostMembers) return;
      if (isJsonObject(value)) members.push([name, member, value]);
      visit(member, depth + 1);
    }
  };
  visit(json, 0);
  return members;
}

// An attribute's value may hold no angle bracket here, which keeps the search linear.
const inputTag = /<input\b[^<>]{1,4000}>/giu;

function ofHiddenFields(body: string): CarriedSecret[] {
  if (!body.includes("<")) return [];
  return Array.from(body.matchAll(inputTag), ([tag]) => tag).flatMap((tag): CarriedSecret[] => {
    const name = attribute(tag, "name");
    const value = attribute(tag, "value");
    if (!/^hidden$/iu.test(attribute(tag, "type")) || publicNames.has(name)) return [];
    if (secretNames.has(name)) return [{ kind: name, value, isGuess: false }];
    return looksRandom(value) ? [{ kind: kindOf(name), value, isGuess: true }] : [];
  });
}

function attribute(tag: string, name: string): string {
  const match = new RegExp(String.raw`\s${name}\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`, "iu").exec(tag);
  return unescaped(match?.[1] ?? match?.[2] ?? match?.[3] ?? "");
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  "#39": "'",
};

function unescaped(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|apos|#39);/gu, (_whole, name: string) => entities[name] ?? "");
}

/** Long enough to be no word, and no address or sentence. */
function looksRandom(value: string): boolean {
  if (/[\s<>]|:\/\//u.test(value)) return false;
  return value.length >= 16 || (value.length >= 8 && /[A-Za-z]/u.test(value) && /\d/u.test(value));
}

function kindOf(name: string): string {
  return /^\w{1,40}$/u.test(name) ? name : "hidden_field";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A body that is malformed on purpose; values in it are still masked when they are known from elsewhere.
    return undefined;
  }
}
