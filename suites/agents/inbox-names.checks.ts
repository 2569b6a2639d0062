import { addressesIn, addressHasName } from "../support/actors/identities.ts";
import { jmapAs, jmapBody, responseTo, urn } from "../support/actors/jmap.ts";
import { check } from "../support/judging/check.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { inboxesOf, twoInboxes } from "../support/material/inboxes.ts";
import { NotApplicableError, Violation } from "../support/verdict.ts";
import type { Exchange } from "../support/wire/exchange.ts";

/** An entry of the list, and the addresses that its inbox sends from. */
interface NamedInbox {
  readonly name: string;
  readonly addresses: readonly string[];
  readonly exchange: Exchange;
}

const identities = jmapBody([["Identity/get", { ids: null }, "0"]], [urn.core, urn.submission]);

/** Document, "Resources", inbox entry: `inboxId` is the name of the inbox, whose `accountId` stands beside it. */
export const inboxNameChecks = [
  check({
    id: "AGENTS-03/own-name",
    claim:
      "The list does not give the inboxes of a person each other's `inboxId`, as far as the addresses of their identities show.",
    needs: ["human"],
    async act(target): Promise<readonly NamedInbox[]> {
      await twoInboxes(target);
      const token = await sharedAccessToken(target);
      const named: NamedInbox[] = [];
      for (const { accountId, inboxId } of await inboxesOf(target)) {
        const exchange = await jmapAs(target, token, accountId, identities);
        const addresses = addressesIn(responseTo(exchange, "0")?.args["list"]);
        named.push({ name: inboxId.toLowerCase(), addresses, exchange });
      }
      return named;
    },
    assert(inboxes) {
      const hasName = ({ addresses }: NamedInbox, { name }: NamedInbox): boolean =>
        addresses.some((address) => addressHasName(address, name));
      const namesake = (inbox: NamedInbox): NamedInbox | undefined =>
        inboxes.find((other) => other.name !== inbox.name && hasName(inbox, other));
      // Where a person sends from one address alone, whatever the inbox, that inbox has its own name.
      const hasOwn = inboxes.some((inbox) => hasName(inbox, inbox));
      const others = inboxes.filter((inbox) => namesake(inbox) !== undefined);
      // A name may be anything: then no address contains any of them.
      if (!hasOwn && others.length === 0)
        throw new NotApplicableError("no identity has the name of an inbox");
      const [first] = others;
      if (hasOwn || first === undefined || others.length < 2) return;
      throw new Violation(`an identity of ${first.name}`, first.addresses.join(", "), {
        exchange: first.exchange,
      });
    },
  }),
];
