import { postSession } from "../support/actors/agent.ts";
import { formContentType } from "../support/actors/oauth-client.ts";
import { bearer, jsonContentType } from "../support/actors/jmap.ts";
import { observe } from "../support/judging/check.ts";
import { encodeParameters } from "../support/wire/parameters.ts";
import { type Flaw, flawChecks } from "./flawed-logins.ts";
import { type CorrectLogin, correctLogin, loginBody, outcome } from "./session-requests.ts";

type Changes = (login: CorrectLogin) => Readonly<Record<string, unknown>>;

const changing =
  (changes: Changes): Flaw["send"] =>
  (target, login) =>
    postSession(target, [bearer(login.challenge.jwt), jsonContentType], loginBody(login, changes(login)));

const withBody =
  (
    body: (login: CorrectLogin) => string,
    contentType: readonly [string, string] = jsonContentType,
  ): Flaw["send"] =>
  (target, login) =>
    postSession(target, [bearer(login.challenge.jwt), contentType], body(login));

const bodyFlaws: readonly Flaw[] = [
  {
    id: "POW-29/body-not-json",
    words: "whose body lacks its closing brace",
    send: withBody((login) => loginBody(login).slice(0, -1)),
  },
  {
    id: "POW-29/body-json-array",
    words: "whose body is a JSON array around the right object",
    send: withBody((login) => `[${loginBody(login)}]`),
  },
  { id: "POW-29/body-empty", words: "with an empty body", send: withBody(() => "") },
  {
    id: "POW-29/body-json-null",
    words: "whose body is null in place of an object",
    send: withBody(() => "null"),
  },
  {
    id: "POW-29/body-form",
    words: "whose body is a form in place of JSON",
    send: withBody(
      ({ proof, apiKey }) =>
        encodeParameters([
          ["powHex", proof.powHex],
          ["nonce", proof.nonce],
          ["apiKey", apiKey],
        ]),
      formContentType,
    ),
    isTolerated: true,
  },
];

const powHexTexts: readonly { slug: string; words: string; spelling: (powHex: string) => string }[] = [
  {
    slug: "first-half",
    words: "whose `powHex` is only the first half of the digest",
    spelling: (hex) => hex.slice(0, 64),
  },
  {
    slug: "digit-dropped",
    words: "whose `powHex` lacks its last digit",
    spelling: (hex) => hex.slice(0, -1),
  },
  { slug: "digit-added", words: "whose `powHex` has one digit too many", spelling: (hex) => `${hex}0` },
  { slug: "byte-added", words: "whose `powHex` has two digits too many", spelling: (hex) => `${hex}00` },
  { slug: "prefix-0x", words: "whose `powHex` begins with `0x`", spelling: (hex) => `0x${hex}` },
  {
    slug: "leading-space",
    words: "whose `powHex` has a leading space",
    spelling: (hex) => ` ${hex}`,
  },
  {
    slug: "trailing-space",
    words: "whose `powHex` has a trailing space",
    spelling: (hex) => `${hex} `,
  },
  {
    slug: "trailing-line-feed",
    words: "whose `powHex` has a trailing line feed",
    spelling: (hex) => `${hex}\n`,
  },
  {
    slug: "base64",
    words: "whose `powHex` is the digest in base64",
    spelling: (hex) => Buffer.from(hex, "hex").toString("base64"),
  },
  { slug: "empty", words: "whose `powHex` is empty", spelling: () => "" },
];

const powHexFlaws = powHexTexts.map(({ slug, words, spelling }): Flaw => ({
  id: `POW-28/${slug}`,
  words,
  send: changing(({ proof }) => ({ powHex: spelling(proof.powHex) })),
  isTolerated: true,
}));

/** Values of a type other than string, for a member of the body. */
const otherTypes: readonly { slug: string; words: string; value: (text: string) => unknown }[] = [
  { slug: "null", words: "is null", value: () => null },
  { slug: "array", words: "is an array of the right string", value: (text) => [text] },
  { slug: "object", words: "is an object", value: (text) => ({ value: text }) },
  { slug: "boolean", words: "is true", value: () => true },
];

const powHexTypeFlaws: readonly Flaw[] = [
  {
    id: "POW-29/pow-hex-missing",
    words: "without `powHex`",
    send: changing(() => ({ powHex: undefined })),
    // A server that computes the digest itself does not need it (C-85).
    isTolerated: true,
  },
  ...[...otherTypes, { slug: "number", words: "is a number", value: () => 0 }].map(
    ({ slug, words, value }): Flaw => ({
      id: `POW-29/pow-hex-${slug}`,
      words: `whose \`powHex\` ${words}`,
      send: changing(({ proof }) => ({ powHex: value(proof.powHex) })),
      isTolerated: true,
    }),
  ),
];

const nonceTypeFlaws: readonly Flaw[] = [
  { id: "POW-29/nonce-missing", words: "without `nonce`", send: changing(() => ({ nonce: undefined })) },
  ...otherTypes.map(({ slug, words, value }): Flaw => ({
    id: `POW-29/nonce-${slug}`,
    words: `whose \`nonce\` ${words}`,
    send: changing(({ proof }) => ({ nonce: value(proof.nonce) })),
    // It is the same number, and its proof holds (C-48).
    ...(slug === "array" && { isTolerated: true }),
  })),
];

