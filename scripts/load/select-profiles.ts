import { defaultLoadProfiles, loadProfiles } from "../../suites/load/profiles.ts";
import { type LoadProfile, streamName } from "../../suites/support/load/load-profile.ts";
import { userThreshold } from "../../suites/support/load/load-settings.ts";
import type { Profile } from "../../suites/support/profile.ts";
import { UsageError } from "../usage-error.ts";

/**
 * The load profiles that were asked for, the default ones when none was, with the limits that the target's profile adds.
 *
 * @throws {UsageError} for a name that there is not
 */
export function selectProfiles(names: readonly string[], target: Profile): LoadProfile[] {
  const unknown = names.find(
    (name) => name !== "all" && !loadProfiles.some((profile) => profile.name === name),
  );
  if (unknown !== undefined) {
    throw new UsageError(
      `there is no load profile ${unknown}; there are ${loadProfiles.map(({ name }) => name).join(", ")}, and all`,
    );
  }
  const isChosen = ({ name }: LoadProfile): boolean => names.includes("all") || names.includes(name);
  const chosen = names.length === 0 ? defaultLoadProfiles : loadProfiles.filter(isChosen);
  const own = userThresholds(target);
  return chosen.map((profile) => ({
    ...profile,
    thresholds: [
      ...profile.thresholds,
      ...own.filter((it) => it.profile === profile.name).map((it) => it.threshold),
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
