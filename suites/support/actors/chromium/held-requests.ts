import type { CDPSession } from "playwright-core";
import { connectionOf } from "../../target/connection.ts";
import type { Target } from "../../target/target.ts";
import type { HeaderLines } from "../../wire/exchange.ts";
import type { Paused } from "./paused-request.ts";

// Pages are evidence, and a download without end is none.
const maxBodyCharacters = 2 * 1024 * 1024;

// They come before the answer itself; an answer that was not sent over the network has none.
const cookieWaits = 10;

/** The requests of a page that the browser holds, and their answers. */
export interface HeldRequests {
  abort(requestId: string): Promise<void>;
  letGo(requestId: string): Promise<void>;
  /** With the header lines that the profile adds for the target: it may be behind a gate that asks for them. */
  send(request: Paused): Promise<void>;
  /** The `Set-Cookie` lines of a held answer, whose other headers come without them. */
  cookiesSetBy(answer: Paused): Promise<HeaderLines>;
  bodyOf(requestId: string): Promise<string>;
}

/** Begins to listen for cookies; what else a page sends is held only once `Fetch` is enabled. */
export async function createHeldRequests(target: Target, session: CDPSession): Promise<HeldRequests> {
  const connection = connectionOf(target.profile);
  const setCookies = new Map<string, HeaderLines>();
  await session.send("Network.enable");
  session.on("Network.responseReceivedExtraInfo", ({ requestId, headers }) => {
    setCookies.set(
      requestId,
      linesOf(headers).filter(([name]) => name.toLowerCase() === "set-cookie"),
    );
  });

  async function letGo(requestId: string): Promise<void> {
    await session.send("Fetch.continueRequest", { requestId });
  }

  return {
    async abort(requestId) {
      await session.send("Fetch.failRequest", { requestId, errorReason: "Aborted" });
    },
    letGo,
    async send({ requestId, request }) {
      const added = connection.headersFor(request.url).map(([name, value]) => ({ name, value }));
      if (added.length === 0) return letGo(requestId);
      const own = Object.entries(request.headers).map(([name, value]) => ({ name, value }));
      await session.send("Fetch.continueRequest", { requestId, headers: [...own, ...added] });
    },
    async cookiesSetBy({ networkId = "" }) {
      for (let wait = 0; wait < cookieWaits && !setCookies.has(networkId); wait += 1) await target.pause(25);
      const lines = setCookies.get(networkId) ?? [];
      // Each hop of a redirect has the same id.
      setCookies.delete(networkId);
      return lines;
    },
    async bodyOf(requestId) {
      const { body, base64Encoded } = await session.send("Fetch.getResponseBody", { requestId });
      const text = base64Encoded ? Buffer.from(body, "base64").toString("utf8") : body;
      return text.slice(0, maxBodyCharacters);
    },
  };
}

/** A header that was set several times comes as one, its values on lines of their own. */
export function linesOf(headers: Readonly<Record<string, string>>): HeaderLines {
  return Object.entries(headers).flatMap(([name, value]) =>
    value.split("\n").map((line) => [name, line] as const),
  );
}
