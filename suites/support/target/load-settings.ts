import { z } from "zod";

const limit = z
  .string()
  .regex(
    /^(?:p(?:50|90|99|99\.9) < \d+(?:\.\d+)?ms|rate > \d+(?:\.\d+)?\/s)$/u,
    'expected a limit such as "p99 < 50ms" or "rate > 100/s" (p50, p90, p99 or p99.9)',
  );

/** The part of a target's profile that is about load. */
export const loadSettings = z.strictObject({
  allow: z
    .literal(true)
    .optional()
    .describe("Permits load on targets that are not on this machine; `hosts` must name each of theirs."),
  hosts: z
    .array(z.string())
    .default([])
    .describe("Host names of the target that may be put under load, exactly as in its addresses."),
  cores: z
    .number()
    .int()
    .positive()
    .optional()
    .describe("Physical cores that the target may use; needed when it is not on this machine."),
  scrypt_ms: z
    .number()
    .positive()
    .optional()
    .describe(
      "One scrypt (N=16384, r=8, p=1) on one core of the target; needed when it is not on this machine.",
    ),
  thresholds: z
    .record(z.string(), z.array(limit))
    .default({})
    .describe('Absolute limits: "<profile>/<phase>/<stream>" to limits such as "p99 < 50ms".'),
});
