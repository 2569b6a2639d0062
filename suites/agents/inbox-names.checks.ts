import { addressesIn, addressHasName } from "../support/actors/identities.ts";
import { jmapAs, jmapBody, responseTo, urn } from "../support/actors/jmap.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { inboxesOf, twoInboxes } from "../support/material/inboxes.ts";
import { NotApplicableError } from "../support/verdict.ts";
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
      "Where the identities of an inbox bear the `inboxId` of an inbox in the list, they bear that of its own entry.",
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
      const bears = ({ addresses }: NamedInbox, { name }: NamedInbox): boolean =>
        addresses.some((address) => addressHasName(address, name));
      // A name may be anything: then no address bears any of them.
      if (!inboxes.some((inbox) => inboxes.some((other) => bears(inbox, other))))
        throw new NotApplicableError("no identity bears the name of an inbox");
      for (const inbox of inboxes) {
        const namesake = inboxes.find((other) => other.name !== inbox.name && bears(inbox, other));
        const isCrossed = namesake !== undefined && !bears(inbox, inbox);
        expectThat(!isCrossed, `an identity of ${inbox.name}`, inbox.addresses.join(", "), inbox.exchange);
      }
    },
  }),
];
