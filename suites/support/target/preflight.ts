import { header, isHtml, mediaType } from "../wire/exchange.ts";
import type { Outgoing } from "../wire/http.ts";
import { createEvidence } from "./evidence.ts";
import type { Target, TargetRun } from "./target.ts";
import { InconclusiveError } from "../verdict.ts";

interface Probe {
  readonly found: "service" | "something else" | "nothing";
  readonly text: string;
  /** Why there was no answer. */
  readonly error?: InconclusiveError;
}

/** Why there is nothing to judge at an address. */
export interface AddressProblem {
  readonly text: string;
  /** Undefined where something answers that is not the service. */
  readonly error?: InconclusiveError;
}

/** The addresses of a target, and what is there of the service at each. */
const addresses = {
  auth_url: {
    what: "the authorization service",
    probes: [
      { method: "GET", path: "/.well-known/oauth-authorization-server" },
      { method: "GET", path: "/.well-known/jwks.json" },
      { method: "POST", path: "/api/v1/challenge" },
    ],
  },
  api_url: {
    what: "the mail API",
    probes: [
      { method: "GET", path: "/.well-known/jmap" },
      { method: "POST", path: "/jmap" },
    ],
  },
  mcp_url: {
    what: "the MCP server",
    probes: [
      { method: "GET", path: "/.well-known/oauth-protected-resource/mcp" },
      { method: "POST", path: "/mcp" },
    ],
  },
} as const;

export type AddressKey = keyof typeof addresses;

/**
 * Checks whether anything that could be the service answers at an address.
 *
 * @returns why there is nothing to judge, or undefined when there is
 */
export async function addressProblem(target: Target, key: AddressKey): Promise<AddressProblem | undefined> {
  const url = target.profile[key];
  const { what, probes } = addresses[key];
  const sent = probes.map(({ method, path }) => sendProbe(target, { method, url: `${url}${path}` }));
  // The first sign of life is enough: a hanging endpoint is for its checks to judge.
  if (await firstOf(sent, ({ found }) => found === "service")) return undefined;
  const results = await Promise.all(sent);
  const silent = results.find(({ found }) => found === "nothing");
  if (silent !== undefined) return { ...silent, text: `no usable answer from ${url}: ${silent.text}` };
  return {
    text: `${url} does not look like ${what}: ${results.map(({ text }) => text).join("; ")}. Is ${key} the service's base address?`,
  };
}

/** @returns the text of {@link addressProblem} */
export async function addressFailure(target: Target, key: AddressKey): Promise<string | undefined> {
  return (await addressProblem(target, key))?.text;
}

/**
 * Checks once whether the authorization service answers, so that a mistyped address or a target that is down gives one
 * message instead of hundreds.
 *
 * @returns as {@link addressFailure}
 */
export function preflightFailure(run: TargetRun): Promise<string | undefined> {
  return addressFailure(run.targetFor(createEvidence()), "auth_url");
}

async function sendProbe(target: Target, probe: Outgoing): Promise<Probe> {
  try {
    const exchange = await target.send(probe);
    const { status } = exchange.response;
    // Frameworks have a page for each status; a site that is something else asks for no bearer token.
    const asksForToken = status === 401 && /\bbearer\b/iu.test(header(exchange, "www-authenticate") ?? "");
    const isPage = !asksForToken && (isHtml(exchange) || status === 404);
    return {
      found: isPage ? "something else" : "service",
      text: `${probe.method} ${probe.url} answered ${status} ${mediaType(exchange)}`.trim(),
    };
  } catch (error) {
    if (!(error instanceof InconclusiveError)) throw error;
    return { found: "nothing", text: error.message, error };
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
