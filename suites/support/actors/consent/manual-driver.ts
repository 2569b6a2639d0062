import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { createInterface } from "node:readline/promises";
import type { Readable, Writable } from "node:stream";
import type { ManualConsent } from "../../target/consent-settings.ts";
import type { HumanProfile } from "../../target/profile.ts";
import type { Target } from "../../target/target.ts";
import { BlockedError, InconclusiveError, interrupted } from "../../verdict.ts";
import { isCallback, unseenJourney } from "./callback-address.ts";
import type { ConsentDriver, ConsentRequest } from "./consent-driver.ts";
import type { Decision } from "./step.ts";

/** Where questions are asked. */
export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable;
}

const asked: Readonly<Record<Decision, string>> = {
  approve: "approve everything that is asked for",
  "approve read-only": "take sending away, and approve the rest",
  "approve with a new inbox": "create a new inbox, and approve",
  deny: "deny",
};

/** Whoever sits at the terminal. */
export function createManualDriver(
  { name }: Pick<HumanProfile, "name">,
  { username, timeout_seconds: timeoutSeconds }: ManualConsent,
  terminal: Terminal = { input: process.stdin, output: process.stderr },
): ConsentDriver {
  const given = new Set<string>();

  async function answerTo(request: ConsentRequest, signal: AbortSignal): Promise<string> {
    const listener = await listenFor(request);
    const [redirectUri = ""] = request.redirectUris;
    const how =
      listener === undefined
        ? `Then paste the address that the browser ends at (${redirectUri}?…).`
        : `The answer is taken at ${redirectUri}; or paste the address that the browser ends at.`;
    terminal.output.write(
      `\nwaiting up to ${timeoutSeconds} s for ${name}: sign in as ${username}, and ${asked[request.decision]}:\n\n${request.url}\n\n${how}\n`,
    );
    const stop = new AbortController();
    try {
      const until = AbortSignal.any([signal, stop.signal]);
      return await Promise.race([
        pasted(request, until),
        ...(listener === undefined ? [] : [listener.answer]),
      ]);
    } finally {
      stop.abort();
      listener?.server.close();
      listener?.server.closeAllConnections();
    }
  }

  async function pasted(request: ConsentRequest, signal: AbortSignal): Promise<string> {
    const lines = createInterface({ input: terminal.input, output: terminal.output });
    try {
      for (;;) {
        const line = (await lines.question("> ", { signal })).trim();
        const problem = given.has(line)
          ? "that is the answer to an earlier request"
          : isCallback(line, request)
            ? undefined
            : `expected an address that begins with ${request.redirectUris.join(" or ")}`;
        if (problem === undefined) return line;
        terminal.output.write(`${problem}; paste the address that the browser ends at now\n`);
      }
    } finally {
      lines.close();
    }
  }

  return {
    async authorize(target: Target, request) {
      if (terminal.input.isTTY !== true)
        throw new BlockedError(
          `the manual consent of ${name} needs a terminal, and there is none; where nobody is asked, use the driver form, browser or command`,
        );
      // One question at a time, whoever it is for.
      return target.exclusively("terminal", async () => {
        const deadline = AbortSignal.timeout(timeoutSeconds * 1000);
        try {
          const location = await answerTo(request, AbortSignal.any([deadline, target.signal]));
          given.add(location);
          return unseenJourney(location, request);
        } catch (cause) {
          if (target.signal.aborted) throw interrupted(cause);
          if (!deadline.aborted) throw cause;
          throw new InconclusiveError(
            "consent-stuck",
            `the manual driver waited ${timeoutSeconds} s for ${name}, and no answer came`,
            { cause },
          );
        }
      });
    },
    cookiesFor: () =>
      Promise.reject(new BlockedError("needs a consent driver that shows cookies: form or browser")),
  };
}

/** Takes the answer where the `redirect_uri` is on this machine; undefined where it is not, or the port is taken. */
async function listenFor(
  request: ConsentRequest,
): Promise<{ readonly server: Server; readonly answer: Promise<string> } | undefined> {
  const url = URL.parse(request.redirectUris[0] ?? "");
  if (url?.protocol !== "http:" || !["127.0.0.1", "[::1]", "localhost"].includes(url.hostname))
    return undefined;
  const { promise: answer, resolve } = Promise.withResolvers<string>();
  const server = createServer((incoming, response) => {
    const location = `${url.origin}${incoming.url ?? ""}`;
    const isAnswer = isCallback(location, request);
    response.writeHead(isAnswer ? 200 : 404, { "content-type": "text/plain; charset=utf-8" });
    response.end(isAnswer ? "mailproof has the answer; this page can be closed." : "not the redirect_uri");
    if (isAnswer) resolve(location);
  });
  server.listen(Number(url.port || 80), url.hostname.replaceAll(/[[\]]/gu, ""));
  try {
    await once(server, "listening");
  } catch {
    // Something else listens there, or may not be asked to: the answer can still be pasted.
    return undefined;
  }
  return { server, answer };
}
