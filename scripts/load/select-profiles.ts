import { defaultLoadProfiles, loadProfiles } from "../../suites/load/profiles.ts";
import { type LoadProfile, streamName } from "../../suites/support/load/load-profile.ts";
import { userThreshold } from "../../suites/support/load/figures/user-threshold.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import { UsageError } from "../usage-error.ts";

/**
 * The load profiles of these names, in the order in which a run takes them; the default ones when there is no name.
 *
 * @throws {UsageError} for a name that there is not
 */
export function selectProfiles(names: readonly string[]): readonly LoadProfile[] {
  const unknown = names.find(
    (name) => name !== "all" && !loadProfiles.some((profile) => profile.name === name),
  );
  if (unknown !== undefined) {
    throw new UsageError(
      `there is no load profile ${unknown}; there are ${loadProfiles.map(({ name }) => name).join(", ")}, and all`,
    );
  }
  if (names.length === 0) return defaultLoadProfiles;
  return loadProfiles.filter(({ name }) => names.includes("all") || names.includes(name));
}

/**
 * The same with the limits that the target's profile adds.
 *
 * @throws {UsageError} for a limit of what there is not
 */
export function withLimitsOf(target: Profile, profiles: readonly LoadProfile[]): LoadProfile[] {
  const limits = userThresholds(target);
  return profiles.map((profile) => ({
    ...profile,
    thresholds: [
      ...profile.thresholds,
      ...limits.filter((limit) => limit.profile === profile.name).map(({ threshold }) => threshold),
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
        `load.thresholds in the target's profile names ${path}, which there is not; expected <profile>/<phase>/<stream>, such as ${exampleOf(name)}`,
      );
    }
    return limits.map((limit) => ({
      profile: name,
      threshold: userThreshold(name, phaseName, stream, limit),
    }));
  });
}

function exampleOf(name: string): string {
  const profile = findLoadProfile(name) ?? defaultLoadProfiles[0];
  const phase = profile?.phases.at(-1);
  const stream = phase?.streams[0];
  return `${profile?.name}/${phase?.name}/${stream && streamName(stream)}`;
}
