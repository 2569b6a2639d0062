/** What verifying something came to, in sentences. */
export interface Outcome {
  readonly proved: readonly string[];
  /** What is not as it was certified. */
  readonly broken: readonly string[];
  /** What the target does otherwise now. */
  readonly notReproduced?: readonly string[];
  /** What could not be tried. */
  readonly untried?: readonly string[];
}

const most = 20;

/** The first of a long list, and how many more there are. */
export function firstOf(lines: readonly string[]): string[] {
  const more = lines.length - most;
  return more > 0 ? [...lines.slice(0, most), `and ${more} more`] : [...lines];
}

export function joined(outcomes: readonly Outcome[]): Required<Outcome> {
  return {
    proved: outcomes.flatMap(({ proved }) => proved),
    broken: outcomes.flatMap(({ broken }) => broken),
    notReproduced: outcomes.flatMap(({ notReproduced = [] }) => notReproduced),
    untried: outcomes.flatMap(({ untried = [] }) => untried),
  };
}
