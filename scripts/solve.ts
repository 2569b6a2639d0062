import { cpus } from "node:os";
import { diagnose } from "../suites/support/pow/diagnosis.ts";
import { expectedTries } from "../suites/support/pow/geometric-waits.ts";
import type { SearchHit } from "../suites/support/pow/search/open-search.ts";
import { createSolver, type Solver } from "../suites/support/pow/solver.ts";
import { exitCodes } from "./exit-codes.ts";
import { parseOptions } from "./parse-options.ts";
import { UsageError } from "./usage-error.ts";
import { challengeFrom, type ChallengeInput, parseDifficulty } from "./solve/challenge-source.ts";
import { costReport } from "./solve/cost-report.ts";
import { explain } from "./solve/explanation.ts";
import { measureSpeed } from "./solve/measured-speed.ts";
import { formatDuration, describeZeroBits, formatNumber } from "./solve/quantities.ts";
import { showSearchProgress } from "./solve/search-progress.ts";
import { readStandardInput } from "./solve/standard-input.ts";
import { verdictText } from "./solve/verdict-text.ts";

const usage = `mailproof solve --jti JTI --salt HEX --difficulty BITS [--explain]
mailproof solve [--salt HEX | --salt-claim NAME] < CHALLENGE_JWT
mailproof solve … --check NONCE POWHEX [--explain]
mailproof solve --cost [--difficulty BITS]

Solves a proof-of-work challenge, or explains what is wrong with a solution.

  --jti JTI           the challenge's jti claim; by default, the challenge JWT is read from standard input and decoded
                      without verification
  --salt HEX          the salt, as hexadecimal text
  --salt-claim NAME   the claim of the challenge JWT that contains the salt (default: salt)
  --difficulty BITS   leading zero bits, 0 to 512; overrides the difficulty claim of a challenge JWT
  --check             check the solution NONCE POWHEX, and list known mistakes that would explain it
  --explain           show the bytes that are hashed, and the leading bits of the digest
  --cost              measure this machine and show what a signup costs

Exit codes: 0 solved, or the solution is valid · 1 the solution is invalid · 2 usage · 3 interrupted`;

/** @returns the exit code */
export async function solve(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions({
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
  const [nonce, powHex, ...extra] = positionals;
  if (values.cost) {
    const { jti, salt, "salt-claim": claim, check, explain: explained } = values;
    if (
      [jti, salt, claim].some((value) => value !== undefined) ||
      check ||
      explained ||
      nonce !== undefined
    ) {
      throw new UsageError("--cost can only be combined with --difficulty");
    }
    return showCost(values.difficulty);
  }
  if (values.check) {
    if (nonce === undefined || powHex === undefined || extra.length > 0) {
      throw new UsageError(
        `--check needs a nonce and a powHex: expected 2 values, got ${positionals.length}`,
      );
    }
    const challenge = await challengeFrom(values, readStandardInput, new Date());
    return check(challenge, nonce, powHex, values.explain);
  }
  if (nonce !== undefined) {
    throw new UsageError(
      `unexpected argument ${JSON.stringify(nonce)}; to check a solution, use --check NONCE POWHEX`,
    );
  }
  return search(await challengeFrom(values, readStandardInput, new Date()), values.explain);
}

async function check(
  challenge: ChallengeInput,
  nonce: string,
  powHex: string,
  withExplanation: boolean,
): Promise<number> {
  const { jti, saltHexText, difficultyBits } = challenge;
  const diagnosis = await diagnose({ jti, saltHexText, difficultyBits, nonce, powHex });
  console.log(verdictText(diagnosis, difficultyBits));
  if (withExplanation) console.log(`\n${await explain({ jti, saltHexText, nonce }, difficultyBits)}`);
  return diagnosis.isValid ? exitCodes.conforms : exitCodes.violated;
}

async function search(
  { jti, saltHexText, difficultyBits, warnings }: ChallengeInput,
  withExplanation: boolean,
): Promise<number> {
  for (const warning of warnings) console.error(`warning: ${warning}`);
  const hit = await withSolver((solver, signal) => {
    console.error(
      `${describeZeroBits(difficultyBits)}: ${formatNumber(expectedTries(difficultyBits))} tries on average`,
    );
    const { update, end } = showSearchProgress();
    const accept = { kind: "at-least", bits: difficultyBits } as const;
    return solver.search({ jti, saltHexText, accept, signal, onProgress: update }).finally(end);
  });
  if (hit === undefined) return exitCodes.incomplete;
  console.log(resultText(hit));
  if (withExplanation)
    console.log(`\n${await explain({ jti, saltHexText, nonce: hit.nonce }, difficultyBits)}`);
  return exitCodes.conforms;
}

function resultText({ nonce, powHex, tries, durationMs }: SearchHit): string {
  return [
    `nonce   ${nonce}`,
    `powHex  ${powHex}`,
    `tries   ${tries}`,
    `time    ${formatDuration(durationMs / 1000)}, ${formatNumber((1000 * tries) / durationMs)} hashes/s`,
  ].join("\n");
}

const defaultDifficulties = [4, 8, 12, 16, 20];

async function showCost(difficulty: string | undefined): Promise<number> {
  const difficulties = difficulty === undefined ? defaultDifficulties : [parseDifficulty(difficulty)];
  console.error("measuring node:crypto and the solver, which takes about two seconds");
  const speed = await withSolver((solver, signal) => measureSpeed(solver, signal));
  if (speed === undefined) return exitCodes.incomplete;
  console.log(costReport(speed, cpus()[0]?.model.trim() ?? "unknown processor", difficulties));
  return exitCodes.conforms;
}

/** @returns undefined when Ctrl-C interrupted it */
async function withSolver<T>(
  work: (solver: Solver, signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const solver = createSolver();
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
