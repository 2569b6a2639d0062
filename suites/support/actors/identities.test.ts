import { expect, test } from "vitest";
import { senderAmong } from "./identities.ts";

const ofInbox = { id: "i1", email: "Work@mail.example" };
const alias = { id: "i2", email: "alias@aliases.example" };
const ofDomain = { id: "i3", email: "*@mail.example" };

test.for([
  { list: [ofDomain, alias, ofInbox], name: "work", sender: ofInbox, why: "inboxId is the local part" },
  { list: [alias, ofInbox], name: "work@mail.example", sender: ofInbox, why: "inboxId is the address" },
  { list: [ofDomain, alias], name: "work", sender: alias, why: "no identity has the name" },
  {
    list: [ofDomain],
    name: "work@mail.example",
    sender: { id: "i3", email: "work@mail.example" },
    why: "a domain is not an address, and covers that of the inbox",
  },
  {
    list: undefined,
    name: "work@mail.example",
    sender: { id: undefined, email: "work@mail.example" },
    why: "no identities are listed",
  },
])("sends as $sender.email: $why", ({ list, name, sender }) => {
  expect(senderAmong(list, name)).toEqual({ email: sender.email, identityId: sender.id });
});

test("knows no sender where neither the identities nor the name show an address", () => {
  expect(senderAmong([ofDomain], "work")).toBeUndefined();
});
