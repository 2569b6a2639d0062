import { jmapBody, type MethodCall, responseTo } from "../actors/jmap.ts";
import { type Exchange, type JsonObject, jsonObjectsIn } from "../wire/exchange.ts";
import type { Ask, Reading } from "./reading-methods.ts";

/** What a method that reads by id showed of an inbox that does not have the object. */
export interface ShownById {
  readonly method: string;
  readonly exchange: Exchange;
  readonly isForeign: boolean;
}

type IsOwn = (ask: Ask, object: JsonObject, reading: Reading) => boolean | Promise<boolean>;

/** By method: whether an object that an inbox was shown is one of its own, since accounts may count theirs alike. */
const isOwn: Readonly<Record<string, IsOwn>> = {
  async "Mailbox/get"(ask, { id }) {
    const all = await ask(jmapBody([["Mailbox/get", { ids: null, properties: ["id"] }, "0"]]));
    return jsonObjectsIn(responseTo(all, "0")?.args["list"]).some((mailbox) => mailbox["id"] === id);
  },
  async "Thread/get"(ask, { emailIds }) {
    const found = await ask(jmapBody([["Email/get", { ids: emailIds, properties: ["id"] }, "0"]]));
    return jsonObjectsIn(responseTo(found, "0")?.args["list"]).length > 0;
  },
  // Of two submissions or messages of the same id, something differs: when they were sent, or what they say.
  "EmailSubmission/get": (_ask, object, { texts }) => hasOtherText(object, texts),
  "Email/get": (_ask, object, { texts }) => hasOtherText(object, texts),
};

function hasOtherText(value: unknown, texts: ReadonlySet<string>): boolean {
  if (typeof value === "string") return !texts.has(value);
  return typeof value === "object" && value !== null
    ? Object.values(value).some((inner) => hasOtherText(inner, texts))
    : false;
}

/**
 * Calls the methods that read by id with the ids of another inbox, in the own one and without an `accountId`.
 *
 * @param shown - what they show the owner of the other inbox
 */
export async function shownById(ask: Ask, shown: readonly Reading[]): Promise<readonly ShownById[]> {
  const found: ShownById[] = [];
  for (const reading of shown) {
    const { method, args } = reading;
    const isOwnObject = isOwn[method];
    if (isOwnObject === undefined) continue;
    const call: MethodCall = [method, args, "0"];
    const exchange = await ask(jmapBody([call]));
    const [object] = jsonObjectsIn(responseTo(exchange, "0")?.args["list"]);
    const isForeign = object !== undefined && !(await isOwnObject(ask, object, reading));
    found.push({ method, exchange, isForeign });
  }
  return found;
}