/** Texts that a lenient parser reads as the right number. */
const nonceTexts: readonly {
  slug: string;
  words: string;
  spelling: (nonce: string) => string;
  isTolerated?: true;
}[] = [
  { slug: "fraction", words: "with `.0` appended", spelling: (nonce) => `${nonce}.0` },
  { slug: "exponent", words: "with `e0` appended", spelling: (nonce) => `${nonce}e0` },
  { slug: "letters-behind", words: "with letters appended", spelling: (nonce) => `${nonce}abc` },
  {
    slug: "hexadecimal",
    words: "in hexadecimal",
    spelling: (nonce) => `0x${BigInt(nonce).toString(16)}`,
  },
  {
    slug: "leading-space",
    words: "with a leading space",
    spelling: (nonce) => ` ${nonce}`,
    isTolerated: true,
  },
  {
    slug: "trailing-space",
    words: "with a trailing space",
    spelling: (nonce) => `${nonce} `,
    isTolerated: true,
  },
  {
    slug: "trailing-line-feed",
    words: "with a trailing line feed",
    spelling: (nonce) => `${nonce}\n`,
    isTolerated: true,
  },
  { slug: "plus", words: "with a plus sign", spelling: (nonce) => `+${nonce}`, isTolerated: true },
  {
    slug: "arabic-digits",
    words: "in Arabic-Indic digits",
    spelling: (nonce) => nonce.replaceAll(/\d/gu, (digit) => String.fromCodePoint(0x0660 + Number(digit))),
    isTolerated: true,
  },
];

const otherNonces = [
  { slug: "empty", words: "empty", nonce: "" },
  { slug: "not-a-number", words: "`NaN`", nonce: "NaN" },
  { slug: "infinity", words: "`Infinity`", nonce: "Infinity" },
];

const nonceFlaws: readonly Flaw[] = [
  ...nonceTexts.map(({ slug, words, spelling, isTolerated }): Flaw => ({
    id: `POW-30/${slug}`,
    words: `whose nonce is the right number ${words}`,
    send: changing(({ proof }) => ({ nonce: spelling(proof.nonce) })),
    ...(isTolerated && { isTolerated }),
  })),
  ...otherNonces.map(({ slug, words, nonce }): Flaw => ({
    id: `POW-30/${slug}`,
    words: `whose nonce is ${words}`,
    send: changing(() => ({ nonce })),
  })),
];

const otherKeys = [
  { slug: "empty", words: "is empty", value: () => "" },
  { slug: "null", words: "is null", value: () => null },
  { slug: "array", words: "is an array that holds the right one", value: (apiKey: string) => [apiKey] },
  { slug: "object", words: "is an object", value: () => ({}) },
  { slug: "operator", words: "is an object with the query operator `$ne`", value: () => ({ $ne: "" }) },
  { slug: "wildcard", words: "is `%`", value: () => "%" },
];

const keyFlaws: readonly Flaw[] = [
  ...otherKeys.map(({ slug, words, value }): Flaw => ({
    id: `POW-44/${slug}`,
    words: `whose \`apiKey\` ${words}`,
    send: changing(({ apiKey }) => ({ apiKey: value(apiKey) })),
  })),
  {
    id: "POW-45/neither",
    words: "with neither `apiKey` nor `username`",
    send: changing(() => ({ apiKey: undefined })),
  },
];

/** Spellings that the document leaves open. */
const openSpellings: readonly { id: string; words: string; changes: Changes }[] = [
  {
    id: "POW-27/upper-case",
    words: "whose `powHex` is in upper case",
    changes: ({ proof }) => ({ powHex: proof.powHex.toUpperCase() }),
  },
  {
    id: "POW-27/one-letter-upper-case",
    words: "whose `powHex` has one letter in upper case",
    changes: ({ proof }) => ({ powHex: proof.powHex.replace(/[a-f]/u, (letter) => letter.toUpperCase()) }),
  },
  {
    id: "POW-29/nonce-number",
    words: "whose nonce is a JSON number",
    changes: ({ proof }) => ({ nonce: Number(proof.nonce) }),
  },
  {
    id: "POW-31",
    words: "whose nonce has leading zeros",
    changes: ({ proof }) => ({ nonce: `00${proof.nonce}` }),
  },
];

const open = openSpellings.map(({ id, words, changes }) =>
  observe({
    id,
    question: `Is a login ${words} accepted?`,
    act: async (target) => changing(changes)(target, await correctLogin(target)),
    answer: outcome,
  }),
);

export const malformedBodyChecks = [
  ...flawChecks("body", bodyFlaws),
  ...flawChecks("pow-hex", [...powHexFlaws, ...powHexTypeFlaws]),
  ...flawChecks("nonce", [...nonceFlaws, ...nonceTypeFlaws]),
  ...flawChecks("api-key", keyFlaws),
  ...open,
];
