import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import broadFaults from "../fixtures/faults/broad-faults.json" with { type: "json" };
import { nodeFaults } from "../fixtures/faults/nodes/nodes.ts";
import { storeFaults } from "../fixtures/faults/stores/store.ts";
import { requirements } from "../fixtures/spec/requirements.ts";
import { requirementOf } from "../suites/support/judging/check.ts";
import { leaveOut } from "../suites/support/judging/left-out.ts";
import { unlocks } from "../suites/support/target/unlocks.ts";
import { judgedElsewhere, notJudged } from "../suites/unchecked.ts";
import { embeddedProfile } from "./embedded-service.ts";
import { readCaughtBy } from "./faults/caught-by.ts";
import { allFaults } from "./faults/fault-list.ts";
import { suites } from "./suites.ts";
import { createUnlockingKeys } from "./unlocking-keys.ts";

const checks = suites.flatMap((suite) => suite.checks);
const ids = checks.map(({ id }) => id);

test("no two checks share an id", () => {
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});

test("every check decides a requirement that exists", () => {
  expect(ids.filter((id) => !requirements.has(requirementOf(id)))).toEqual([]);
});

describe("every requirement has a check, or says what decides it or why nothing does", () => {
  const checked = new Set(ids.map(requirementOf));
  const decides = (id: string): boolean => ids.includes(id) || checked.has(id);

  test("each stands in exactly one place", () => {
    const placesOf = (id: string): number =>
      [checked.has(id), id in judgedElsewhere, id in notJudged].filter(Boolean).length;
    expect([...requirements.keys()].filter((id) => placesOf(id) !== 1)).toEqual([]);
  });

  test("no list names an unknown requirement", () => {
    const listed = [...Object.keys(judgedElsewhere), ...Object.keys(notJudged)];
    expect(listed.filter((id) => !requirements.has(id))).toEqual([]);
  });

  test("what is judged elsewhere names checks that exist", () => {
    expect(
      Object.values(judgedElsewhere)
        .flat()
        .filter((id) => !decides(id)),
    ).toEqual([]);
  });
});

describe("every key that unlocks checks", () => {
  const keys = Object.entries(unlocks);

  test.for(keys)("%s unlocks checks", ([unlock]) => {
    expect(checks.filter(({ unlockedBy }) => unlockedBy === unlock)).not.toEqual([]);
  });

  test.for(keys)("%s is explained where the keys of a profile are", ([, { key }]) => {
    const readme = readFileSync(new URL("../fixtures/targets/README.md", import.meta.url), "utf8");
    expect(readme).toMatch(new RegExp(`\\| \`${key.replaceAll(/[.[\]]/gu, "\\$&")}[\`:]`, "u"));
  });

  test("is in the profile of the embedded reference service", () => {
    const urls = { auth_url: "http://auth.test", api_url: "http://api.test", mcp_url: "http://mcp.test" };
    const unlocking = createUnlockingKeys();
    try {
      const humans = [{ username: "alice", password: "secret", inboxes: ["work", "home"] }];
      const profile = embeddedProfile({ addresses: urls, humans, keys: unlocking });
      // It keeps its state in memory, tests without number judge it in their own process, and it has one node.
      expect(leaveOut(checks, profile).leftOut.map(({ unlock }) => unlock)).toEqual([
        "restart",
        "kill_node_hook",
        "restart_with_dashboard",
      ]);
      expect(leaveOut(checks, embeddedProfile({ addresses: urls, humans: [] })).leftOut).toHaveLength(
        keys.length,
      );
    } finally {
      unlocking.remove();
    }
  });
});

test("every fault belongs to a suite", () => {
  const names = suites.map(({ name }) => name);
  expect(
    allFaults.filter(({ id }) => !names.includes(id.split("/", 1)[0] ?? "")).map(({ id }) => id),
  ).toEqual([]);
});

test("caught-by.json names every fault, by checks that exist, and each fails at least one check", () => {
  const caughtBy = readCaughtBy();
  expect(Object.keys(caughtBy)).toEqual(allFaults.map(({ id }) => id).toSorted());
  expect(
    Object.values(caughtBy)
      .flatMap(Object.keys)
      .filter((id) => !ids.includes(id)),
  ).toEqual([]);
  expect(
    allFaults.filter(({ id }) => Object.keys(caughtBy[id] ?? {}).length === 0).map(({ id }) => id),
  ).toEqual([]);
});

describe("one defect, few failures", () => {
  const failures = (id: string): number =>
    Object.values(readCaughtBy()[id] ?? {}).filter((how) => how === "fail").length;

  test("the median fault fails at most three checks", () => {
    const counts = allFaults.map(({ id }) => failures(id)).toSorted((a, b) => a - b);
    expect(counts[Math.floor(counts.length / 2)]).toBeLessThanOrEqual(3);
  });

  test("only the listed faults fail more than 25 checks, each with its reason", () => {
    const broad = allFaults.filter(({ id }) => failures(id) > 25).map(({ id }) => id);
    expect(broad.toSorted()).toEqual(Object.keys(broadFaults).toSorted());
  });
});

test.for(["pkce", "redirect-uri", "resource", "refresh", "account-header", "scope", "pow"])(
  "%s has three faults or more",
  (suite) => {
    expect(allFaults.filter(({ id }) => id.startsWith(`${suite}/`)).length).toBeGreaterThanOrEqual(3);
  },
);

test.for(suites)("$name has a fault and checks", ({ name, checks: own }) => {
  // What shows only after a restart is proved by faults of the store, in durability.hostile.test.ts, and what shows only with
  // several nodes in node-faults.faults.test.ts.
  const faults =
    name === "durability"
      ? storeFaults
      : [...allFaults, ...nodeFaults].filter(({ id }) => id.startsWith(`${name}/`));
  expect(faults).not.toEqual([]);
  expect(own).not.toEqual([]);
});
