import { mediaType } from "../wire/exchange.ts";
import type { Outgoing } from "../wire/http.ts";
import { createEvidence } from "./evidence.ts";
import type { Profile } from "./profile.ts";
import type { Target, TargetRun } from "./target.ts";
import { InconclusiveError } from "../verdict.ts";

interface Probe {
  readonly found: "service" | "something else" | "nothing";
  readonly text: string;
}

/**
 * Checks once whether anything that could be the service answers, so that a mistyped address or a target that is down gives
 * one message instead of hundreds.
 *
 * @returns why there is nothing to judge, or undefined when there is
 */
export async function preflightFailure(run: TargetRun, profile: Profile): Promise<string | undefined> {
  const target = run.targetFor(createEvidence());
  const probes = [
    { method: "GET", url: `${profile.auth_url}/.well-known/oauth-authorization-server` },
    { method: "GET", url: `${profile.auth_url}/.well-known/jwks.json` },
    { method: "POST", url: `${profile.auth_url}/api/v1/challenge` },
  ].map((probe) => sendProbe(target, probe));
  // The first sign of life is enough: a hanging endpoint is for its checks to judge.
  if (await firstOf(probes, ({ found }) => found === "service")) return undefined;
  const results = await Promise.all(probes);
  const silent = results.find(({ found }) => found === "nothing");
  if (silent !== undefined) return `no usable answer from ${profile.auth_url}: ${silent.text}`;
  return `${profile.auth_url} does not look like the authorization service: ${results.map(({ text }) => text).join("; ")}. Is auth_url the service's base address?`;
}

async function sendProbe(target: Target, probe: Outgoing): Promise<Probe> {
  try {
    const exchange = await target.send(probe);
    const isPage = mediaType(exchange) === "text/html" || exchange.response.status === 404;
    return {
      found: isPage ? "something else" : "service",
      text: `${probe.method} ${probe.url} answered ${exchange.response.status} ${mediaType(exchange)}`.trim(),
    };
  } catch (error) {
    if (!(error instanceof InconclusiveError)) throw error;
    return { found: "nothing", text: error.message };
  }
}

/** Whether one of them fits; decided as soon as the first one does. */
function firstOf<Item>(promises: readonly Promise<Item>[], fits: (item: Item) => boolean): Promise<boolean> {
  const fitting = promises.map((promise) =>
    promise.then((item) => (fits(item) ? item : Promise.reject(new Error("does not fit")))),
  );
  return Promise.any(fitting).then(
    () => true,
    () => false,
  );
}
