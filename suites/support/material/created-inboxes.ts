import { randomBytes } from "node:crypto";
import { codeIn } from "../actors/authorization.ts";
import { bearer, getAgents, inboxEntries, jmapAs, jmapBody, type MethodCall } from "../actors/jmap.ts";
import {
  type AuthorizationRequest,
  codeExchange,
  postToken,
  registeredRedirectUri,
  requireTokens,
} from "../actors/oauth-client.ts";
import type { Target } from "../target/target.ts";
import { BlockedError, InconclusiveError } from "../verdict.ts";
import { controlRefused } from "../wire/control-refused.ts";
import { type Exchange, isSuccess } from "../wire/exchange.ts";
import { replacing, valueOf } from "../wire/parameters.ts";
import { authorizingClient } from "./controls.ts";
import { forgedEnd, type Forging, postedForm, sendingFields } from "./forged-forms.ts";
import { sharedAccessToken } from "./grants.ts";

/**
 * The same consent, at which the person also creates an inbox.
 *
 * @param named - the name that they type; one that nobody has unless given
 * @throws {BlockedError} when the profile does not name the fields, or a name is given and no field takes it
 */
export function creatingInbox(target: Target, onCreated: () => void, named?: string): Forging {
  const [human] = target.profile.humans;
  if (human?.consent.driver !== "form" || human.consent.new_inbox === undefined)
    throw new BlockedError("needs the consent driver form, which fills in the fields of consent.new_inbox");
  const { choose, name } = human.consent.new_inbox;
  if (named !== undefined && name === undefined)
    throw new BlockedError("needs new_inbox.name: the field of the consent page that names a new inbox");
  const [chooser = "", choice = ""] = choose.split(/=(.*)/su, 2);
  return (_target, outgoing) => {
    const posted = postedForm(target, outgoing);
    if (posted === undefined || valueOf(posted.fields, chooser) === undefined) return outgoing;
    onCreated();
    const chosen = replacing(posted.fields, chooser, choice);
    const typed = named ?? `mailproof-${randomBytes(5).toString("hex")}`;
    return sendingFields(outgoing, posted, name === undefined ? chosen : replacing(chosen, name, typed));
  };
}

/** A consent at which the first human created an inbox of a name that somebody else's has. */
export interface NamesakeInbox {
  /** Access token of the consent; undefined when the target did not let them have the name. */
  readonly token: string | undefined;
  /** The list for the token, or the last answer of the consent. */
  readonly exchange: Exchange | undefined;
  /** accountIds that an older token of the same person did not list before. */
  readonly added: readonly string[];
  /** accountIds that are listed for the token. */
  readonly listed: readonly string[];
}

/**
 * @param name - of the other inbox
 * @throws {BlockedError} as {@link creatingInbox}
 * @throws {InconclusiveError} consent-stuck, when no inbox can be created; control-refused, without inbox lists
 */
export async function namesakeInbox(target: Target, name: string): Promise<NamesakeInbox> {
  const had = await accountIdsFor(target.setup, await sharedAccessToken(target));
  const consent = await consentCreating(target, name);
  const { code, request } = consent;
  if (code === undefined) {
    const other = await consentCreating(target.control, undefined);
    if (other.code === undefined) throw nothingCreated("a code for an inbox that nobody else has");
    return { token: undefined, exchange: consent.last, listed: [], added: [] };
  }
  const { client, verifier } = request;
  const fields = codeExchange({ code, client, verifier, redirect_uri: registeredRedirectUri(client) });
  const response = await postToken(target.setup, fields);
  const token = requireTokens(response, "the code of a consent that created an inbox").access_token;
  const exchange = await getAgents(target, [bearer(token)]);
  const listed = inboxEntries(exchange).map(({ accountId }) => accountId);
  return { token, exchange, listed, added: listed.filter((accountId) => !had.includes(accountId)) };
}

async function accountIdsFor(target: Target, token: string): Promise<readonly string[]> {
  const exchange = await getAgents(target, [bearer(token)]);
  if (!isSuccess(exchange)) throw controlRefused("listing a person's inboxes", "200", exchange, "AGENTS-01");
  return inboxEntries(exchange).map(({ accountId }) => accountId);
}

function nothingCreated(expected: string): InconclusiveError {
  return new InconclusiveError("consent-stuck", `a consent that creates an inbox: expected ${expected}`, {
    explainedBy: "AGENTS-11/after-consent",
  });
}

interface CreatingConsent {
  readonly request: AuthorizationRequest;
  readonly code: string | undefined;
  /** The answer that it ended with. */
  readonly last: Exchange | undefined;
}

async function consentCreating(target: Target, name: string | undefined): Promise<CreatingConsent> {
  let isTyped = false;
  const forge = creatingInbox(target, () => (isTyped = true), name);
  const { request, ended } = await forgedEnd(target, await authorizingClient(target), forge);
  if (!isTyped) throw nothingCreated("a form with the field for it");
  return "end" in ended
    ? { request, code: codeIn(ended.end), last: ended.end.exchange }
    : { request, code: undefined, last: ended.refusal };
}

/** What the token of the consent shows in each inbox that came with it: the newest messages. */
export function shownInAdded(target: Target, { token, added }: NamesakeInbox): Promise<readonly Exchange[]> {
  if (token === undefined) return Promise.resolve([]);
  return Promise.all(added.map((accountId) => jmapAs(target, token, accountId, jmapBody(newestCalls))));
}

const newestCalls: readonly MethodCall[] = [
  ["Email/query", { sort: [{ property: "receivedAt", isAscending: false }], limit: 100 }, "0"],
  [
    "Email/get",
    { "#ids": { resultOf: "0", name: "Email/query", path: "/ids" }, properties: ["id", "subject"] },
    "1",
  ],
];
