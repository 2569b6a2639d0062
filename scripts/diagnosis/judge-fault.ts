import type { Fault } from "../../fixtures/faults/fault.ts";
import type { NodeFault } from "../../fixtures/faults/nodes/node-fault.ts";
import { nodeFaults } from "../../fixtures/faults/nodes/nodes.ts";
import type { Check } from "../../suites/support/judging/check.ts";
import { accompanyingChecks } from "../faults/accompanying-checks.ts";
import type { Catch } from "../faults/caught-by.ts";
import { catchersOf } from "../faults/fault-run.ts";
import { judgeNodes } from "../faults/judge-nodes.ts";
import { suites } from "../suites.ts";
import { type Symptom, type Symptoms, symptomOf } from "./symptom.ts";

const checks = suites.flatMap((suite) => suite.checks);

/**
 * What the checks that catch a fault observe. Only these are run, and where one of them notices the fault only in the
 * company of others, those too. One that still passes, or has another verdict without the whole run, has a symptom
 * without an observed value.
 */
export async function symptomsOf(fault: Fault, caughtBy: Readonly<Record<string, Catch>>): Promise<Symptoms> {
  const named = checks.filter(({ id }) => id in caughtBy);
  const seen = await seenBy(fault, named);
  const isSilent = ({ id }: Check): boolean => seen.get(id)?.verdict !== caughtBy[id];
  const inCompany = named.some(isSilent)
    ? await seenBy(fault, [...new Set([...accompanyingChecks(fault, named), ...named])])
    : seen;
  return Object.fromEntries(
    named.map(({ id }) => {
      const verdict = caughtBy[id] ?? "fail";
      const symptom = [seen.get(id), inCompany.get(id)].find((one) => one?.verdict === verdict);
      return [id, symptom ?? { verdict }];
    }),
  );
}

/**
 * Those that checks of several nodes catch. From outside, a race between nodes is any race: a single service has it as often,
 * and has an entry for it.
 */
export const recognisableNodeFaults = nodeFaults.filter(({ caughtBy }) =>
  caughtBy.every((id) => id.includes("/every-")),
);

/** What the checks that must catch a defect of several nodes observe, when the profile lists the addresses of two. */
export async function symptomsOfNodes(fault: NodeFault): Promise<Symptoms> {
  const named = checks.filter(({ id }) => fault.caughtBy.includes(id));
  const results = await judgeNodes({ count: 2, isListed: true }, fault, named);
  return Object.fromEntries(
    named.map(({ id }) => {
      const failure = results.find((result) => result.id === id && result.verdict === "fail");
      return [id, failure === undefined ? { verdict: "fail" } : symptomOf(failure, "fail")];
    }),
  );
}

async function seenBy(fault: Fault, toRun: readonly Check[]): Promise<ReadonlyMap<string, Symptom>> {
  const results = await catchersOf(fault, toRun);
  return new Map(results.map((result) => [result.id, symptomOf(result, result.verdict)]));
}
