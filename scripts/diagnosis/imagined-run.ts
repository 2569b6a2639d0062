import { requirements } from "../../fixtures/spec/requirements.ts";
import type { RunCheck } from "../../reports/run-format.ts";
import { requirementOf, sentenceOf } from "../../suites/support/judging/check.ts";
import { suites } from "../suites.ts";
import type { Symptoms } from "./symptom.ts";

/**
 * The checks of a run of a service with these symptoms: all others passed, or were not judged.
 *
 * @param judged - ids of the checks that were judged; all of them by default
 */
export function imaginedChecks(symptoms: Symptoms, judged?: ReadonlySet<string>): readonly RunCheck[] {
  return suites.flatMap((suite) =>
    suite.checks.map((check): RunCheck => {
      const { id, kind } = check;
      const requirement = requirements.get(requirementOf(id));
      if (requirement === undefined) throw new TypeError(`check ${id} names no requirement`);
      const symptom = symptoms[id];
      const isJudged = judged?.has(id) ?? true;
      const otherwise = kind === "observe" ? "observed" : isJudged ? "pass" : "inconclusive";
      return {
        id,
        requirement,
        suite: suite.name,
        kind,
        sentence: sentenceOf(check),
        verdict: symptom?.verdict ?? otherwise,
        ...(symptom?.observed !== undefined && { observed: symptom.observed }),
        durationMs: 0,
        exchanges: [],
      };
    }),
  );
}
