import type { LoadProfileRun } from "../../../reports/load-format.ts";
import type { Profile } from "../../../suites/support/target/profile.ts";
import { runLoad } from "../run-load.ts";
import { selectProfiles } from "../select-profiles.ts";

const attempts = 3;

/** Every attempt was measured badly: the machine is too busy to say anything. */
export class BusyMachineError extends Error {
  override readonly name = "BusyMachineError";
}

/**
 * The short form of one load profile. Measured again when other programs disturbed it, and when a figure came out otherwise
 * than wanted, because a second of somebody else's work can do that; a violation is no matter of chance and stands.
 *
 * @param isWanted - what the caller expects of it
 * @returns the first that is wanted, else the last that is valid
 * @throws {BusyMachineError} when all were disturbed
 */
export async function measuredLoad(
  target: Profile,
  name: string,
  isWanted: (judged: LoadProfileRun) => boolean,
): Promise<LoadProfileRun> {
  const reasons: string[] = [];
  let valid: LoadProfileRun | undefined;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const judged = await measureOnce(target, name);
    if (isWanted(judged) || judged.verdict === "violated") return judged;
    if (judged.verdict === "invalid" && judged.invalid.every(({ cause }) => cause === "machine"))
      reasons.push(...judged.invalid.map(({ text }) => text));
    else valid = judged;
  }
  if (valid !== undefined) return valid;
  throw new BusyMachineError(`${name} was measured badly ${attempts} times:\n${reasons.join("\n")}`);
}

async function measureOnce(target: Profile, name: string): Promise<LoadProfileRun> {
  const run = await runLoad(target, {
    id: name,
    profiles: selectProfiles([name]),
    isShort: true,
    isEmbedded: true,
    signal: new AbortController().signal,
    begin: () => ({ profile: () => {}, glance: () => {}, end: () => {} }),
  });
  const [judged] = run.profiles;
  if (judged === undefined) throw new TypeError(`a run of ${name} has no result`);
  return judged;
}
