import { expect, test } from "vitest";
import { alice, checkBoxes, stepOn } from "./example-pages.ts";

test("creates an inbox by the fields that the profile names", () => {
  const newInbox = { choose: "inbox=new", name: "new_inbox" };
  const step = stepOn(checkBoxes, "approve with a new inbox", { ...alice, new_inbox: newInbox });
  expect(step).toMatchObject({
    createsInbox: true,
    fields: [
      ["scope", "mail.read"],
      ["scope", "mail.send"],
      ["inbox", "new"],
      ["new_inbox", expect.stringMatching(/^mailproof-[0-9a-f]{10}$/u)],
    ],
  });
});

test("creates no inbox on a page without such a field", () => {
  const newInbox = { choose: "mailbox=new" };
  const step = stepOn(checkBoxes, "approve with a new inbox", { ...alice, new_inbox: newInbox });
  expect(step).not.toHaveProperty("createsInbox");
});

test("a new inbox is chosen on a page before the one that asks for approval", () => {
  const page = `<form method=post><label><input type=radio name=inbox value=a checked> a</label><label><input type=radio name=inbox value=new> New</label><input name=name><button>Continue</button></form>`;
  const who = { ...alice, new_inbox: { choose: "inbox=new", name: "name" } };
  expect(stepOn(page, "approve with a new inbox", who)).toMatchObject({
    purpose: "continue",
    createsInbox: true,
    fields: expect.arrayContaining([["inbox", "new"]]),
  });
});

test("a new inbox is created by a button of its own", () => {
  const page = `<h1>Inbox</h1><form method=post><button name=inbox value=a>a</button><input name=name><button name=inbox value=new>Create</button></form>`;
  const who = { ...alice, new_inbox: { choose: "inbox=new", name: "name" } };
  expect(stepOn(page, "approve with a new inbox", who)).toMatchObject({
    createsInbox: true,
    button: { value: "new" },
    fields: [["name", expect.stringMatching(/^mailproof-/u)]],
  });
});
