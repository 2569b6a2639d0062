import { type Exchange, jsonObjectsIn } from "../support/wire/exchange.ts";
import { jmapAs, jmapBody } from "../support/actors/jmap.ts";
import { recommend } from "../support/judging/check.ts";
import { expectThat, isSameJson, shown } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { call, expectResult, strings, threeDrafts } from "./own-inbox.ts";
import {
  arrivalMs,
  arrivedNowhere,
  letterTo,
  patienceMs,
  provenParties,
  type Recipient,
  requireSent,
} from "./parties.ts";
import { sendFrom } from "./sending.ts";

const unknownId = "mailproof-none";

/** Which ids an `Email/get` asks for, and which of them it must find; `known` is the id of a message. */
interface GetCase {
  readonly slug: string;
  readonly claim: string;
  readonly asked: (known: string) => readonly string[];
  readonly found: (known: string) => readonly string[];
  readonly notFound: readonly string[];
}

const cases: readonly GetCase[] = [
  {
    slug: "no-ids",
    claim: "`Email/get` with an empty `ids` returns an empty `list` and an empty `notFound`.",
    asked: () => [],
    found: () => [],
    notFound: [],
  },
  {
    slug: "known-and-unknown",
    claim: "`Email/get` of a known and an unknown id has the one in `list` and the other in `notFound`.",
    asked: (known) => [unknownId, known],
    found: (known) => [known],
    notFound: [unknownId],
  },
  {
    slug: "repeated-id",
    claim: "`Email/get` of the same id twice returns its message once.",
    asked: (known) => [known, known],
    found: (known) => [known],
    notFound: [],
  },
];

const idsAsked = cases.map(({ slug, claim, asked, found, notFound }) =>
  recommend({
    id: `B-JMAP-21/${slug}`,
    claim,
    needs: ["human"],
    async act(target) {
      const [known = ""] = (await threeDrafts(target)).ids;
      const exchange = await call(target, [["Email/get", { ids: asked(known), properties: ["id"] }, "0"]]);
      return { known, exchange };
    },
    assert({ known, exchange }) {
      const { list, notFound: missing } = expectResult(exchange, "0", "Email/get");
      const expected = shown({ list: found(known), notFound });
      const observed = shown({ list: jsonObjectsIn(list).map(({ id }) => id), notFound: strings(missing) });
      expectThat(observed === expected, expected, observed, exchange);
    },
  }),
);

const noProperties = recommend({
  id: "B-JMAP-21/no-properties",
  claim: "`Email/get` with empty `properties` returns `id` alone.",
  needs: ["human"],
  async act(target) {
    const [known = ""] = (await threeDrafts(target)).ids;
    const exchange = await call(target, [["Email/get", { ids: [known], properties: [] }, "0"]]);
    return { known, exchange };
  },
  assert({ known, exchange }) {
    const [message] = jsonObjectsIn(expectResult(exchange, "0", "Email/get")["list"]);
    expectThat(isSameJson(message, { id: known }), "id alone", shown(message), exchange);
  },
});

/** The state of its messages, as the owner of an inbox reads it. */
async function messageState(target: Target, { human, accountId }: Recipient): Promise<Exchange> {
  const token = await sharedAccessToken(target, { human });
  return jmapAs(target, token, accountId, jmapBody([["Email/get", { ids: [] }, "0"]]));
}

const stateAfterArrival = recommend({
  id: "B-JMAP-21/state-after-arrival",
  claim: "`Email/get` shows another `state` after a message has arrived than before.",
  needs: ["human", "second-human"],
  async act(target) {
    const parties = await provenParties(target);
    const { senderId, foreign } = parties;
    const before = expectResult(await messageState(target.setup, foreign), "0", "Email/get")["state"];
    const letter = requireSent(await sendFrom(target.setup, senderId, letterTo(foreign)));
    const took = await arrivalMs(target, foreign, letter.subject, patienceMs(parties));
    if (took === undefined) throw arrivedNowhere(letter.exchange);
    return { before, exchange: await messageState(target, foreign) };
  },
  assert({ before, exchange }) {
    const { state } = expectResult(exchange, "0", "Email/get");
    expectThat(state !== before, `another state than ${shown(before)}`, "the same", exchange);
  },
});

/** The standard /get, beyond what the document shows of it. RFC 8620 §5.1. */
export const getObjectChecks = [...idsAsked, noProperties, stateAfterArrival];
