import { requirementOf } from "../../suites/support/judging/check.ts";
import { wordsOf } from "./normal-value.ts";
import type { Symptom, Symptoms } from "./symptom.ts";

/** `fixtures/diagnosis/dictionary.json`: what each known defect looks like from outside. */
export interface FaultDictionary {
  readonly format: "mailproof-fault-dictionary/1";
  /** By the id of the fault. */
  readonly faults: Readonly<Record<string, { readonly sentence: string; readonly symptoms: Symptoms }>>;
  /**
   * Changes of the service that a machine made, by their key. They have no sentence; one that fits as well as a fault lowers
   * the confidence in it.
   */
  readonly neighbours: Readonly<Record<string, Symptoms>>;
}

/** A defect that a run may have: a fault, or a neighbour without a sentence. */
export interface Entry {
  readonly id: string;
  readonly sentence?: string;
  readonly symptoms: Symptoms;
  readonly predicted: readonly Prediction[];
  readonly byCheck: ReadonlyMap<string, Prediction>;
  readonly requirements: readonly string[];
}

/** A check that a defect makes fail or warn. */
export interface Prediction {
  readonly id: string;
  readonly requirement: string;
  readonly verdict: Symptom["verdict"];
  /** Normalised, with its words; absent where it is not known. */
  readonly observed?: string;
  readonly words?: ReadonlySet<string>;
}

export function entriesOf({ faults, neighbours }: FaultDictionary): readonly Entry[] {
  return [
    ...Object.entries(faults).map(([id, { sentence, symptoms }]) => ({ ...entryOf(id, symptoms), sentence })),
    ...Object.entries(neighbours).map(([id, symptoms]) => entryOf(id, symptoms)),
  ];
}

function entryOf(id: string, symptoms: Symptoms): Entry {
  const predicted = Object.entries(symptoms).map(([check, { verdict, observed }]) => ({
    id: check,
    requirement: requirementOf(check),
    verdict,
    ...(observed !== undefined && { observed, words: wordsOf(observed) }),
  }));
  return {
    id,
    symptoms,
    predicted,
    byCheck: new Map(predicted.map((prediction) => [prediction.id, prediction])),
    requirements: [...new Set(predicted.map(({ requirement }) => requirement))],
  };
}
