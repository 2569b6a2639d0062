import { type Agent, logIn, postCapability, requireBearer } from "../actors/agent.ts";
import { isSuccess, jsonMembers } from "../wire/exchange.ts";
import { controlRefused } from "../wire/control-refused.ts";
import { signUp } from "./usernames.ts";
import type { Target } from "../target/target.ts";

/**
 * A login may end the older sessions of its agent (C-92). So nobody logs in as `first` and `second`, whose sessions checks
 * share; `busy` is logged in as by every check of the session endpoint, `lone` and `lasting` by few, which keep the session
 * for a moment or for its hour; as `late`, `twice`, `again` and `beside` a single check each. Into the inbox of `silent` nobody writes.
 */
export type WhichAgent =
  "first" | "second" | "busy" | "lone" | "lasting" | "late" | "twice" | "again" | "beside" | "silent";

/**
 * An agent that checks of a run share: the profile's, or signed up.
 *
 * @throws {InconclusiveError} control-refused, when the signup fails
 */
export function sharedAgent(target: Target, which: WhichAgent = "first"): Promise<Agent> {
  return target.setup.once(`agent:${which}`, async (recording) => {
    const given = target.profile.pow.api_key;
    if (which !== "second" && given !== undefined) return { apiKey: given, inbox: undefined };
    const kept = recording.credentials?.takeAgent(which);
    if (kept !== undefined && isSuccess(await logIn(recording, kept.apiKey))) return kept;
    const { exchange } = await signUp(recording);
    const { apiKey, inbox } = jsonMembers(exchange);
    if (!isSuccess(exchange) || typeof apiKey !== "string") {
      throw controlRefused("signing up an agent", "2xx with apiKey", exchange, "POW-08");
    }
    const agent = { apiKey, inbox: typeof inbox === "string" ? inbox : undefined };
    recording.credentials?.keepAgent(which, agent);
    return agent;
  });
}

// Well before the hour that a session lives.
const renewSessionAfterSeconds = 3000;

/** A session JWT of a shared agent. */
export async function sharedSession(target: Target, which: WhichAgent = "first"): Promise<string> {
  const agent = await sharedAgent(target, which);
  const open = async (recording: Target): Promise<{ jwt: string; sinceSeconds: number }> => ({
    jwt: requireBearer(await logIn(recording, agent.apiKey), "logging in", "POW-11"),
    sinceSeconds: target.elapsedSeconds(),
  });
  const key = `session:${which}`;
  const holder = await target.setup.once(key, open);
  return target.exclusively(key, async () => {
    if (target.elapsedSeconds() - holder.sinceSeconds > renewSessionAfterSeconds)
      Object.assign(holder, await open(target.setup));
    return holder.jwt;
  });
}

/** A fresh capability JWT of a shared agent. */
export async function freshCapability(target: Target, which: WhichAgent = "first"): Promise<string> {
  return requireBearer(
    await postCapability(target.setup, await sharedSession(target, which)),
    "minting a capability",
    "POW-48",
  );
}
