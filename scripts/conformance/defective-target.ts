import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { defaultRules } from "../../fixtures/service/rules.ts";
import { startService } from "../../fixtures/service/service.ts";

/** A reference service whose defects come and go, for tests of the command line. */
export interface DefectiveTarget {
  /** Whether it accepts a `redirect_uri` that differs from a registered one in case alone, asked each time one comes. */
  isDefective: () => boolean;
  readonly authUrl: string;
  /** Writes a profile of it, which may say more. */
  profile(folder: string, more?: object): string;
  /** What the profile refers to. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function startDefectiveTarget(): Promise<DefectiveTarget> {
  const lowerCase = (uris: readonly string[]): string[] => uris.map((uri) => uri.toLowerCase());
  let written = 0;
  const service = await startService({
    rules: {
      redirectUriMatches: (requested, registered) =>
        defaultRules.redirectUriMatches(requested, registered) ||
        (lowerCase(registered).includes(requested.toLowerCase()) && target.isDefective()),
    },
    configuration: { testClock: true, pow: { difficultyBits: 2 } },
  });
  const { authUrl, apiUrl, mcpUrl } = service.addresses;
  const { humans } = service.configuration;
  const variable = (username: string): string => `DEFECTIVE_TARGET_${username.toUpperCase()}`;
  const target: DefectiveTarget = {
    isDefective: () => true,
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
  return target;
}
