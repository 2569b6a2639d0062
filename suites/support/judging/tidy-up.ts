import { bearer, jmapBody, jsonContentType, postJmap, responseTo } from "../actors/jmap.ts";
import { endedClients } from "../actors/authorization.ts";
import { postRevoke } from "../actors/oauth-client.ts";
import { createEvidence } from "../target/evidence.ts";
import type { MailMade } from "../target/created-mail.ts";
import type { Creations } from "../target/creations.ts";
import type { Target, TargetRun } from "../target/target.ts";
import { InconclusiveError } from "../verdict.ts";
import { type Exchange, isJsonObject, isSuccess, type JsonObject } from "../wire/exchange.ts";
import type { Outgoing } from "../wire/http.ts";
import { valueOf } from "../wire/parameters.ts";
import { forEachConcurrently } from "./for-each-concurrently.ts";

/** What a run left on its target, after it took back what it could. */
export interface LeftBehind {
  readonly clients: readonly { readonly client_id: string; readonly isDeleted: boolean }[];
  /** Those revoked include what checks had revoked before: a revocation is answered alike. */
  readonly grants: {
    readonly made: number;
    readonly revoked: number;
    /** Of those that stay: grants to clients that the run had disabled, which revoke nothing any more. */
    readonly ofDisabledClients: number;
    /** Status of the first answer to another client that revoked nothing; absent when there was none. */
    readonly refusedWith?: number;
  };
  /** The inboxes of agents that were signed up, which only the target's operator can delete. */
  readonly agents: readonly string[];
  /** Drafts and other messages that were put into inboxes, and stay. */
  readonly emails: number;
  readonly submissions: number;
}

const concurrency = 8;

/**
 * Destroys the messages that a run made, revokes its grants, and deletes its clients where the target offers it (RFC 7592
 * §2.3). What the target does not do, or does not answer, is left. Never throws.
 *
 * @param isKept - whether a later run uses the client
 */
export async function tidyUp(
  run: TargetRun,
  creations: Creations,
  isKept: (clientId: string) => boolean = () => false,
): Promise<LeftBehind> {
  const target = run.targetFor(createEvidence(), "tidying-up");
  const destroyed = await destroyMail(target, creations.mail);
  const deleted = new Set<string>();
  const disabled = new Set(target.noted(endedClients));
  let revoked = 0;
  let ofDisabledClients = 0;
  let refusedWith: number | undefined;
  await forEachConcurrently(creations.grants, concurrency, async ({ refreshToken, client }) => {
    const answer = await answerTo(() => postRevoke(target, [["token", refreshToken], ...client]));
    if (answer && isSuccess(answer)) revoked += 1;
    else if (disabled.has(valueOf(client, "client_id") ?? "")) ofDisabledClients += 1;
    else refusedWith ??= answer?.response.status;
  });
  await forEachConcurrently(creations.clients, concurrency, async ({ client_id, configuration }) => {
    if (configuration === undefined || isKept(client_id)) return;
    const answer = await answerTo(() => target.send(deletion(configuration)));
    if (answer && isSuccess(answer)) deleted.add(client_id);
  });
  return {
    agents: creations.agents,
    submissions: creations.submissions,
    emails: creations.emails - destroyed,
    clients: creations.clients.map(({ client_id }) => ({ client_id, isDeleted: deleted.has(client_id) })),
    grants: {
      made: creations.grants.length,
      revoked,
      ofDisabledClients,
      ...(refusedWith && { refusedWith }),
    },
  };
}

// Far below the limits on the objects of a request that services have.
const idsAtOnce = 50;

/** @returns how many of the messages are gone */
async function destroyMail(target: Target, mail: readonly MailMade[]): Promise<number> {
  let gone = 0;
  await forEachConcurrently(mail, concurrency, async ({ headers, accountId, ids }) => {
    for (let first = 0; first < ids.length; first += idsAtOnce) {
      const destroy = ids.slice(first, first + idsAtOnce);
      const body = jmapBody([["Email/set", { accountId, destroy }, "0"]]);
      const answer = await answerTo(() => postJmap(target, { headers: [...headers, jsonContentType], body }));
      const result = answer && responseTo(answer, "0")?.args;
      gone += destroy.filter((id) => result && isGone(result, id)).length;
    }
  });
  return gone;
}

/** RFC 8620 §5.3. Another credential may have destroyed it before. */
function isGone({ destroyed, notDestroyed }: JsonObject, id: string): boolean {
  if (Array.isArray(destroyed) && destroyed.includes(id)) return true;
  const error = isJsonObject(notDestroyed) ? notDestroyed[id] : undefined;
  return isJsonObject(error) && error["type"] === "notFound";
}

function deletion({ url, accessToken }: { readonly url: string; readonly accessToken: string }): Outgoing {
  return { method: "DELETE", url, headers: [bearer(accessToken)], isRepeatable: true };
}

async function answerTo(send: () => ReturnType<Target["send"]>): Promise<Exchange | undefined> {
  try {
    return await send();
  } catch (error) {
    // No answer, or one of a gateway: then it is not known to be done.
    if (error instanceof InconclusiveError) return undefined;
    throw error;
  }
}
