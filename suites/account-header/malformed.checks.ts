import { check } from "../support/judging/check.ts";
import type { GrantSpec } from "../support/material/grants.ts";
import { addressOf, inboxesOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { markedInbox } from "./marked-inboxes.ts";
import { expectRefusedWith, selectingValue, servedSelection } from "./selection.ts";

/** A value that is not a UUID. */
interface Malformed {
  /** The check's id. */
  readonly id: string;
  /** Reads after "The account header". */
  readonly words: string;
  readonly spell: (accountId: string) => string;
  /** The check that fails too where this value passes for a UUID. */
  readonly sameAs?: string;
  /** What reads the header lines may refuse them first. */
  readonly mayAlso?: readonly number[];
}

// Where the pattern of a UUID is not anchored at its end, or at its beginning, these two pass for one.
const noEnd = "HDR-04/letter-behind";
const noBeginning = "HDR-04/letter-before";

const malformed: readonly Malformed[] = [
  { id: "HDR-04/letter", words: "`x`", spell: () => "x" },
  { id: "HDR-04/number", words: "`1`", spell: () => "1" },
  { id: "HDR-04/null", words: "`null`", spell: () => "null" },
  { id: "HDR-04/undefined", words: "`undefined`", spell: () => "undefined" },
  { id: "HDR-04/default", words: "`default`", spell: () => "default" },
  { id: "HDR-04/me", words: "`me`", spell: () => "me" },
  {
    id: "HDR-04/too-short",
    words: "with an owned UUID without its last digit",
    spell: (uuid) => uuid.slice(0, -1),
  },
  {
    id: "HDR-04/too-long",
    words: "with an owned UUID and one more digit",
    spell: (uuid) => `${uuid}0`,
    sameAs: noEnd,
  },
  {
    id: "HDR-04/no-digit",
    words: "with an owned UUID whose first digit is `g`",
    spell: (uuid) => `g${uuid.slice(1)}`,
  },
  { id: noEnd, words: "with an owned UUID and a trailing `x`", spell: (uuid) => `${uuid}x` },
  { id: noBeginning, words: "with an owned UUID and a leading `x`", spell: (uuid) => `x${uuid}` },
  {
    id: "HDR-04/hyphen-behind",
    words: "with an owned UUID and a trailing hyphen",
    spell: (uuid) => `${uuid}-`,
    sameAs: noEnd,
  },
  {
    id: "HDR-04/dots-behind",
    words: "with an owned UUID and a trailing `/..`",
    spell: (uuid) => `${uuid}/..`,
    sameAs: noEnd,
  },
  {
    id: "HDR-04/encoded-nul-behind",
    words: "with an owned UUID and a trailing `%00`",
    spell: (uuid) => `${uuid}%00`,
    sameAs: noEnd,
  },
  {
    id: "HDR-04/parameter-behind",
    words: "with an owned UUID and a trailing `;x`",
    spell: (uuid) => `${uuid};x`,
    sameAs: noEnd,
  },
  {
    id: "HDR-04/two-uuids",
    words: "with an owned UUID twice, separated by a space,",
    spell: (uuid) => `${uuid} ${uuid}`,
    sameAs: noEnd,
  },
  {
    id: "HDR-04/comma-behind",
    words: "with an owned UUID and a trailing comma, a list of one,",
    spell: (uuid) => `${uuid},`,
    sameAs: noEnd,
  },
  {
    id: "HDR-04/comma-before",
    words: "with a comma and an owned UUID, a list of one,",
    spell: (uuid) => `,${uuid}`,
    sameAs: noBeginning,
  },
  {
    id: "HDR-04/percent-encoded",
    words: "with an owned UUID whose first digit is percent-encoded",
    spell: (uuid) => `%${uuid.charCodeAt(0).toString(16)}${uuid.slice(1)}`,
    sameAs: noBeginning,
  },
  {
    id: "HDR-04/full-width-digit",
    words: "with an owned UUID whose first digit is full-width",
    spell: (uuid) => inUtf8(fullWidth(uuid.slice(0, 1)) + uuid.slice(1)),
  },
  {
    id: "HDR-04/zero-width-space",
    words: "with an owned UUID and a zero width space in it",
    spell: (uuid) => inUtf8(`${uuid.slice(0, 8)}\u{200B}${uuid.slice(8)}`),
  },
  {
    id: "HDR-04/single-quotes",
    words: "with an owned UUID in single quotes",
    spell: (uuid) => `'${uuid}'`,
    sameAs: noBeginning,
  },
  {
    id: "HDR-04/double-quotes",
    words: "with an owned UUID in double quotes",
    spell: (uuid) => `"${uuid}"`,
    sameAs: noBeginning,
  },
  {
    id: "HDR-04/json",
    words: "with an owned UUID in a JSON object",
    spell: (uuid) => `{"accountId":"${uuid}"}`,
    sameAs: noBeginning,
  },
  {
    id: "HDR-04/five-kilobytes",
    words: "with a value of 5 kB",
    spell: () => "a".repeat(5000),
    // RFC 6585 §5 and RFC 9110 §15.5: the header, the content or the target is too large.
    mayAlso: [413, 414, 431],
  },
];

function fullWidth(digit: string): string {
  return String.fromCodePoint(digit.charCodeAt(0) + 0xfee0);
}

/** Header values are written as bytes, one for each of these characters. */
function inUtf8(text: string): string {
  return Buffer.from(text).toString("latin1");
}

// Where this one has another status, no value is held against the format at all.
const formatIgnored = "HDR-04/letter";

const alternatives = new Intl.ListFormat("en", { type: "disjunction" });

const notUuid = malformed.map(({ id, words, spell, sameAs, mayAlso = [] }) =>
  check({
    id,
    claim: `The account header ${words} is refused with ${alternatives.format(["400", ...mayAlso.map(String)])}.`,
    needs: ["human"],
    async act(target) {
      const { token, accountId } = await servedSelection(target);
      return selectingValue(target, token, spell(accountId));
    },
    assert: (exchange) =>
      expectRefusedWith(exchange, [400, ...mayAlso], {
        status: sameAs ?? (id === formatIgnored ? undefined : formatIgnored),
        served: sameAs,
      }),
  }),
);

const ofOtherTokens = [
  { slug: "read-only", words: "`mail.read` alone", spec: { scope: "mail.read" } },
  { slug: "confidential", words: "a confidential client", spec: { client: "confidential" } },
] as const satisfies readonly { slug: string; words: string; spec: GrantSpec }[];

const withOtherTokens = ofOtherTokens.map(({ slug, words, spec }) =>
  check({
    id: `HDR-04/letter-${slug}`,
    claim: `The account header \`x\` is also refused with 400 when it comes with a token of ${words}.`,
    needs: ["human"],
    async act(target) {
      const { token } = await servedSelection(target, spec);
      return selectingValue(target, token, "x");
    },
    assert: (exchange) =>
      expectRefusedWith(exchange, [400], { status: "HDR-04/letter", served: "HDR-04/letter" }),
  }),
);

const empty = [
  { id: "HDR-03/empty", words: "that is empty", value: "" },
  // RFC 9110 §5.5: whitespace around a value is not part of it.
  { id: "HDR-03/spaces", words: "of spaces alone", value: "   ", sameAs: "HDR-03/empty" },
].map(({ id, words, value, sameAs }) =>
  check({
    id,
    claim: `An account header ${words} is refused with 400.`,
    needs: ["human"],
    async act(target) {
      const { token } = await servedSelection(target);
      return selectingValue(target, token, value);
    },
    assert: (exchange) =>
      expectRefusedWith(exchange, [400], { status: sameAs ?? formatIgnored, served: sameAs }),
  }),
);

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu;

const otherNames: readonly { slug: string; words: string; name: (target: Target) => Promise<string> }[] = [
  { slug: "inbox-id", words: "`inboxId`", name: async (target) => (await inboxesOf(target))[0].inboxId },
  {
    slug: "address",
    words: "mail address",
    name: async (target) => addressOf(target, (await servedSelection(target)).accountId),
  },
  {
    slug: "jmap-account-id",
    words: "JMAP account id",
    name: async (target) => (await markedInbox(target, "own")).jmapAccountId,
  },
];

const byName = otherNames.map(({ slug, words, name }) =>
  check({
    id: `HDR-04/${slug}`,
    claim: `The account header with the ${words} of an owned inbox in place of its \`accountId\` is refused with 400.`,
    needs: ["human"],
    async act(target) {
      const { token } = await servedSelection(target);
      const value = await name(target);
      if (!uuid.test(value)) return selectingValue(target, token, value);
      throw new NotApplicableError(`the ${words} of an inbox is in UUID format too`);
    },
    assert: (exchange) => expectRefusedWith(exchange, [400], { status: formatIgnored }),
  }),
);

/** Values that are not in UUID format. Document, "Authentication", OAuth 2.0 path 9. */
export const malformedHeaderChecks = [...notUuid, ...withOtherTokens, ...empty, ...byName];
