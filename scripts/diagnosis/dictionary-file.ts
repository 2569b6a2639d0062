import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import type { Calibration } from "./confidence.ts";
import type { FaultDictionary } from "./dictionary.ts";
import type { Symptoms } from "./symptom.ts";

const folder = new URL("../../fixtures/diagnosis/", import.meta.url);
const file = new URL("dictionary.json", folder);
const calibrationFile = new URL("calibration.json", folder);

export function readDictionary(): FaultDictionary {
  return JSON.parse(readFileSync(file, "utf8")) as FaultDictionary;
}

/** Sorted, so that a change shows as the lines that changed. */
export function writeDictionary({ format, faults, neighbours }: FaultDictionary): void {
  const content: FaultDictionary = {
    format,
    faults: sorted(faults, ({ sentence, symptoms }) => ({ sentence, symptoms: sortedSymptoms(symptoms) })),
    neighbours: sorted(neighbours, sortedSymptoms),
  };
  writeFileSync(file, `${JSON.stringify(content, undefined, 2)}\n`);
}

/** SHA-256 of what the diagnosis depends on, hexadecimal. */
export function dictionaryDigest(dictionary: FaultDictionary): string {
  return createHash("sha256").update(JSON.stringify(dictionary)).digest("hex");
}

export function readCalibration(): Calibration {
  return JSON.parse(readFileSync(calibrationFile, "utf8")) as Calibration;
}

export function writeCalibration(calibration: Calibration): void {
  writeFileSync(calibrationFile, `${JSON.stringify(calibration, undefined, 2)}\n`);
}

function sortedSymptoms(symptoms: Symptoms): Symptoms {
  return sorted(symptoms, (symptom) => symptom);
}

function sorted<From, To>(
  record: Readonly<Record<string, From>>,
  map: (value: From) => To,
): Record<string, To> {
  const entries = Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, value]) => [key, map(value)]));
}
