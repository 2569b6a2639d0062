import { expect, test, vi } from "vitest";
import { createSolver } from "../pow/solver.ts";
import { createEvidence } from "../target/evidence.ts";
import { parseProfile } from "../target/profile.ts";
import { openTarget, type Target } from "../target/target.ts";
import { creatingInbox } from "./created-inboxes.ts";

const url = "http://127.0.0.1:9";
vi.stubEnv("ALICE_PASSWORD", "of alice");
const profile = parseProfile(
  {
    auth_url: url,
    api_url: url,
    mcp_url: url,
    humans: [
      {
        name: "alice",
        consent: {
          driver: "form",
          username: "alice",
          password: "env:ALICE_PASSWORD",
          new_inbox: { choose: "inbox=new", name: "new_name" },
        },
      },
    ],
  },
  "of the test",
);

function targetOf(): Target {
  return openTarget(profile, createSolver(), new AbortController().signal).targetFor(createEvidence());
}

const posting = (body: string) => ({
  method: "POST",
  url: `${url}/consent`,
  headers: [["Content-Type", "application/x-www-form-urlencoded"]] as const,
  body,
});

test("an inbox is created on the first page that has the field, and what a later page carries on is left as it is", () => {
  const target = targetOf();
  const created: string[] = [];
  const forge = creatingInbox(target, () => created.push("inbox"), "news");
  const bodies = ["step=terms", "inbox=first&new_name=", "inbox=made-just-now&scope=mail.read"].map(
    (body) => forge(target, posting(body)).body,
  );
  expect(bodies).toEqual(["step=terms", "inbox=new&new_name=news", "inbox=made-just-now&scope=mail.read"]);
  expect(created).toEqual(["inbox"]);
});
