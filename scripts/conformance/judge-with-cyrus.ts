import { startCyrus } from "../../fixtures/test-servers/cyrus.ts";
import type { Check } from "../../suites/support/judging/check.ts";
import { judgeService } from "../faults/judge-service.ts";

/**
 * Judges the reference service with Cyrus IMAP as its mail store.
 * @returns verdict and reason of what did not pass, by the id of its check
 */
export async function judgeWithCyrus(checks: readonly Check[]): Promise<Map<string, string>> {
  const cyrus = await startCyrus();
  try {
    // Enough bits for the checks that need proofs of a certain kind.
    const configuration = { pow: { difficultyBits: 5 }, externalStore: cyrus.store };
    const results = await judgeService({ configuration }, checks);
    const others = results.filter(({ verdict }) => verdict !== "pass" && verdict !== "observed");
    return new Map(others.map(({ id, verdict, reason }) => [id, `${verdict}: ${reason}`]));
  } finally {
    await cyrus.close();
  }
}
