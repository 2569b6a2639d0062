import type { Browser, LaunchOptions } from "playwright-core";
import type { BrowserConsent } from "../../target/consent-settings.ts";
import { BlockedError } from "../../verdict.ts";
import { findChromium } from "./find-chromium.ts";

const args = [
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-quic",
  // Frames of other sites stay in the process, and under the eyes, of their page.
  "--disable-site-isolation-trials",
];

/**
 * Starts the Chromium of this machine.
 *
 * @throws {BlockedError} when there is none, or when it does not start
 */
export async function launchChromium(
  wanted: Pick<BrowserConsent, "executable_path" | "channel">,
  { headless = true, resolve = {} }: { headless?: boolean; resolve?: Readonly<Record<string, string>> } = {},
): Promise<Browser> {
  const options: LaunchOptions = {
    ...findChromium(wanted),
    headless,
    args: [...args, ...resolverRules(resolve)],
    ...proxyOf(process.env),
    // Interruptions are the run's to handle; it closes the browser at its end.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  };
  // Loaded when a browser is needed: most runs need none.
  const { chromium } = await import("playwright-core");
  try {
    return await chromium.launch(options);
  } catch (cause) {
    const [reason = ""] = (cause instanceof Error ? cause.message : String(cause)).split("\n", 1);
    throw new BlockedError(
      `the browser driver could not start ${options.executablePath ?? options.channel}: ${reason}`,
      { cause },
    );
  }
}

/** Host name to address, as in the profile. */
function resolverRules(resolve: Readonly<Record<string, string>>): string[] {
  const rules = Object.entries(resolve).map(([host, address]) => `MAP ${host} ${bracketed(address)}`);
  return rules.length === 0 ? [] : [`--host-resolver-rules=${rules.join(", ")}`];
}

function bracketed(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}

/** The proxy variables that the run's own requests follow. Chromium reaches this machine itself without a proxy. */
function proxyOf(environment: NodeJS.ProcessEnv): Pick<LaunchOptions, "proxy"> {
  const valueOf = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? "";
  const server = valueOf("HTTPS_PROXY") || valueOf("HTTP_PROXY");
  if (server === "") return {};
  const { username, password, origin, host } = new URL(server.includes("://") ? server : `http://${server}`);
  return {
    proxy: {
      server: origin === "null" ? host : origin,
      bypass: valueOf("NO_PROXY"),
      ...(username !== "" && {
        username: decodeURIComponent(username),
        password: decodeURIComponent(password),
      }),
    },
  };
}
