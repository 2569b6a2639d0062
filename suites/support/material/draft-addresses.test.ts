import { expect, test } from "vitest";
import { jmapBody } from "../actors/jmap.ts";
import { BlockedError, InconclusiveError } from "../verdict.ts";
import type { Exchange } from "../wire/exchange.ts";
import { type DraftAddresses, firstDraft } from "./draft-addresses.ts";

const own = "bob@mail.test";
const ownAddresses = { from: [{ email: own }], to: [{ email: own }] };

/** A target that takes some drafts, and what it was sent. */
function drafts(isTaken: (addresses: DraftAddresses) => boolean, status = 200) {
  const sent: DraftAddresses[] = [];
  const create = async (addresses: DraftAddresses): Promise<Exchange> => {
    sent.push(addresses);
    const result = isTaken(addresses)
      ? { created: { d1: { id: "m1" } }, notCreated: null }
      : { created: null, notCreated: { d1: { type: "invalidProperties", properties: ["from"] } } };
    return {
      number: 0,
      startedAt: "2030-01-01T00:00:00.000Z",
      durationMs: 10,
      request: { method: "POST", url: "https://api.example/jmap", headers: [], body: jmapBody([]) },
      response: {
        status,
        headers: [["Content-Type", "application/json"]],
        body: JSON.stringify({ methodResponses: [["Email/set", result, "0"]] }),
      },
    };
  };
  return { sent, create };
}

test("a target that takes a draft without addresses is sent one", async () => {
  const { sent, create } = drafts(() => true);
  const { addresses } = await firstDraft(create, async () => own);
  expect({ addresses, sent }).toEqual({ addresses: {}, sent: [{}] });
});

test("one that takes none without is sent the address of the inbox", async () => {
  const { sent, create } = drafts((addresses) => addresses.from?.[0]?.email === own);
  const { addresses } = await firstDraft(create, async () => own);
  expect({ addresses, sent }).toEqual({ addresses: ownAddresses, sent: [{}, ownAddresses] });
});

test("where it takes none with that address either, no address is added", async () => {
  const { sent, create } = drafts(() => false);
  const { addresses } = await firstDraft(create, async () => own);
  expect({ addresses, sent }).toEqual({ addresses: {}, sent: [{}, ownAddresses] });
});

test("what was not served is not tried with addresses", async () => {
  const { sent, create } = drafts(() => false, 503);
  const { addresses } = await firstDraft(create, async () => own);
  expect({ addresses, sent }).toEqual({ addresses: {}, sent: [{}] });
});

test.for([
  { why: "nothing shows it", find: async () => undefined },
  {
    why: "the profile has to name it",
    find: () => Promise.reject(new BlockedError("needs the address of an inbox")),
  },
  {
    why: "it is refused",
    find: () => Promise.reject(new InconclusiveError("control-refused", "Identity/get: got 403")),
  },
])("an address that is not known is none: $why", async ({ find }) => {
  const { sent, create } = drafts(() => false);
  const { addresses } = await firstDraft(create, find);
  expect({ addresses, sent }).toEqual({ addresses: {}, sent: [{}] });
});

test("a disturbance on the way to the address is none of the target", async () => {
  const find = () => Promise.reject(new InconclusiveError("target-unreachable", "no connection"));
  await expect(firstDraft(drafts(() => false).create, find)).rejects.toThrow("no connection");
});
