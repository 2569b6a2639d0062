import { scryptSync } from "node:crypto";

/** Prints S: the median time of one scrypt evaluation, in ms. In a fresh process, because other code slows it down. */
const timesMs = Array.from({ length: 15 }, () => {
  const startedMs = performance.now();
  scryptSync("password", "salt", 64, { N: 16384, r: 8, p: 1 });
  return performance.now() - startedMs;
}).toSorted((a, b) => a - b);

process.stdout.write(`${JSON.stringify({ scryptMs: timesMs[7] })}\n`);
process.stdin.once("end", () => process.exit(0)).resume();
