import { join } from "node:path";
import { type Profile, parseProfile } from "../../suites/support/target/profile.ts";
import { completeStart } from "./profile-content.ts";

const people = [
  { name: "alice", inboxes: 2 },
  { name: "bob", inboxes: 1 },
];

/** The people of the reference service, as a profile has them. */
export function referenceHumans(): object[] {
  return people.map(({ name, inboxes }) => {
    const variable = `STARTED_${name.toUpperCase()}_PASSWORD`;
    process.env[variable] = `${name}-password`;
    return { name, inboxes, consent: { driver: "form", username: name, password: `env:${variable}` } };
  });
}

/** The content of a profile by which mailproof starts the reference service, for tests. */
export function referenceContent(start: object): object {
  const address = "http://127.0.0.1:0";
  return { auth_url: address, api_url: address, mcp_url: address, humans: referenceHumans(), start };
}

/** The same as a profile, with free ports. */
export async function referenceProfile(start: object): Promise<Profile> {
  const started = { ports: { sign_in: 0 }, ...start };
  const content = await completeStart(referenceContent(started), { restart: false });
  return parseProfile(content, "of the started reference service");
}

/** A command line that runs the reference service, or a program with the same options, at the profile's ports. */
export function serviceCommand(program: string, ...options: readonly string[]): string {
  const path = join(import.meta.dirname, "../..", program);
  const ports = ["auth", "api", "mcp"].map((name) => `--port-${name} {${name}_port}`);
  // Without its data it would listen elsewhere after a restart, where no password may be typed.
  ports.push("--port-sign-in {sign_in_port}");
  // Without bits to find, a proof of work costs one evaluation.
  return [`exec '${process.execPath}' '${path}'`, ...options, ...ports, "--difficulty 0"].join(" ");
}
