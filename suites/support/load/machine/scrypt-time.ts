import { execFile } from "node:child_process";
import { promisify } from "node:util";

const runs = 15;

// In a fresh process: one with a large heap or other code compiled takes up to 25 % longer.
const program = `
const { scryptSync } = require("node:crypto");
const times = [];
for (let run = 0; run < ${runs}; run++) {
  const before = performance.now();
  scryptSync("password" + run, "salt", 64, { N: 16384, r: 8, p: 1, maxmem: 64 * 1024 * 1024 });
  times.push(performance.now() - before);
}
times.sort((a, b) => a - b);
console.log(times[${(runs - 1) / 2}]);
`;

/** S: the median time of one scrypt evaluation with the service's parameters on one core of this machine, in ms. */
export async function measureScryptMs(signal?: AbortSignal): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", program], {
    ...(signal && { signal }),
  });
  return Number(stdout);
}
