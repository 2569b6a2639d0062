import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runJsonSchema } from "../reports/run-schema.ts";
import { parseProfile, profileJsonSchema } from "../suites/support/target/profile.ts";

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../fixtures/targets/${name}`, import.meta.url), "utf8"));

test("the profile schema on disk is the one that profiles are checked by (npm run schema writes it)", () => {
  expect(read("profile.schema.json")).toEqual(JSON.parse(JSON.stringify(profileJsonSchema())));
});

test("the schema of run.json on disk is the one that runs are read by (npm run schema writes it)", () => {
  expect(read("run.schema.json")).toEqual(JSON.parse(JSON.stringify(runJsonSchema())));
});

test("the example profile can be used once its secrets are set", () => {
  process.env["ALICE_PASSWORD"] ??= "set for this test";
  process.env["BOB_PASSWORD"] ??= "set for this test";
  expect(parseProfile(read("staging.json"), "staging.json")).toMatchObject({
    humans: [{ name: "alice" }, { name: "bob" }],
  });
});
