import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { CommandConsent } from "../../target/consent-settings.ts";
import type { HumanProfile } from "../../target/profile.ts";
import { BlockedError, InconclusiveError, interrupted } from "../../verdict.ts";
import { excerpt } from "../../wire/excerpt.ts";
import { decidedScopes, isCallback, unseenJourney } from "./callback-address.ts";
import type { ConsentDriver, ConsentRequest } from "./consent-driver.ts";

const longestShown = 1_000;

/** A program of the user's. */
export function createCommandDriver(
  { name }: Pick<HumanProfile, "name">,
  settings: CommandConsent,
): ConsentDriver {
  const given = new Set<string>();

  function inputOf(request: ConsentRequest): string {
    return JSON.stringify({
      authorization_url: request.url,
      redirect_uri: request.redirectUris[0],
      decision: request.decision === "deny" ? "deny" : "approve",
      scopes: decidedScopes(request),
      ...(request.decision === "approve with a new inbox" && { new_inbox: true }),
      human: name,
      username: settings.username,
    });
  }

  return {
    async authorize({ signal }, request) {
      const output = await outputOf(settings, inputOf(request), signal);
      const location = output.trim();
      const stuck = (what: string): InconclusiveError =>
        new InconclusiveError(
          "consent-stuck",
          `the command driver of ${name}: ${settings.command[0]} ${what}`,
        );
      if (/\s/u.test(location) || !isCallback(location, request))
        throw stuck(
          `was to write one address that begins with ${request.redirectUris.join(" or ")}, but wrote ${shown(output)}`,
        );
      if (given.has(location)) throw stuck("wrote the answer to an earlier request again");
      given.add(location);
      return unseenJourney(location, request);
    },
    cookiesFor: () =>
      Promise.reject(new BlockedError("needs a consent driver that shows cookies: form or browser")),
  };
}

/** @throws {InconclusiveError} consent-stuck, unless the program ends with 0 in time */
async function outputOf(
  { command, timeout_seconds: timeoutSeconds }: CommandConsent,
  input: string,
  interruption: AbortSignal,
): Promise<string> {
  const [program = "", ...args] = command;
  const deadline = AbortSignal.timeout(timeoutSeconds * 1000);
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
  const ended = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  // A program that does not read its input ends the pipe; its exit code says whether that was right.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [output, errors] = [text(child.stdout), text(child.stderr)];
  const stop = AbortSignal.any([deadline, interruption]);
  const kill = (): void => {
    child.kill("SIGKILL");
    // What the program has started may hold them open.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  stop.addEventListener("abort", kill);
  const failed = (what: string, cause?: unknown): InconclusiveError =>
    new InconclusiveError("consent-stuck", `the consent command ${program} ${what}`, { cause });
  try {
    const [[code, signal], written, complaint] = await Promise.all([ended, output, errors]);
    if (code === 0) return written;
    throw failed(
      `${signal === null ? `ended with ${code}` : `was ended by ${signal}`}; its standard error: ${shown(complaint)}`,
    );
  } catch (cause) {
    if (interruption.aborted) throw interrupted(cause);
    if (deadline.aborted) throw failed(`did not answer within ${timeoutSeconds} s`, cause);
    if (cause instanceof InconclusiveError) throw cause;
    throw failed("cannot be started", cause);
  } finally {
    stop.removeEventListener("abort", kill);
  }
}

function shown(written: string): string {
  return written.trim() === "" ? "nothing" : JSON.stringify(excerpt(written.trim(), longestShown));
}
