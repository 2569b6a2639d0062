import { expect, test } from "vitest";
import { parseProfile } from "../target/profile.ts";
import { refuseUnknownChecks } from "./known-results.ts";

const url = "https://mail.example";
const entry = { verdict: "fail", reason: "being fixed", expires: "2099-01-01" };
const ids = ["META-02", "REDIR-08/upper-case-host", "REDIR-08/port", "REDIR-09"];

function refuse(id: string): void {
  const urls = { auth_url: url, api_url: url, mcp_url: url };
  refuseUnknownChecks(parseProfile({ ...urls, known: { [id]: entry } }, "of the test"), ids);
}

test("a known result of a check that exists is accepted", () => {
  expect(() => refuse("REDIR-08/port")).not.toThrow();
});

test.for([
  { id: "META-2", near: "did you mean META-02?", why: "a letter is missing" },
  { id: "meta-02", near: "did you mean META-02?", why: "the case is wrong" },
  {
    id: "REDIR-08/port-number",
    near: "did you mean REDIR-08/port or REDIR-08/upper-case-host",
    why: "the requirement has no such case, and its own cases come first",
  },
  { id: "REDIR-08", near: "did you mean REDIR-08/port", why: "it is a requirement with several checks" },
  { id: "something-else", near: "`mailproof list` shows them all", why: "nothing is near" },
])("$id is refused, since $why", ({ id, near }) => {
  expect(() => refuse(id)).toThrow(`there is no check "${id}"; `);
  expect(() => refuse(id)).toThrow(near);
});
