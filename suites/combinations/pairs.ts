/** The choices of which a case takes one each: factor → its values. */
export type Factors<Case> = { readonly [Factor in keyof Case]: readonly Case[Factor][] };

/**
 * Few cases in which every pair of values of two factors occurs together (pairwise testing): greedy, and always the same for
 * the same factors.
 */
export function pairwise<Case extends Readonly<Record<string, string>>>(
  factors: Factors<Case>,
): readonly Case[] {
  const candidates = product(factors);
  const missing = new Set(candidates.flatMap(pairsOf));
  const chosen: Case[] = [];
  while (missing.size > 0) {
    const counted = candidates.map((candidate) => ({
      candidate,
      gain: pairsOf(candidate).filter((pair) => missing.has(pair)).length,
    }));
    const best = counted.reduce((a, b) => (b.gain > a.gain ? b : a));
    chosen.push(best.candidate);
    for (const pair of pairsOf(best.candidate)) missing.delete(pair);
  }
  return chosen;
}

/** Each pair of values in a case, as a text that is the same for the same pair. */
export function pairsOf(values: Readonly<Record<string, string>>): string[] {
  const entries = Object.entries(values).map(([factor, value]) => `${factor}=${value}`);
  return entries.flatMap((one, at) => entries.slice(at + 1).map((other) => `${one} & ${other}`));
}

function product<Case extends Readonly<Record<string, string>>>(factors: Factors<Case>): Case[] {
  let cases: Record<string, string>[] = [{}];
  for (const [factor, values] of Object.entries<readonly string[]>(factors))
    cases = cases.flatMap((begun) => values.map((value) => ({ ...begun, [factor]: value })));
  // Every factor has one of its values now, which the loop cannot tell the compiler.
  return cases as Case[];
}
