import { expectedTries } from "./geometric-waits.ts";

/**
 * Speeds of one server core without a GPU, as multiples of node:crypto `scryptSync` on the same core (Node 24.21,
 * OpenSSL 3.5.8), N=16384 r=8 p=1, one thread, medians. Measured by this project in 2026-11 on a 2-vCPU AMD EPYC (Zen 4,
 * 3.66 GHz). The C programs ran as separate processes; their ratios are relative to 31.0 ms. Ratios differ between
 * processors, and the last one needs AVX-512.
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

/** Measured on this machine. */
export interface MeasuredSpeed {
  /** node:crypto `scryptSync`: median processor time per hash, ms. Verifying a solution costs as much. */
  nodeCryptoMs: number;
  /** This solver with all its threads busy: processor time per hash, ms. */
  solverMs: number;
}

export interface SolverSpeed {
  where: "this machine" | "reference core";
  name: string;
  basis: "measured" | "estimated";
  /** Processor time per hash, ms. */
  hashMs: number;
  /** Speed as a multiple of node:crypto on the same core. */
  ratio: number;
}

/** This machine, as measured and as estimated from the ratios, and the reference core. */
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

/** Mean processor time of one signup, in core-seconds. A login costs the same. */
export function signupCoreSeconds(hashMs: number, difficultyBits: number): number {
  return (expectedTries(difficultyBits) * hashMs) / 1000;
}

/** Mean work of solving as a multiple of the work of verifying. */
export function solveToVerifyRatio(solverMs: number, verifyMs: number, difficultyBits: number): number {
  return (expectedTries(difficultyBits) * solverMs) / verifyMs;
}

export interface Economics {
  difficultyBits: number;
  /** Mean number of tries. */
  expectedTries: number;
  /** Mean cost of a signup or login with each solver. */
  signups: (SolverSpeed & { coreSeconds: number })[];
  /** Processor time that the service spends on one answer, right or wrong, whatever the difficulty. */
  verifyMs: number;
  /** Mean work of solving as a multiple of the work of verifying: with this solver, and with the fastest on this machine. */
  solveToVerify: { thisSolver: number; fastestHere: number };
}

/**
 * What a signup costs the client that solves, and the service that verifies.
 *
 * @param solverHashesPerSecond - of this solver, per second of processor time
 * @param scryptMs - processor time of one node:crypto scrypt on this machine
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
