import { expect, test } from "vitest";
import { parseProfile } from "../target/profile.ts";
import { check } from "./check.ts";
import { leaveOut } from "./left-out.ts";

const urls = {
  auth_url: "https://auth.example",
  api_url: "https://api.example",
  mcp_url: "https://mcp.example",
};

function checkOf(id: string, unlockedBy?: "client_metadata" | "client_metadata_listener") {
  const always = { claim: "It holds.", act: async () => 0, assert: () => {} };
  return check({ id, ...always, ...(unlockedBy && { unlockedBy }) });
}

const always = checkOf("META-02");
const published = checkOf("CIMD-01/accepted", "client_metadata");
const listening = checkOf("CIMD-01/fetched", "client_metadata_listener");
const checks = [always, published, listening];

test.for([
  {
    given: "nothing",
    keys: {},
    judged: [always],
    leftOut: [
      { unlock: "client_metadata", checks: [published] },
      { unlock: "client_metadata_listener", checks: [listening] },
    ],
  },
  {
    given: "a folder to publish in",
    keys: { client_metadata: { publish: "folder", base_url: "https://docs.example", folder: "clients" } },
    judged: [always, published],
    leftOut: [{ unlock: "client_metadata_listener", checks: [listening] }],
  },
  {
    given: "a listener",
    keys: { client_metadata: { publish: "listener", ca_file: "ca.pem" } },
    judged: checks,
    leftOut: [],
  },
])("a profile that gives $given leaves out what it cannot unlock", ({ keys, judged, leftOut }) => {
  const profile = parseProfile({ ...urls, ...keys }, "of the test");
  expect(leaveOut(checks, profile)).toEqual({ judged, leftOut });
});
