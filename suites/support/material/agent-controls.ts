import { type Agent, logIn, requireBearer } from "../actors/agent.ts";
import { sharedAgent } from "./agents.ts";
import type { Exchange } from "../wire/exchange.ts";
import type { Target } from "../target/target.ts";

/** A login of an agent with nothing wrong in it: one for all checks of a run, as it came. */
export function firstLogin(target: Target): Promise<Exchange> {
  return target.once("control:login", async (recording) =>
    logIn(recording, (await sharedAgent(recording, "busy")).apiKey),
  );
}

/**
 * An agent whose correct login was accepted in this run: the control of every refusal at the session endpoint.
 *
 * @throws {InconclusiveError} control-refused, when the correct login is refused too
 */
export async function provenAgent(target: Target): Promise<Agent> {
  const agent = await sharedAgent(target, "busy");
  requireBearer(await firstLogin(target.control), "a login with nothing wrong in it", "POW-11");
  return agent;
}
