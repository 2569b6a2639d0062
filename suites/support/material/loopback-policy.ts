import { RedirectUriRefused } from "./clients.ts";
import { authorizingClient } from "./controls.ts";
import type { Target } from "../target/target.ts";
import { type Warning, warning } from "../verdict.ts";

/** What an experiment with a loopback address shows; undefined where the target registers none (RFC 7591 §3.2.2). */
export async function triedOnLoopback<Seen>(
  target: Target,
  experiment: () => Promise<Seen>,
): Promise<Seen | undefined> {
  // A target that refuses everything refuses this registration too.
  await authorizingClient(target);
  try {
    return await experiment();
  } catch (error) {
    if (error instanceof RedirectUriRefused) return undefined;
    throw error;
  }
}

export function noLoopback(): Warning {
  return warning("not tried: no client can register a redirect_uri on a loopback address");
}
