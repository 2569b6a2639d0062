import { sharedClient } from "./clients.ts";
import { RedirectUriRefused } from "./register-client.ts";
import { authorizingClient } from "./controls.ts";
import type { Target } from "../target/target.ts";
import { NotApplicableError } from "../verdict.ts";

/**
 * What an experiment with a client on a loopback address shows.
 *
 * @throws {NotApplicableError} where the target registers none (RFC 7591 §3.2.2)
 */
export async function triedOnLoopback<Seen>(target: Target, experiment: () => Promise<Seen>): Promise<Seen> {
  // A target that refuses everything refuses this registration too.
  await authorizingClient(target);
  return whereRegistered(experiment);
}

/** @throws {NotApplicableError} where the target registers no client on a loopback address */
export async function requireLoopback(target: Target): Promise<void> {
  await whereRegistered(() => sharedClient(target, "native"));
}

async function whereRegistered<Seen>(experiment: () => Promise<Seen>): Promise<Seen> {
  try {
    return await experiment();
  } catch (error) {
    if (error instanceof RedirectUriRefused)
      throw new NotApplicableError("no client can register a redirect_uri on a loopback address", {
        cause: error,
      });
    throw error;
  }
}
