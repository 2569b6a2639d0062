import { postSession } from "../support/actors/agent.ts";
import { bearer, jsonContentType } from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { type Flaw, flawChecks, sentTogether } from "./flawed-logins.ts";
import { type CorrectLogin, loginBody } from "./session-requests.ts";

type Changes = (login: CorrectLogin) => Readonly<Record<string, unknown>>;

const changing =
  (changes: Changes): Flaw["send"] =>
  (target, login) =>
    postSession(target, [bearer(login.challenge.jwt), jsonContentType], loginBody(login, changes(login)));

const powHexTexts: readonly { slug: string; words: string; spelling: (powHex: string) => string }[] = [
  {
    slug: "first-half",
    words: "only the first 64 of 128 hexadecimal digits, the digest of 32 bytes",
    spelling: (hex) => hex.slice(0, 64),
  },
  { slug: "digit-dropped", words: "127 hexadecimal digits", spelling: (hex) => hex.slice(0, -1) },
  { slug: "digit-added", words: "129 hexadecimal digits", spelling: (hex) => `${hex}0` },
  { slug: "byte-added", words: "130 hexadecimal digits", spelling: (hex) => `${hex}00` },
  { slug: "prefix-0x", words: "the digits behind 0x", spelling: (hex) => `0x${hex}` },
  { slug: "leading-space", words: "a space before the digits", spelling: (hex) => ` ${hex}` },
  { slug: "trailing-space", words: "a space behind the digits", spelling: (hex) => `${hex} ` },
  {
    slug: "base64",
    words: "the digest in base64",
    spelling: (hex) => Buffer.from(hex, "hex").toString("base64"),
  },
  { slug: "empty", words: "no digits at all", spelling: () => "" },
];

const powHexFlaws: readonly Flaw[] = [
  ...powHexTexts.map(({ slug, words, spelling }) => ({
    id: `POW-28/${slug}`,
    words: `whose powHex is ${words}`,
    send: changing(({ proof }) => ({ powHex: spelling(proof.powHex) })),
  })),
  {
    id: "POW-27/upper-case",
    words: "whose powHex is in upper case",
    send: changing(({ proof }) => ({ powHex: proof.powHex.toUpperCase() })),
    isOpen: true,
  },
  {
    id: "POW-27/one-letter-upper-case",
    words: "whose powHex has one letter in upper case",
    send: changing(({ proof }) => ({
      powHex: proof.powHex.replace(/[a-f]/u, (letter) => letter.toUpperCase()),
    })),
    isOpen: true,
  },
];

/** Values of a type other than string, for a member of the body. */
const otherTypes: readonly { slug: string; words: string; value: (text: string) => unknown }[] = [
  { slug: "missing", words: "no", value: () => undefined },
  { slug: "null", words: "null as", value: () => null },
  { slug: "array", words: "an array of the right text as", value: (text) => [text] },
  { slug: "object", words: "an object as", value: (text) => ({ value: text }) },
  { slug: "boolean", words: "true as", value: () => true },
];

const typeFlaws = (member: "powHex" | "nonce"): readonly Flaw[] =>
  otherTypes.map(({ slug, words, value }) => ({
    id: `POW-29/${member === "powHex" ? "pow-hex" : "nonce"}-${slug}`,
    words: `with ${words} ${member}`,
    send: changing(({ proof }) => ({ [member]: value(proof[member]) })),
  }));

const powHexNumber: Flaw = {
  id: "POW-29/pow-hex-number",
  words: "with a number as powHex",
  send: changing(() => ({ powHex: 0 })),
};

const nonceNumber: Flaw = {
  id: "POW-29/nonce-number",
  words: "with the nonce as a JSON number",
  send: changing(({ proof }) => ({ nonce: Number(proof.nonce) })),
  isOpen: true,
};

/** Texts that a lenient parser reads as the right number. */
const nonceTexts: readonly { slug: string; words: string; spelling: (nonce: string) => string }[] = [
  { slug: "fraction", words: "with .0 behind it", spelling: (nonce) => `${nonce}.0` },
  { slug: "exponent", words: "with e0 behind it", spelling: (nonce) => `${nonce}e0` },
  { slug: "letters-behind", words: "with letters behind it", spelling: (nonce) => `${nonce}abc` },
  {
    slug: "hexadecimal",
    words: "in hexadecimal",
    spelling: (nonce) => `0x${BigInt(nonce).toString(16)}`,
  },
  { slug: "leading-space", words: "with a space before it", spelling: (nonce) => ` ${nonce}` },
  { slug: "trailing-space", words: "with a space behind it", spelling: (nonce) => `${nonce} ` },
  { slug: "trailing-line-feed", words: "with a line feed behind it", spelling: (nonce) => `${nonce}\n` },
  { slug: "plus", words: "with a plus sign", spelling: (nonce) => `+${nonce}` },
  {
    slug: "arabic-digits",
    words: "in Arabic-Indic digits",
    spelling: (nonce) => nonce.replaceAll(/\d/gu, (digit) => String.fromCodePoint(0x0660 + Number(digit))),
  },
];

const otherNonces = [
  { slug: "empty", words: "an empty text", nonce: "" },
  { slug: "not-a-number", words: "NaN", nonce: "NaN" },
  { slug: "infinity", words: "Infinity", nonce: "Infinity" },
];

const nonceFlaws: readonly Flaw[] = [
  ...nonceTexts.map(({ slug, words, spelling }) => ({
    id: `POW-30/${slug}`,
    words: `whose nonce is the right number ${words}`,
    send: changing(({ proof }) => ({ nonce: spelling(proof.nonce) })),
  })),
  ...otherNonces.map(({ slug, words, nonce }) => ({
    id: `POW-30/${slug}`,
    words: `whose nonce is ${words}`,
    send: changing(() => ({ nonce })),
  })),
  {
    id: "POW-31",
    words: "whose nonce is the right number with zeros before it",
    send: changing(({ proof }) => ({ nonce: `00${proof.nonce}` })),
    isOpen: true,
  },
];

const otherKeys = [
  { slug: "empty", words: "an empty apiKey", value: () => "" },
  { slug: "null", words: "null as apiKey", value: () => null },
  { slug: "array", words: "an array of the right apiKey", value: (apiKey: string) => [apiKey] },
  { slug: "object", words: "an object as apiKey", value: () => ({}) },
  { slug: "wildcard", words: "% as apiKey", value: () => "%" },
];

const keyFlaws: readonly Flaw[] = [
  ...otherKeys.map(({ slug, words, value }) => ({
    id: `POW-44/${slug}`,
    words: `with ${words}`,
    send: changing(({ apiKey }) => ({ apiKey: value(apiKey) })),
  })),
  {
    id: "POW-45/neither",
    words: "with neither apiKey nor username",
    send: changing(() => ({ apiKey: undefined })),
  },
];

/** Whether a challenge can still be used after the target has refused bodies sent with it, as far as could be seen. */
export async function survivesMalformedBodies(target: Target): Promise<boolean> {
  return (await sentTogether(target, "api-key", keyFlaws)) !== undefined;
}

export const malformedBodyChecks = [
  ...flawChecks("pow-hex", [...powHexFlaws, ...typeFlaws("powHex"), powHexNumber]),
  ...flawChecks("nonce", [...nonceFlaws, ...typeFlaws("nonce"), nonceNumber]),
  ...flawChecks("api-key", keyFlaws),
];
