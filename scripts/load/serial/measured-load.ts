import type { LoadProfileRun } from "../../../reports/load-format.ts";
import type { Profile } from "../../../suites/support/target/profile.ts";
import { runLoad } from "../run-load.ts";
import { selectProfiles } from "../select-profiles.ts";

const attempts = 3;

/** The machine was too noisy in every attempt. */
export class NoisyMachineError extends Error {
  override readonly name = "NoisyMachineError";
}

/**
 * Runs one load profile with `--short`. Retries when the machine was noisy, and when the result is not the expected one, which
 * noise can cause too. A violation is not retried.
 *
 * @returns the first expected result, or else the last valid one
 * @throws {NoisyMachineError} when every attempt was noisy
 */
export async function measureWithRetries(
  target: Profile,
  name: string,
  isExpected: (judged: LoadProfileRun) => boolean,
): Promise<LoadProfileRun> {
  const reasons: string[] = [];
  let valid: LoadProfileRun | undefined;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const judged = await measureOnce(target, name);
    if (isExpected(judged) || judged.verdict === "violated") return judged;
    if (judged.verdict === "invalid" && judged.invalid.every(({ cause }) => cause === "machine"))
      reasons.push(...judged.invalid.map(({ text }) => text));
    else valid = judged;
  }
  if (valid !== undefined) return valid;
  throw new NoisyMachineError(
    `${name} could not be measured in ${attempts} attempts:\n${reasons.join("\n")}`,
  );
}

async function measureOnce(target: Profile, name: string): Promise<LoadProfileRun> {
  const run = await runLoad(target, {
    id: name,
    profiles: selectProfiles([name]),
    isShort: true,
    isEmbedded: true,
    signal: new AbortController().signal,
    onEntry: () => {},
    onPlan: () => ({ startProfile: () => {}, update: () => {}, clear: () => {} }),
  });
  const [judged] = run.profiles;
  if (judged === undefined) throw new TypeError(`a run of ${name} has no result`);
  return judged;
}
