import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { BrowserConsent } from "../../target/consent-settings.ts";
import { BlockedError } from "../../verdict.ts";

/** Names a Chromium for every person whose consent names none. */
const chromiumVariable = "MAILPROOF_CHROMIUM";

const programs = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"];

const usualFolders = ["/usr/bin", "/usr/local/bin", "/snap/bin"];

const usualPaths = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
  String.raw`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`,
];

type Wanted = Pick<BrowserConsent, "executable_path" | "channel">;

/**
 * Which browser to start: that of the profile, that of the environment, else one in its usual place.
 *
 * @throws {BlockedError} when there is none, with how to install one
 */
export function findChromium(
  { executable_path: named, channel }: Wanted,
  environment: Readonly<Record<string, string | undefined>> = process.env,
  exists: (path: string) => boolean = existsSync,
): { readonly executablePath: string } | { readonly channel: string } {
  if (named !== undefined) return { executablePath: existing(named, "humans[].consent.executable_path") };
  if (channel !== undefined) return { channel };
  const fromEnvironment = environment[chromiumVariable];
  if (fromEnvironment !== undefined && fromEnvironment !== "")
    return { executablePath: existing(fromEnvironment, chromiumVariable) };
  const folders = [...(environment["PATH"] ?? "").split(delimiter), ...usualFolders].filter(
    (it) => it !== "",
  );
  const inFolders = programs.flatMap((program) => folders.map((folder) => join(folder, program)));
  const executablePath = [...inFolders, ...usualPaths].find(exists);
  if (executablePath !== undefined) return { executablePath };
  throw new BlockedError(
    `the browser driver found no Chromium on this machine; install one (Debian and Ubuntu: apt-get install chromium), or name one in humans[].consent.executable_path or ${chromiumVariable}`,
  );

  function existing(path: string, where: string): string {
    if (exists(path)) return path;
    throw new BlockedError(`${where} names ${JSON.stringify(path)}, and there is no such file`);
  }
}
