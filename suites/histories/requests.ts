import { accountHeader, bearer, inboxQuery, jmapRequest, jsonContentType } from "../support/actors/jmap.ts";
import {
  type AuthorizationCode,
  type Client,
  codeExchange,
  refreshExchange,
  revocationRequest,
  secretOf,
  tokenRequest,
  type Tokens,
} from "../support/actors/oauth-client.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import { type Exchange, jsonMembers, summary } from "../support/wire/exchange.ts";
import type { Outgoing } from "../support/wire/http.ts";
import { type Action, type ClientName, grantOf, type State, type Step } from "./grants.ts";

/** What the steps of a history have brought, by the number of the step. */
export interface Material {
  /** The client of that kind. */
  readonly clientOf: (kind: ClientName) => Promise<Client>;
  readonly codes: Map<number, { readonly code: AuthorizationCode; readonly issuedAtMs: number }>;
  readonly tokens: Map<number, Tokens>;
}

/** A step that is one request of a client. */
export type Request = Exclude<Action, { kind: "authorize" | "deny" | "wait" | "restart" }> &
  Pick<Step, "number">;

export function isRequest<Done extends Action>(action: Done): action is Done & Omit<Request, "number"> {
  return ["exchange", "refresh", "revoke", "use"].includes(action.kind);
}

export async function requestOf(
  target: Target,
  state: State,
  step: Request,
  { clientOf, codes, tokens }: Material,
): Promise<Outgoing> {
  if (step.kind === "use") {
    const inbox = await inboxOf(target, state.get(grantOf(state, step) ?? 0)?.human ?? "first");
    const { access_token } = required(tokens, step.tokens);
    const headers = [bearer(access_token), accountHeader(target, inbox), jsonContentType];
    return jmapRequest(target, { headers, body: inboxQuery });
  }
  const client = await clientOf(step.by);
  switch (step.kind) {
    case "exchange":
      return tokenRequest(target, codeExchange({ ...required(codes, step.code).code, client }));
    case "refresh": {
      const fields = refreshExchange(client, required(tokens, step.tokens).refresh_token);
      return tokenRequest(target, step.isWidening ? [...fields, ["scope", "mail.read mail.send"]] : fields);
    }
    case "revoke":
      return revocationRequest(target, [
        ["client_id", client.client_id],
        ["token", required(tokens, step.tokens)[`${step.token}_token`]],
        ...secretOf(client),
      ]);
  }
}

export function required<Item>(items: ReadonlyMap<number, Item>, step: number): Item {
  const found = items.get(step);
  if (found === undefined) throw new TypeError(`step ${step} brought nothing`);
  return found;
}

/** @throws {InconclusiveError} when a token response lacks one of the tokens */
export function tokensIn(exchange: Exchange, { number }: Pick<Step, "number">): Tokens {
  const { access_token, refresh_token, scope } = jsonMembers(exchange);
  if (typeof access_token === "string" && typeof refresh_token === "string")
    return { access_token, refresh_token, scope: typeof scope === "string" ? scope : "" };
  throw new InconclusiveError(
    "precondition-missing",
    `step ${number} was answered without an access token or a refresh token: ${summary(exchange)}`,
    { exchange, explainedBy: "TOKEN-01" },
  );
}
