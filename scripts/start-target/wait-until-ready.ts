import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { portOf } from "../../suites/support/target/address-templates.ts";
import { connectionOf } from "../../suites/support/target/connection.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import type { StartSettings } from "../../suites/support/target/start-settings.ts";
import { InconclusiveError } from "../../suites/support/verdict.ts";
import { isSuccess } from "../../suites/support/wire/exchange.ts";
import { createHttp, type Http } from "../../suites/support/wire/http.ts";
import type { Launcher } from "./launcher.ts";
import { StartError } from "./start-error.ts";
import type { TargetLog } from "./target-log.ts";

/** Something that must be so before the target counts as ready. */
interface Condition {
  /** What it waits for. Reads after "waited for". */
  readonly words: string;
  isMet(): Promise<boolean>;
}

const pollMs = 50;
const probeTimeoutMs = 3000;
const shownLines = 20;

/** What is needed to tell when a target is ready. */
export interface Starting {
  readonly profile: Profile;
  readonly settings: StartSettings;
  readonly launcher: Pick<Launcher, "endedWith">;
  readonly log: TargetLog;
  readonly signal: AbortSignal;
}

/** @throws {StartError} when the target ends, or is not ready in time; with the end of its output */
export async function waitUntilReady({ profile, settings, launcher, log, signal }: Starting): Promise<void> {
  const { seconds } = settings.ready;
  const http = createHttp({
    timeoutMs: probeTimeoutMs,
    maxBodyBytes: 1024 * 1024,
    patienceMs: seconds * 1000,
    requestsPerSecond: undefined,
    signal,
    ...connectionOf(profile),
  });
  try {
    let open = conditionsOf(profile, settings, log, http);
    const deadline = performance.now() + seconds * 1000;
    while (open.length > 0) {
      if (signal.aborted) throw new InconclusiveError("interrupted", "the run was interrupted");
      const ended = await launcher.endedWith();
      if (ended !== undefined)
        throw new StartError(`the target ended with ${ended} before it was ready${endOf(log)}`);
      const met = await Promise.all(open.map((condition) => condition.isMet()));
      open = open.filter((_, at) => !met[at]);
      if (open.length > 0 && performance.now() > deadline)
        throw new StartError(
          `the target was not ready within ${seconds} s: waited for ${open.map(({ words }) => words).join(", ")}; start.ready in the profile says when it is ready, and how long that may take${endOf(log)}`,
        );
      if (open.length > 0) await delay(pollMs);
    }
    // It may have ended while something else answered in its place.
    const ended = await launcher.endedWith();
    if (ended !== undefined)
      throw new StartError(
        `the target ended with ${ended}, and yet its addresses answer: something else is running there${endOf(log)}`,
      );
  } finally {
    await http.close();
  }
}

/** What a gateway answers for a service that does not run. */
const gatewayStatuses: readonly number[] = [502, 503, 504];

/**
 * Makes sure that what will answer is what is started. The mail API and the MCP server may be others that run all the time.
 *
 * @throws {StartError} when something answers at the address of the authorization service already
 */
export async function requireNobodyAnswers(profile: Profile, signal: AbortSignal): Promise<void> {
  const address = profile.auth_url;
  const http = createHttp({
    timeoutMs: probeTimeoutMs,
    maxBodyBytes: 1024 * 1024,
    patienceMs: 0,
    requestsPerSecond: undefined,
    signal,
    ...connectionOf(profile),
  });
  try {
    const isTaken = await isAnswered(
      http,
      metadataUrl(address),
      ({ response }) => !gatewayStatuses.includes(response.status),
    );
    if (isTaken)
      throw new StartError(
        `${address} answers before the target is started: another process would be judged in its place; stop that one, or leave out --start (start in the profile) to judge it`,
      );
  } finally {
    await http.close();
  }
}

function metadataUrl(address: string): string {
  return `${address}/.well-known/oauth-authorization-server`;
}

function endOf(log: TargetLog): string {
  const end = log.end(shownLines);
  return end === "" ? "; it has written nothing" : `; the end of its output:\n${end}`;
}

function conditionsOf(
  profile: Profile,
  { ready, ports }: StartSettings,
  output: TargetLog,
  http: Http,
): Condition[] {
  const addresses = (["auth", "api", "mcp"] as const).map((name) => ({
    url: profile[`${name}_url`],
    words: `${profile[`${name}_url`]}${ports[name] ? ` (port ${ports[name]} of the container)` : ""}`,
  }));
  const conditions: Condition[] = [];
  const { http: url, log } = ready;
  if (url !== undefined)
    conditions.push({ words: `a 2xx answer of ${url}`, isMet: () => isAnswered(http, url, isSuccess) });
  if (log !== undefined)
    conditions.push({
      words: `a line that matches ${log}`,
      isMet: async () => new RegExp(log, "mu").test(output.sinceStart),
    });
  if (ready.ports)
    for (const { url: address, words } of addresses)
      conditions.push({ words: `a connection to ${words}`, isMet: () => takesConnections(address) });
  if (conditions.length > 0) return conditions;
  return addresses.map(({ url: address, words }) => ({
    words: `an answer of ${words}`,
    isMet: () => isAnswered(http, metadataUrl(address), () => true),
  }));
}

async function isAnswered(
  http: Http,
  url: string,
  isEnough: (exchange: Awaited<ReturnType<Http["send"]>>) => boolean,
): Promise<boolean> {
  try {
    return isEnough(await http.send({ method: "GET", url, isRepeatable: false }));
  } catch (error) {
    if (error instanceof InconclusiveError) return false;
    throw error;
  }
}

// The engine's own proxy takes a connection and closes it while nothing listens behind it.
const staysOpenMs = 50;

function takesConnections(address: string): Promise<boolean> {
  const url = new URL(address);
  return new Promise((resolve) => {
    const socket = connect({ host: url.hostname.replaceAll(/[[\]]/gu, ""), port: Number(portOf(url)) });
    const end = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.setTimeout(probeTimeoutMs, () => end(false));
    socket.once("error", () => end(false)).once("close", () => end(false));
    socket.once("connect", () => setTimeout(() => end(true), staysOpenMs));
  });
}
