import { type Requirement, requirements } from "../../fixtures/spec/requirements.ts";
import { type Suite, suites } from "../suites.ts";

/** What a run chooses from: suites, and the requirements that the ids of their checks name. */
export interface Catalogue {
  readonly suites: readonly Suite[];
  readonly requirements: ReadonlyMap<string, CataloguedRequirement>;
}

/** `own`: a requirement of whoever wrote the checks, beside the interface document. */
export type CataloguedRequirement = Omit<Requirement, "source"> & {
  readonly source: Requirement["source"] | "own";
};

/** What comes with mailproof. */
export const catalogue: Catalogue = { suites, requirements };

export function checkIds({ suites: all }: Catalogue): string[] {
  return all.flatMap(({ checks }) => checks.map(({ id }) => id));
}
