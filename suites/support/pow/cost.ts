import { expectedTries } from "./geometric-waits.ts";

/**
 * Speeds of one server core without a GPU, as multiples of node:crypto `scryptSync` on the same core (Node 24.21,
 * OpenSSL 3.5.8), N=16384 r=8 p=1, one thread, medians. Measured by this project in 2026-11 on a 2-vCPU AMD EPYC (Zen 4,
 * 3.66 GHz). The C programs were timed on their own, so their ratios are to the 31.0 ms of another process. Other
 * processors have other ratios, and one without AVX-512 does not have the last.
 */
export const referenceCore = {
  name: "2-vCPU AMD EPYC (Zen 4), measured 2026-11",
  nodeCryptoMs: 31.0,
  ratios: [
    { name: "WebAssembly SIMD, 3 hashes interleaved", ratio: 2.31 },
    { name: "C with SSE2, 4 hashes interleaved", ratio: 2.52 },
    { name: "C with AVX-512, 8 hashes interleaved", ratio: 6.1 },
  ],
} as const;

/** What was measured here and now. */
export interface MeasuredSpeed {
  /** Median of node:crypto `scryptSync`, processor time in ms a hash, which is also what verifying costs. */
  nodeCryptoMs: number;
  /** Our solver, processor time in ms a hash, all its threads at work. */
  solverMs: number;
}

export interface SolverSpeed {
  where: "this machine" | "reference core";
  name: string;
  basis: "measured" | "estimated";
  /** Processor time of one core, ms a hash. */
  hashMs: number;
  /** Speed as a multiple of node:crypto at the same place. */
  ratio: number;
}

/** Everyone who might solve: this machine as measured and as the ratios promise, and the reference core. */
export function solverSpeeds({ nodeCryptoMs, solverMs }: MeasuredSpeed): SolverSpeed[] {
  const nodeCrypto = { name: "node:crypto scryptSync", basis: "measured", ratio: 1 } as const;
  const ours = {
    name: "this solver",
    basis: "measured",
    hashMs: solverMs,
    ratio: nodeCryptoMs / solverMs,
  } as const;
  const byRatio = (coreMs: number) =>
    referenceCore.ratios.map(({ name, ratio }) => ({ name, ratio, hashMs: coreMs / ratio }));
  return [
    { where: "this machine", ...nodeCrypto, hashMs: nodeCryptoMs },
    { where: "this machine", ...ours },
    ...byRatio(nodeCryptoMs).map(
      (speed) => ({ where: "this machine", basis: "estimated", ...speed }) as const,
    ),
    { where: "reference core", ...nodeCrypto, hashMs: referenceCore.nodeCryptoMs },
    ...byRatio(referenceCore.nodeCryptoMs).map(
      (speed) => ({ where: "reference core", basis: "measured", ...speed }) as const,
    ),
  ];
}

/** Processor time that one signup (or login: the document asks for the same work) takes on average, in core-seconds. */
export function signupCoreSeconds(hashMs: number, difficultyBits: number): number {
  return (expectedTries(difficultyBits) * hashMs) / 1000;
}

/** How many times as much the solver works as whoever verifies with one node:crypto hash. */
export function solveToVerifyRatio(solverMs: number, verifyMs: number, difficultyBits: number): number {
  return (expectedTries(difficultyBits) * solverMs) / verifyMs;
}

export interface Economics {
  difficultyBits: number;
  /** Mean number of hashes up to a solution. */
  expectedTries: number;
  /** Everyone who might solve, with the processor time of one core that a signup or login takes on average. */
  signups: (SolverSpeed & { coreSeconds: number })[];
  /** Processor time that the service spends on one answer, right or wrong, at any difficulty. */
  verifyMs: number;
  /** How many times as much this solver works for a solution as the service for verifying it; and the fastest solver here. */
  solveToVerify: { thisSolver: number; fastestHere: number };
}

/**
 * What a signup costs whoever solves, and what it costs whoever verifies.
 *
 * @param solverHashesPerSecond - of this solver on one core, by processor time
 * @param scryptMs - processor time of one scrypt hash of node:crypto here, ms
 */
export function economics({
  difficultyBits,
  solverHashesPerSecond,
  scryptMs,
}: {
  difficultyBits: number;
  solverHashesPerSecond: number;
  scryptMs: number;
}): Economics {
  const solverMs = 1000 / solverHashesPerSecond;
  const speeds = solverSpeeds({ nodeCryptoMs: scryptMs, solverMs });
  const here = speeds.filter(({ where }) => where === "this machine").map(({ hashMs }) => hashMs);
  const ratio = (hashMs: number): number => solveToVerifyRatio(hashMs, scryptMs, difficultyBits);
  return {
    difficultyBits,
    expectedTries: expectedTries(difficultyBits),
    signups: speeds.map((speed) => ({
      ...speed,
      coreSeconds: signupCoreSeconds(speed.hashMs, difficultyBits),
    })),
    verifyMs: scryptMs,
    solveToVerify: { thisSolver: ratio(solverMs), fastestHere: ratio(Math.min(...here)) },
  };
}
