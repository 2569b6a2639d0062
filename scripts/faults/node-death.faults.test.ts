import { expect, test } from "vitest";
import { answeringBeforeItWrites, type MortalNode } from "../../fixtures/faults/nodes/node-death.ts";
import { restartChecks } from "../../suites/histories/restarts.checks.ts";
import { judgeNodes } from "./judge-nodes.ts";

const checks = restartChecks.filter(({ id }) => id === "LIFE-06/node-killed");
// Each life ends with the death of one, and one has to be left.
const nodes = { count: 16, mayDie: true };

test("nodes that share what they acknowledge keep it when one of them dies", async () => {
  const [result] = await judgeNodes(nodes, {}, checks);
  expect(result).toMatchObject({ id: "LIFE-06/node-killed", verdict: "pass" });
});

test("a node that answers before it writes is found when it dies, with a story that names its death", async () => {
  const mortal = new Map<number, MortalNode>();
  const [result] = await judgeNodes(
    nodes,
    {
      storeOf(shared, tables, at) {
        const node = answeringBeforeItWrites(shared, tables);
        mortal.set(at, node);
        return node.store;
      },
      onDeath: (at) => mortal.get(at)?.die(),
    },
    checks,
  );
  expect(result).toMatchObject({ id: "LIFE-06/node-killed", verdict: "fail" });
  expect(result?.steps?.join(" ")).toContain("One node of the target is killed while the others serve.");
});
