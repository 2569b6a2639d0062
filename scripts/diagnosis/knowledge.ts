import calibrationFile from "../../fixtures/diagnosis/calibration.json" with { type: "json" };
import dictionaryFile from "../../fixtures/diagnosis/dictionary.json" with { type: "json" };
import type { Calibration } from "./confidence.ts";
import { type Knowledge, knowledgeOf } from "./diagnose.ts";
import type { FaultDictionary } from "./dictionary.ts";

// Written by `mailproof diagnosis`, and checked by a test.
export const knownFaults = dictionaryFile as unknown as FaultDictionary;
export const calibration = calibrationFile as Calibration;

export const knowledge: Knowledge = knowledgeOf(knownFaults, calibration);
