import { check } from "../support/judging/check.ts";
import { type Exchange, summary } from "../support/wire/exchange.ts";
import { expectThat } from "../support/judging/expect.ts";
import { addressOf, inboxesOf } from "../support/material/inboxes.ts";
import { accountHeader, methodResponses } from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { observation, Violation, warning } from "../support/verdict.ts";
import {
  expectHeaderRefused,
  markIn,
  seen,
  selecting,
  selectingValue,
  servedSelection,
} from "./selection.ts";

const owned = check({
  id: "HDR-01",
  claim: "A request with an owned accountId in the account header is answered 200 with methodResponses.",
  needs: ["human"],
  async act(target) {
    const [{ accountId }] = await inboxesOf(target);
    const { token } = await servedSelection(target);
    return selectingValue(target, token, accountId);
  },
  assert: (exchange) =>
    expectThat(methodResponses(exchange) !== undefined, "200 with methodResponses", summary(exchange)),
});

const malformed: readonly { slug: string; words: string; spell: (uuid: string) => string }[] = [
  { slug: "letter", words: "x", spell: () => "x" },
  { slug: "number", words: "1", spell: () => "1" },
  { slug: "null", words: "null", spell: () => "null" },
  { slug: "undefined", words: "undefined", spell: () => "undefined" },
  { slug: "default", words: "default", spell: () => "default" },
  { slug: "me", words: "me", spell: () => "me" },
  { slug: "too-short", words: "an owned UUID without its last digit", spell: (uuid) => uuid.slice(0, -1) },
  { slug: "too-long", words: "an owned UUID and one more digit", spell: (uuid) => `${uuid}0` },
  {
    slug: "no-digit",
    words: "an owned UUID with g for its first digit",
    spell: (uuid) => `g${uuid.slice(1)}`,
  },
  { slug: "letter-behind", words: "an owned UUID and x", spell: (uuid) => `${uuid}x` },
  { slug: "letter-before", words: "x and an owned UUID", spell: (uuid) => `x${uuid}` },
  { slug: "hyphen-behind", words: "an owned UUID and a hyphen", spell: (uuid) => `${uuid}-` },
  { slug: "dots-behind", words: "an owned UUID and /..", spell: (uuid) => `${uuid}/..` },
  { slug: "encoded-nul-behind", words: "an owned UUID and %00", spell: (uuid) => `${uuid}%00` },
  { slug: "parameter-behind", words: "an owned UUID and ;x", spell: (uuid) => `${uuid};x` },
  { slug: "single-quotes", words: "an owned UUID in single quotes", spell: (uuid) => `'${uuid}'` },
  { slug: "double-quotes", words: "an owned UUID in double quotes", spell: (uuid) => `"${uuid}"` },
  { slug: "json", words: "a JSON object with an owned UUID", spell: (uuid) => `{"accountId":"${uuid}"}` },
];

const notUuid = malformed.map(({ slug, words, spell }) =>
  check({
    id: `HDR-04/${slug}`,
    claim: `The account header ${words} is answered 400.`,
    needs: ["human"],
    async act(target) {
      const { token, accountId } = await servedSelection(target);
      return selectingValue(target, token, spell(accountId));
    },
    assert: expectHeaderRefused,
  }),
);

const long = check({
  id: "HDR-04/five-kilobytes",
  claim: "An account header of 5 kB is answered 400, or 431 for its size.",
  needs: ["human"],
  async act(target) {
    const { token } = await servedSelection(target);
    return selectingValue(target, token, "a".repeat(5000));
  },
  assert(exchange) {
    // What reads the header lines may have a limit of its own (RFC 6585 §5).
    if (exchange.response.status === 431) return warning("refused for the size of its header: 431");
    return expectHeaderRefused(exchange);
  },
});

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu;

const names: readonly { slug: string; words: string; name: (target: Target) => Promise<string> }[] = [
  { slug: "inbox-id", words: "the inboxId", name: async (target) => (await inboxesOf(target))[0].inboxId },
  {
    slug: "address",
    words: "the mail address",
    name: async (target) => addressOf(target, (await servedSelection(target)).accountId),
  },
];

const byName = names.map(({ slug, words, name }) =>
  check({
    id: `HDR-04/${slug}`,
    claim: `The account header with ${words} of an owned inbox instead of its accountId is answered 400.`,
    needs: ["human"],
    async act(target) {
      const { token } = await servedSelection(target);
      const value = await name(target);
      return { value, exchange: await selectingValue(target, token, value) };
    },
    assert({ value, exchange }) {
      if (uuid.test(value)) return observation(`it is itself a UUID; answered ${seen(exchange)}`);
      return expectHeaderRefused(exchange);
    },
  }),
);

