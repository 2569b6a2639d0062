import type { Run, RunRequirement } from "../run-format.ts";

/** A heading of the interface document, an RFC, or what suites of others added, with the requirements found there. */
export interface DocumentPart {
  /** Unique in the page: `part-3`. */
  readonly id: string;
  /** The top heading: `Authentication`, `RFC 6749`. */
  readonly area: string;
  /** The heading below it with its number: `OAuth 2.0 path, 6`; empty for what stands under the top heading. */
  readonly title: string;
  readonly requirements: readonly RunRequirement[];
}

const ownArea = "Your own checks";

/**
 * The requirements in the order of the document, each where its statement stands first; then those that only an RFC states,
 * by RFC; then those of suites that `--checks` added.
 */
export function documentParts({
  requirements,
  sections,
}: Pick<Run, "requirements" | "sections">): DocumentPart[] {
  const groups = [...Map.groupBy(requirements, placeOf)].map(([place, group]) => ({
    ...splitPlace(place),
    rank: rankOf(place, group, sections),
    requirements: group,
  }));
  return groups
    .toSorted((a, b) => compareRanks(a.rank, b.rank))
    .map(({ area, title, requirements: group }, at) => ({
      id: `part-${at}`,
      area,
      title,
      requirements: group,
    }));
}

/** The parts of each area, in order. */
export function areasOf(parts: readonly DocumentPart[]): (readonly [area: string, parts: DocumentPart[]])[] {
  return [...Map.groupBy(parts, ({ area }) => area)];
}

function placeOf({ source, section }: RunRequirement): string {
  const [first = ""] = section.split("; ");
  if (source === "own") return ownArea;
  // Sections of RFCs are too many to stand alone.
  return source === "rfc" ? first.replace(/ (?:§|Appendix).*$/u, "") : first;
}

function splitPlace(place: string): { readonly area: string; readonly title: string } {
  const [area = "", ...rest] = place.split(" › ");
  return { area, title: rest.join(" › ") };
}

function rankOf(
  place: string,
  [first]: readonly RunRequirement[],
  sections: readonly string[],
): readonly number[] {
  if (first?.source === "own") return [2];
  if (first?.source === "rfc") return [1, Number(/^RFC (\d+)/u.exec(place)?.[1] ?? Number.MAX_SAFE_INTEGER)];
  const [, path = place, item = "0"] = /^(.*?)(?:, (\d+))?$/u.exec(place) ?? [];
  const at = sections.indexOf(path);
  return [0, at === -1 ? sections.length : at, Number(item)];
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
