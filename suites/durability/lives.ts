import { logIn, requireBearer } from "../support/actors/agent.ts";
import { BlockedError, InconclusiveError } from "../support/verdict.ts";
import type { Target } from "../support/target/target.ts";
import type { Client, Tokens } from "../support/actors/oauth-client.ts";
import { grantTo } from "../support/material/grants.ts";
import { controlJudgedBy } from "../support/wire/control-refused.ts";

/** The two ways in which a target ends and starts again. */
export const lives = {
  restarted: "a restart",
  killed: "a kill during writes",
} as const;

/** Names the life that follows, in the ids of checks. */
export type Life = keyof typeof lives;

/** What was prepared before the target ended, or why it could not be: the other parts are still judged. */
export type Prepared<Part> = { readonly part: Part } | { readonly error: unknown };

export async function prepared<Part>(prepare: () => Promise<Part>): Promise<Prepared<Part>> {
  try {
    return { part: await prepare() };
  } catch (error) {
    if (error instanceof InconclusiveError || error instanceof BlockedError) return { error };
    throw error;
  }
}

/** @throws what kept it from being prepared */
export function requirePrepared<Part>(result: Prepared<Part>): Part {
  if ("error" in result) throw result.error;
  return result.part;
}

/** A grant to a client, with its latest tokens. */
export interface HeldGrant {
  readonly client: Client;
  readonly tokens: Tokens;
}

/**
 * That a client of the former life is known in this one: without that, whatever it is refused proves nothing.
 *
 * @throws {InconclusiveError} control-refused
 */
export async function requireKnownClient(target: Target, life: Life, client: Client): Promise<HeldGrant> {
  return target.control.once(`durability:${life}:client:${client.client_id}`, (recording) =>
    controlJudgedBy(`DCR-04/${life}`, () => grantTo(recording, client)),
  );
}

/**
 * That an agent of the former life can log in in this one.
 *
 * @throws {InconclusiveError} control-refused
 */
export async function requireKnownAgent(target: Target, life: Life, apiKey: string): Promise<string> {
  return target.control.once(`durability:${life}:agent`, (recording) =>
    controlJudgedBy(`POW-11/${life}`, async () =>
      requireBearer(await logIn(recording, apiKey), `logging in after ${lives[life]}`),
    ),
  );
}
