import type { Symptoms } from "./symptom.ts";

/** `fixtures/faults/diagnosis/dictionary.json`: what each known defect looks like from outside. */
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
}

export function entriesOf({ faults, neighbours }: FaultDictionary): readonly Entry[] {
  return [
    ...Object.entries(faults).map(([id, fault]) => ({ id, ...fault })),
    ...Object.entries(neighbours).map(([id, symptoms]) => ({ id, symptoms })),
  ];
}
