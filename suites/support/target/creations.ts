import { type Exchange, formParameters, isSuccess, jsonMembers } from "../wire/exchange.ts";
import type { Parameters } from "../wire/parameters.ts";
import { type MailCreations, watchMail } from "./created-mail.ts";
import type { Profile } from "./profile.ts";

/** A client that the target registered in this run. */
export interface RegisteredClient {
  readonly client_id: string;
  /** Where it can be deleted, and with which token, when the target says so (RFC 7592 §2.3). */
  readonly configuration?: { readonly url: string; readonly accessToken: string };
}

/** A grant that was made in this run. */
export interface GrantMade {
  /** The newest. */
  readonly refreshToken: string;
  /** The fields by which its client says who it is. */
  readonly client: Parameters;
}

/** What a run has made on a target that stays there, read off the answers that acknowledge it. */
export interface Creations extends MailCreations {
  readonly clients: readonly RegisteredClient[];
  readonly grants: readonly GrantMade[];
  /** The inboxes of agents that were signed up; empty text where the answer names none. */
  readonly agents: readonly string[];
}

/** Watches the exchanges of a run for what they make on the target. */
export interface CreationsWatch {
  look(exchange: Exchange): void;
  soFar(): Creations;
}

export function watchCreations({ auth_url, api_url, names }: Profile): CreationsWatch {
  const clients = new Map<string, RegisteredClient>();
  const grants = new Map<string, GrantMade>();
  const agents: string[] = [];
  const mail = watchMail(names.account_header);

  function lookAtRegistration(exchange: Exchange): void {
    const {
      client_id,
      registration_client_uri: url,
      registration_access_token: token,
    } = jsonMembers(exchange);
    if (typeof client_id !== "string") return;
    const canBeDeleted = typeof url === "string" && typeof token === "string";
    clients.set(client_id, {
      client_id,
      ...(canBeDeleted && { configuration: { url, accessToken: token } }),
    });
  }

  function lookAtTokens(exchange: Exchange): void {
    const { refresh_token: refreshToken } = jsonMembers(exchange);
    if (typeof refreshToken !== "string") return;
    const fields = formParameters(exchange.request.body);
    // The new token takes the place of the one that it was got for.
    for (const [name, value] of fields) if (name === "refresh_token") grants.delete(value);
    const client = fields.filter(([name]) => name === "client_id" || name === "client_secret");
    grants.set(refreshToken, { refreshToken, client });
  }

  function lookAtSignUp(exchange: Exchange): void {
    const { apiKey, inbox } = jsonMembers(exchange);
    if (typeof apiKey === "string") agents.push(typeof inbox === "string" ? inbox : "");
  }

  const readers = new Map([
    [`${auth_url}/oauth/register`, lookAtRegistration],
    [`${auth_url}/oauth/token`, lookAtTokens],
    [`${auth_url}/api/v1/session`, lookAtSignUp],
    [`${api_url}/jmap`, mail.look],
  ]);

  return {
    look(exchange) {
      if (exchange.request.method === "POST" && isSuccess(exchange))
        readers.get(exchange.request.url)?.(exchange);
    },
    soFar: () => ({
      clients: [...clients.values()],
      grants: [...grants.values()],
      agents: [...agents],
      ...mail.soFar(),
    }),
  };
}
