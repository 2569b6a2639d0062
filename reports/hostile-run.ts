import fc from "fast-check";
import { exampleCheck, exampleExchange, exampleRun } from "./example-run.ts";
import { hostileText } from "./hostile-text.ts";
import type { Run, RunVerdict } from "./run-format.ts";

const verdicts: readonly RunVerdict[] = ["fail", "inconclusive", "blocked", "warn", "observed"];

/** A run in which the target chose every text that it can choose, for tests of what is rendered. */
export const hostileRun: fc.Arbitrary<Run> = fc
  .record({
    text: hostileText,
    other: hostileText,
    verdict: fc.constantFrom(...verdicts),
    isExplained: fc.boolean(),
    isKnown: fc.boolean(),
  })
  .map(({ text, other, verdict, isExplained, isKnown }) => {
    const check = exampleCheck({
      verdict,
      reason: text,
      ...(verdict === "fail" && { expected: "a", observed: other }),
      ...(isKnown && { known: other }),
      decisive: 0,
      exchanges: [{ number: 0, role: "subject" }],
    });
    const exchange = exampleExchange(
      0,
      { method: "POST", url: `https://auth.example/${text}`, headers: [["X-Sent", other]], body: text },
      { headers: [[other, text]], body: `${other}\n${text}` },
    );
    const defect = exampleCheck({
      id: "X-1",
      verdict: "inconclusive",
      reason: `${text}\n${other}`,
      defect: true,
    });
    const finding = {
      id: "F1",
      kind: "common-answer",
      sentence: `Every request is answered with ${other}.`,
      severity: "denial of service",
      consequence: "Nothing can be done.",
      section: "1",
      explains: [check.id],
      against: [],
      alternatives: [],
    } as const;
    return exampleRun([check, defect], {
      exchanges: [exchange],
      knownProblems: [text],
      findings: isExplained && verdict === "fail" ? [finding] : [],
      target: { ...exampleRun([]).target, fingerprint: { issuer: text } },
    });
  });
