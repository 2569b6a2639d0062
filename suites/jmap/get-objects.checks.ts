import { recommend } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import type { JsonObject } from "../support/wire/exchange.ts";
import { call, type Drafts, expectResult, objects, strings, threeDrafts } from "./own-inbox.ts";

const unknownId = "mailproof-none";

/** What `Email/get` must return for its arguments: the messages of `list` as JSON text, and the ids in `notFound`. */
interface GetCase {
  readonly slug: string;
  readonly claim: string;
  readonly args: (drafts: Drafts) => JsonObject;
  readonly list: (drafts: Drafts) => readonly JsonObject[];
  readonly notFound: readonly string[];
}

const cases: readonly GetCase[] = [
  {
    slug: "no-ids",
    claim: "`Email/get` with an empty `ids` returns an empty `list` and an empty `notFound`.",
    args: () => ({ ids: [], properties: ["id"] }),
    list: () => [],
    notFound: [],
  },
  {
    slug: "known-and-unknown",
    claim: "`Email/get` of a known and an unknown id has the one in `list` and the other in `notFound`.",
    args: ({ ids }) => ({ ids: [unknownId, ids[0]], properties: ["id"] }),
    list: ({ ids }) => [{ id: ids[0] }],
    notFound: [unknownId],
  },
  {
    slug: "no-properties",
    claim: "`Email/get` with empty `properties` returns `id` alone.",
    args: ({ ids }) => ({ ids: [ids[0]], properties: [] }),
    list: ({ ids }) => [{ id: ids[0] }],
    notFound: [],
  },
  {
    slug: "repeated-id",
    claim: "`Email/get` of the same id twice returns its message once.",
    args: ({ ids }) => ({ ids: [ids[0], ids[0]], properties: ["id"] }),
    list: ({ ids }) => [{ id: ids[0] }],
    notFound: [],
  },
];

/** The standard /get, beyond what the document shows of it. RFC 8620 §5.1. */
export const getObjectChecks = cases.map(({ slug, claim, args, list, notFound }) =>
  recommend({
    id: `B-JMAP-21/${slug}`,
    claim,
    needs: ["human"],
    async act(target) {
      const drafts = await threeDrafts(target);
      return { drafts, exchange: await call(target, [["Email/get", args(drafts), "0"]]) };
    },
    assert({ drafts, exchange }) {
      const found = explained("JMAP-03/email-get", () => expectResult(exchange, "0", "Email/get"));
      const expected = shown({ list: list(drafts), notFound });
      const observed = shown({ list: objects(found["list"]), notFound: strings(found["notFound"]) });
      explained("JMAP-06/only-asked", () => expectThat(observed === expected, expected, observed, exchange));
    },
  }),
);
