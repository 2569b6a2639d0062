import { expect, test } from "vitest";
import { consent, consentOf } from "./consent.ts";

test.for([
  { why: "nothing to do", args: [], says: 'expected "consent record"' },
  { why: "no profile", args: ["record", "--human", "alice"], says: "--target and --human are needed" },
  {
    why: "a decision that there is not",
    args: ["record", "--decision", "refuse"],
    says: "--decision is one of approve, deny, read_only, new_inbox, got refuse",
  },
])("$why is an error of usage", async ({ args, says }) => {
  await expect(consent(args)).rejects.toMatchObject({
    name: "UsageError",
    message: expect.stringContaining(says),
  });
});

test("what was recorded is printed as the consent of a profile, its secrets by reference", () => {
  const sign_in = [{ fill: { label: "Password" }, value: "{password}" }];
  const decision = [{ click: { role: "button", name: "Deny" } }];
  const human = { name: "alice b", consent: { username: "alice" } };
  expect(consentOf({ sign_in, decision }, human, "deny")).toEqual({
    driver: "browser",
    username: "alice",
    password: "env:ALICE_B_PASSWORD",
    sign_in,
    deny: decision,
  });
});