const otherForms: readonly { slug: string; words: string; spell: (uuid: string) => string }[] = [
  { slug: "braces", words: "in braces", spell: (id) => `{${id}}` },
  { slug: "parentheses", words: "in parentheses", spell: (id) => `(${id})` },
  { slug: "urn", words: "as urn:uuid", spell: (id) => `urn:uuid:${id}` },
  { slug: "no-hyphens", words: "without hyphens", spell: (id) => id.replaceAll("-", "") },
  {
    slug: "moved-hyphens",
    words: "with its hyphens moved",
    spell: (id) => id.replaceAll("-", "").replace(/^(.{4})(.{4})(.{4})(.{8})/u, "$1-$2-$3-$4-"),
  },
];

const lenient = otherForms.map(({ slug, words, spell }) =>
  check({
    id: `HDR-08/${slug}`,
    claim: `An owned accountId ${words} is answered 400; 403, or 200 from that very inbox, is tolerated.`,
    needs: ["human"],
    async act(target) {
      const selection = await servedSelection(target);
      return {
        selection,
        exchange: await selectingValue(target, selection.token, spell(selection.accountId)),
      };
    },
    assert({ selection, exchange }) {
      if (markIn(exchange) === selection.mark) return warning("read as the owned UUID and served");
      if (exchange.response.status === 403 && methodResponses(exchange) === undefined)
        return warning(`read as a UUID and refused: ${summary(exchange)}`);
      return expectHeaderRefused(exchange);
    },
  }),
);

/** Served for the inbox that was meant, or refused with one of the statuses. */
function expectSameInboxOrRefused(exchange: Exchange, mark: string, statuses: readonly number[]): void {
  const isSame = markIn(exchange) === mark;
  const isRefused = statuses.includes(exchange.response.status) && methodResponses(exchange) === undefined;
  if (!isSame && !isRefused)
    throw new Violation(`200 from ${mark}, or ${statuses.join(" or ")}`, seen(exchange));
}

const upperCase = check({
  id: "HDR-07",
  claim: "What an owned accountId in upper case gets: that inbox, 400 or 403.",
  needs: ["human"],
  async act(target) {
    const selection = await servedSelection(target);
    const { token, accountId } = selection;
    return { selection, exchange: await selectingValue(target, token, accountId.toUpperCase()) };
  },
  assert({ selection, exchange }) {
    expectSameInboxOrRefused(exchange, selection.mark, [400, 403]);
    return observation(summary(exchange));
  },
});

const whitespace = [
  { slug: "spaces", words: "between spaces", spell: (id: string) => `  ${id}  ` },
  { slug: "tabs", words: "between tabs", spell: (id: string) => `\t${id}\t` },
].map(({ slug, words, spell }) =>
  check({
    id: `HDR-09/${slug}`,
    claim: `What an owned accountId ${words} gets: that inbox or 400.`,
    needs: ["human"],
    async act(target) {
      const selection = await servedSelection(target);
      return {
        selection,
        exchange: await selectingValue(target, selection.token, spell(selection.accountId)),
      };
    },
    assert({ selection, exchange }) {
      expectSameInboxOrRefused(exchange, selection.mark, [400]);
      return observation(summary(exchange));
    },
  }),
);

const inner = check({
  id: "HDR-09/inner-space",
  claim: "The account header with an owned accountId twice, a space between, is answered 400.",
  needs: ["human"],
  async act(target) {
    const { token, accountId } = await servedSelection(target);
    return selectingValue(target, token, `${accountId} ${accountId}`);
  },
  assert: expectHeaderRefused,
});

const headerNames = [
  { slug: "lower-case", words: "lower", spell: (name: string) => name.toLowerCase() },
  { slug: "upper-case", words: "upper", spell: (name: string) => name.toUpperCase() },
].map(({ slug, words, spell }) =>
  check({
    id: `HDR-26/${slug}`,
    claim: `The name of the account header in ${words} case selects the inbox as well.`,
    needs: ["human"],
    async act(target) {
      const selection = await servedSelection(target);
      const [name, value] = accountHeader(target, selection.accountId);
      return { selection, exchange: await selecting(target, selection.token, [[spell(name), value]]) };
    },
    assert({ selection, exchange }) {
      expectThat(markIn(exchange) === selection.mark, `200 from ${selection.mark}`, seen(exchange));
    },
  }),
);

export const spellingChecks = [
  owned,
  ...notUuid,
  long,
  ...byName,
  upperCase,
  ...lenient,
  ...whitespace,
  inner,
  ...headerNames,
];
