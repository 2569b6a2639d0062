import { setTimeout as delay } from "node:timers/promises";
import { Agent, request } from "undici";
import { createTestBrowser } from "../../fixtures/service/oauth/test-browser.ts";
import { authorize, exchangeCode, registerClient, textOf } from "../kill-service/caller.ts";
import type { Addresses } from "../kill-service/service-child.ts";
import { MeasurementError } from "./measurement-error.ts";

/** Grants of one client, each refreshed by its own caller. */
export interface RefreshLoop {
  /** @returns refreshes per second */
  measure(durationSeconds: number): Promise<number>;
  close(): Promise<void>;
}

export async function openRefreshLoop(addresses: Addresses, callers: number): Promise<RefreshLoop> {
  const clientId = await registerClient(addresses);
  const browser = createTestBrowser();
  const tokens: string[] = [];
  for (let count = 0; count < callers; count += 1) {
    const code = await authorize(addresses, browser, clientId);
    tokens.push(textOf(await exchangeCode(addresses, clientId, code), "refresh_token"));
  }
  const dispatcher = new Agent({ connections: callers });

  async function refreshOnce(caller: number): Promise<void> {
    const { statusCode, body } = await request(`${addresses.auth_url}/oauth/token`, {
      dispatcher,
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: `grant_type=refresh_token&client_id=${clientId}&refresh_token=${tokens[caller] ?? ""}`,
    });
    const response = (await body.json()) as { refresh_token?: string };
    if (statusCode !== 200 || response.refresh_token === undefined)
      throw new MeasurementError(`expected 200 from every refresh, got ${statusCode}`);
    tokens[caller] = response.refresh_token;
  }

  return {
    async measure(durationSeconds) {
      let count = 0;
      let isOver = false;
      const startedMs = performance.now();
      const callersDone = Promise.all(
        tokens.map(async (_token, caller) => {
          for (; !isOver; count += 1) await refreshOnce(caller);
        }),
      );
      await Promise.race([delay(durationSeconds * 1000), callersDone]);
      isOver = true;
      await callersDone;
      return (count * 1000) / (performance.now() - startedMs);
    },
    close: () => dispatcher.close(),
  };
}
