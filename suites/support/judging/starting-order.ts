import { type Check, requirementOf } from "./check.ts";

/** Between two checks that search for proofs of work start so many others. */
const othersBetweenProofs = 4;

/**
 * The order in which checks start that run side by side: the longest waits in real time first, and checks that search for
 * proofs of work among the others. The solver then computes while the target and this process answer each other. Were they
 * spread over the whole run, so few searches would go on at a time that the solver's batches would be half empty.
 * Registration comes last: a limit that its checks use up must not leave the others without clients. The suites that judge
 * single requests come late, since the others take longest and would end alone.
 */
export function startingOrder(checks: readonly Check[]): Check[] {
  const inOrder = checks.toSorted(byWait).toReversed();
  const isFirst = ({ waitSeconds }: Check): boolean => waitSeconds !== undefined;
  const proofs = inOrder.filter((check) => !isFirst(check) && isOfProofs(check));
  const neither = inOrder.filter((check) => !isFirst(check) && !isOfProofs(check));
  const others = [
    ...neither.filter((check) => !isOfRegistration(check)),
    ...neither.filter(isOfRegistration),
  ];
  const mixed = proofs.flatMap((check, at) => [
    check,
    ...others.slice(at * othersBetweenProofs, (at + 1) * othersBetweenProofs),
  ]);
  return [...inOrder.filter(isFirst), ...mixed, ...others.slice(proofs.length * othersBetweenProofs)];
}

/** From the shortest wait to the longest. */
export function byWait(a: Check, b: Check): number {
  return (a.waitSeconds ?? 0) - (b.waitSeconds ?? 0);
}

function isOfRegistration({ id }: Check): boolean {
  return requirementOf(id).includes("DCR-");
}

/** Whether a check is about challenges and their proofs of work. */
export function isOfProofs({ id }: Check): boolean {
  return requirementOf(id).includes("POW-");
}
