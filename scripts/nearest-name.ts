import { editDistance } from "../suites/support/target/unknown-keys.ts";

/** The name that was probably meant: at most a third of its letters are others. */
export function nearestName(wrong: string, names: readonly string[]): string | undefined {
  const distanceOf = (name: string): number => editDistance(name, wrong.toLowerCase());
  return names
    .filter((name) => distanceOf(name) <= name.length / 3)
    .toSorted((a, b) => distanceOf(a) - distanceOf(b))[0];
}
