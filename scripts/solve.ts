import { availableParallelism, cpus } from "node:os";
import { parseArgs } from "node:util";
import { diagnose } from "../suites/support/pow/diagnosis.ts";
import { expectedTries } from "../suites/support/pow/geometric-waits.ts";
import type { SearchHit } from "../suites/support/pow/search/open-search.ts";
import { createSolver, type Solver } from "../suites/support/pow/solver.ts";
import { exitCodes } from "./exit-codes.ts";
import { UsageError } from "./usage-error.ts";
import { challengeFrom, type ChallengeInput, parseDifficulty } from "./solve/challenge-source.ts";
import { costReport } from "./solve/cost-report.ts";
import { explain } from "./solve/explanation.ts";
import { measureSpeed } from "./solve/measured-speed.ts";
import { inWords, leadingZeroBitsInWords, threeDigits } from "./solve/quantities.ts";
import { showSearchProgress } from "./solve/search-progress.ts";
import { readStandardInput } from "./solve/standard-input.ts";
import { verdictText } from "./solve/verdict-text.ts";

const usage = `mailproof solve --jti JTI --salt HEX --difficulty BITS [--explain]
mailproof solve [--salt HEX | --salt-claim NAME] < CHALLENGE_JWT
mailproof solve … --check NONCE POWHEX [--explain]
mailproof solve --cost [--difficulty BITS]

Solves a proof-of-work challenge, or says what is wrong with a solution.

  --jti JTI           the challenge's claim jti; without it, a challenge JWT is read from standard input, not verified
  --salt HEX          the salt as its hexadecimal text
  --salt-claim NAME   the claim of the challenge JWT that carries the salt (salt)
  --difficulty BITS   leading zero bits, 0 to 512; with a challenge JWT, in place of its claim
  --check             judge the solution NONCE POWHEX, and say which known mistakes would have produced it
  --explain           show the bytes that are hashed, the digest in bits, and why it counts
  --cost              measure this machine and show what a signup costs

Exit codes: 0 solved, or valid · 1 invalid · 2 usage · 3 interrupted`;

/** @returns the exit code */
export async function solve(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      jti: { type: "string" },
      salt: { type: "string" },
      "salt-claim": { type: "string" },
      difficulty: { type: "string" },
      check: { type: "boolean", default: false },
      explain: { type: "boolean", default: false },
      cost: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return exitCodes.conforms;
  }
  const [nonce, powHex, ...surplus] = positionals;
  if (values.cost) {
    const { jti, salt, "salt-claim": claim, check, explain: explaining } = values;
    if (
      [jti, salt, claim].some((value) => value !== undefined) ||
      check ||
      explaining ||
      nonce !== undefined
    ) {
      throw new UsageError("--cost goes with --difficulty alone: it measures, and neither solves nor checks");
    }
    return showCost(values.difficulty);
  }
  if (values.check) {
    if (nonce === undefined || powHex === undefined || surplus.length > 0) {
      throw new UsageError(
        `--check takes a nonce and a powHex: expected 2 values, got ${positionals.length}`,
      );
    }
    const challenge = await challengeFrom(values, readStandardInput, new Date());
    return check(challenge, nonce, powHex, values.explain);
  }
  if (nonce !== undefined) {
    throw new UsageError(
      `${JSON.stringify(nonce)} is not an option; a solution is judged with --check NONCE POWHEX`,
    );
  }
  return search(await challengeFrom(values, readStandardInput, new Date()), values.explain);
}

async function check(
  challenge: ChallengeInput,
  nonce: string,
  powHex: string,
  isExplained: boolean,
): Promise<number> {
  const { jti, saltHexText, difficultyBits } = challenge;
  const diagnosis = await diagnose({ jti, saltHexText, difficultyBits, nonce, powHex });
  console.log(verdictText(diagnosis, difficultyBits));
  if (isExplained) console.log(`\n${await explain({ jti, saltHexText, nonce }, difficultyBits)}`);
  return diagnosis.isValid ? exitCodes.conforms : exitCodes.violated;
}

async function search(
  { jti, saltHexText, difficultyBits, warnings }: ChallengeInput,
  isExplained: boolean,
): Promise<number> {
  for (const warning of warnings) console.error(`warning: ${warning}`);
  console.error(
    `${leadingZeroBitsInWords(difficultyBits)}: ${threeDigits(expectedTries(difficultyBits))} tries on average`,
  );
  const hit = await withSolver((solver, signal) => {
    const { update, end } = showSearchProgress();
    const accept = { kind: "at-least", bits: difficultyBits } as const;
    return solver.search({ jti, saltHexText, accept, signal, onProgress: update }).finally(end);
  });
  if (hit === undefined) return exitCodes.incomplete;
  console.log(resultText(hit));
  if (isExplained) console.log(`\n${await explain({ jti, saltHexText, nonce: hit.nonce }, difficultyBits)}`);
  return exitCodes.conforms;
}

function resultText({ nonce, powHex, tries, durationMs }: SearchHit): string {
  return [
    `nonce   ${nonce}`,
    `powHex  ${powHex}`,
    `tries   ${tries}`,
    `time    ${inWords(durationMs / 1000)}, ${threeDigits((1000 * tries) / durationMs)} hashes/s`,
  ].join("\n");
}

const usualDifficulties = [4, 8, 12, 16, 20];

async function showCost(difficulty: string | undefined): Promise<number> {
  const difficulties = difficulty === undefined ? usualDifficulties : [parseDifficulty(difficulty)];
  console.error("measuring node:crypto and the solver, about two seconds");
  const speed = await withSolver((solver, signal) => measureSpeed(solver, signal));
  if (speed === undefined) return exitCodes.incomplete;
  console.log(costReport(speed, cpus()[0]?.model.trim() ?? "unknown processor", difficulties));
  return exitCodes.conforms;
}

/**
 * On all cores: nobody else's work is measured meanwhile.
 *
 * @returns undefined when Ctrl-C ended it
 */
async function withSolver<T>(
  work: (solver: Solver, signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const solver = createSolver({ workers: availableParallelism() });
  try {
    return await work(solver, interruption.signal);
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    console.error(`interrupted after ${solver.stats().tries} tries`);
    return undefined;
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
    await solver.close();
  }
}
