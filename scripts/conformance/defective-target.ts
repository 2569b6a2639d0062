import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Fault } from "../../fixtures/faults/fault.ts";
import { defaultRules } from "../../fixtures/service/rules.ts";
import { startService } from "../../fixtures/service/service.ts";

/** A reference service that a profile in a file names, for tests of the command line. */
export interface ProfiledTarget {
  readonly authUrl: string;
  /** Writes a profile of it, which may say more. */
  profile(folder: string, more?: object): string;
  /** What the profile refers to. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** One whose defects come and go. */
export interface DefectiveTarget extends ProfiledTarget {
  /** Whether it accepts a `redirect_uri` that differs from a registered one in case alone, asked each time one comes. */
  isDefective: () => boolean;
}

export async function startDefectiveTarget(): Promise<DefectiveTarget> {
  const lowerCase = (uris: readonly string[]): string[] => uris.map((uri) => uri.toLowerCase());
  const target: DefectiveTarget = {
    isDefective: () => true,
    ...(await startProfiledTarget({
      rules: {
        redirectUriMatches: (requested, registered) =>
          defaultRules.redirectUriMatches(requested, registered) ||
          (lowerCase(registered).includes(requested.toLowerCase()) && target.isDefective()),
      },
    })),
  };
  return target;
}

/** @param defect - what it does wrong; nothing unless given */
export async function startProfiledTarget(
  defect: Pick<Fault, "rules" | "steps" | "store"> = {},
): Promise<ProfiledTarget> {
  const { store, ...changes } = defect;
  let written = 0;
  const service = await startService({
    ...changes,
    ...(store && { store: store.open() }),
    configuration: { testClock: true, pow: { difficultyBits: 2 } },
  });
  const { authUrl, apiUrl, mcpUrl } = service.addresses;
  const { humans } = service.configuration;
  const variable = (username: string): string => `DEFECTIVE_TARGET_${username.toUpperCase()}`;
  return {
    authUrl,
    profile(folder, more = {}) {
      written += 1;
      const path = join(folder, `profile-${written}.json`);
      const people = humans.map(({ username }) => ({
        name: username,
        consent: { driver: "form", username, password: `env:${variable(username)}` },
      }));
      const content = {
        auth_url: authUrl,
        api_url: apiUrl,
        mcp_url: mcpUrl,
        humans: people,
        clock: { advance_url: `${authUrl}/test/clock` },
        ...more,
      };
      writeFileSync(path, JSON.stringify(content));
      return path;
    },
    env: Object.fromEntries(humans.map(({ username, password }) => [variable(username), password])),
    close: () => service.close(),
  };
}
