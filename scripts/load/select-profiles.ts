import { defaultLoadProfiles, loadProfiles } from "../../suites/load/profiles.ts";
import { type LoadProfile, streamName } from "../../suites/support/load/load-profile.ts";
import { userThreshold } from "../../suites/support/load/figures/user-threshold.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import { UsageError } from "../usage-error.ts";

/**
 * The load profiles with these names, in the order in which they run; the default ones without names.
 *
 * @throws {UsageError} for an unknown name
 */
export function selectProfiles(names: readonly string[]): readonly LoadProfile[] {
  const unknown = names.find(
    (name) => name !== "all" && !loadProfiles.some((profile) => profile.name === name),
  );
  if (unknown !== undefined) {
    throw new UsageError(
      `unknown load profile ${unknown}; expected one of ${loadProfiles.map(({ name }) => name).join(", ")}, all`,
    );
  }
  if (names.length === 0) return defaultLoadProfiles;
  return loadProfiles.filter(({ name }) => names.includes("all") || names.includes(name));
}

/**
 * Adds the thresholds in the target's profile.
 *
 * @throws {UsageError} for a threshold on an unknown stream
 */
export function withUserThresholds(target: Profile, profiles: readonly LoadProfile[]): LoadProfile[] {
  const additional = userThresholds(target);
  return profiles.map((profile) => ({
    ...profile,
    thresholds: [
      ...profile.thresholds,
      ...additional.filter((each) => each.profile === profile.name).map(({ threshold }) => threshold),
    ],
  }));
}

export function findLoadProfile(name: string): LoadProfile | undefined {
  return loadProfiles.find((profile) => profile.name === name);
}

function userThresholds(target: Profile) {
  return Object.entries(target.load.thresholds).flatMap(([path, limits]) => {
    const [name = "", phaseName = "", stream = ""] = path.split("/");
    const phase = loadProfiles
      .find((profile) => profile.name === name)
      ?.phases.find((candidate) => candidate.name === phaseName);
    if (phase === undefined || !phase.streams.some((candidate) => streamName(candidate) === stream)) {
      throw new UsageError(
        `unknown stream ${path} in load.thresholds of the target's profile; expected <profile>/<phase>/<stream>, such as ${exampleStreamPath(name)}`,
      );
    }
    return limits.map((limit) => ({
      profile: name,
      threshold: userThreshold(name, phaseName, stream, limit),
    }));
  });
}

function exampleStreamPath(name: string): string {
  const profile = findLoadProfile(name) ?? defaultLoadProfiles[0];
  const phase = profile?.phases.at(-1);
  const stream = phase?.streams[0];
  return `${profile?.name}/${phase?.name}/${stream && streamName(stream)}`;
}
