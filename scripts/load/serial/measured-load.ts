import type { LoadProfileRun } from "../../../reports/load-format.ts";
import type { Profile } from "../../../suites/support/target/profile.ts";
import { createSecretMask } from "../../../suites/support/wire/secrets.ts";
import { runLoad } from "../run-load.ts";
import { selectProfiles } from "../select-profiles.ts";

const attempts = 3;

/** The machine was too noisy in every attempt. */
export class NoisyMachineError extends Error {
  override readonly name = "NoisyMachineError";
}

/**
 * Runs one load profile with `--short`. Retries when the measurement is invalid, and when the result is not the expected one,
 * which noise can cause too. A violation is not retried.
 *
 * @returns the first expected result, or else the last one
 * @throws {NoisyMachineError} when every attempt was invalid, and a noisy machine had its part in each
 */
export async function measureWithRetries(
  target: Profile,
  name: string,
  isExpected: (judged: LoadProfileRun) => boolean,
): Promise<LoadProfileRun> {
  const judged: LoadProfileRun[] = [];
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const result = await measureOnce(target, name);
    if (isExpected(result) || result.verdict === "violated") return result;
    judged.push(result);
  }
  const last = judged.findLast(({ verdict }) => verdict !== "invalid") ?? judged.at(-1);
  // Noise has consequences that are not noise themselves, such as too few responses for a percentile.
  const isNoise = judged.every(({ invalid }) => invalid.some(({ cause }) => cause === "machine"));
  if (last === undefined || isNoise) {
    const reasons = judged.flatMap(({ invalid }) => invalid.map(({ text }) => text));
    throw new NoisyMachineError(
      `${name} could not be measured in ${attempts} attempts:\n${reasons.join("\n")}`,
    );
  }
  return last;
}

async function measureOnce(target: Profile, name: string): Promise<LoadProfileRun> {
  const run = await runLoad(target, {
    id: name,
    profiles: selectProfiles([name]),
    isShort: true,
    isEmbedded: true,
    mask: createSecretMask(),
    signal: new AbortController().signal,
    onEntry: () => {},
    onPlan: () => ({ startProfile: () => {}, update: () => {}, clear: () => {} }),
  });
  const [judged] = run.profiles;
  if (judged === undefined) throw new TypeError(`a run of ${name} has no result`);
  return judged;
}
