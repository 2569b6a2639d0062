import { type MethodCall, responseTo } from "../support/actors/jmap.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import type { Reading } from "../support/material/reading-methods.ts";
import type { Target } from "../support/target/target.ts";
import { type Exchange, isJsonObject, type JsonObject } from "../support/wire/exchange.ts";
import { readingsOf } from "./every-method.checks.ts";
import { type MarkedInbox, markedInbox } from "./marked-inboxes.ts";
import { ask, requireAnswered } from "./two-inboxes.ts";

/** What a method that reads by id showed under the header of an inbox that does not have the object. */
interface Shown {
  readonly method: string;
  readonly exchange: Exchange;
  readonly isForeign: boolean;
}

function listIn(exchange: Exchange): readonly JsonObject[] {
  const list = responseTo(exchange, "0")?.args["list"];
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** By method: whether an object that the selected inbox was shown is one of its own, since accounts may count theirs alike. */
const isOwn: Readonly<
  Record<
    string,
    (target: Target, own: MarkedInbox, object: JsonObject, reading: Reading) => boolean | Promise<boolean>
  >
> = {
  async "Mailbox/get"(target, own, { id }) {
    const all = await ask(target.setup, own, [["Mailbox/get", { ids: null, properties: ["id"] }, "0"]]);
    return listIn(all).some((mailbox) => mailbox["id"] === id);
  },
  async "Thread/get"(target, own, { emailIds }) {
    const found = await ask(target.setup, own, [["Email/get", { ids: emailIds, properties: ["id"] }, "0"]]);
    return listIn(found).length > 0;
  },
  // Of two submissions or messages of the same id, something differs: when they were sent, or what they say.
  "EmailSubmission/get": (_target, _own, object, { texts }) => hasOtherText(object, texts),
  "Email/get": (_target, _own, object, { texts }) => hasOtherText(object, texts),
};

function hasOtherText(value: unknown, texts: ReadonlySet<string>): boolean {
  if (typeof value === "string") return !texts.has(value);
  return typeof value === "object" && value !== null
    ? Object.values(value).some((inner) => hasOtherText(inner, texts))
    : false;
}

async function shownOf(target: Target, own: MarkedInbox, reading: Reading): Promise<Shown[]> {
  const { method, args } = reading;
  const isOwnObject = isOwn[method];
  if (isOwnObject === undefined) return [];
  const call: MethodCall = [method, args, "0"];
  const exchange = await ask(target, own, [call]);
  const [object] = listIn(exchange);
  const isForeign = object !== undefined && !(await isOwnObject(target, own, object, reading));
  return [{ method, exchange, isForeign }];
}

const otherObjects = check({
  id: "HDR-17/other-ids",
  claim:
    "Under the header of one inbox, no method shows a mailbox, thread, submission or message of another owned inbox by its id.",
  needs: ["human"],
  async act(target) {
    const [own, other] = [await markedInbox(target, "own"), await markedInbox(target, "second")];
    const shown: Shown[] = [];
    for (const reading of await readingsOf(target, other))
      shown.push(...(await shownOf(target, own, reading)));
    return shown;
  },
  assert(shown) {
    for (const { method, exchange, isForeign } of shown) {
      requireAnswered(exchange);
      explained(method === "Email/get" ? "HDR-17/email-id" : undefined, () =>
        expectThat(!isForeign, `nothing of the other inbox from ${method}`, "an object of it", exchange),
      );
    }
  },
});

/** Objects beside messages belong to an inbox too. Document, "Authentication", OAuth 2.0 path 9. */
export const otherObjectChecks = [otherObjects];
