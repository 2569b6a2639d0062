import { randomBytes } from "node:crypto";
import { codeIn } from "../actors/authorization.ts";
import { bearer, getAgents, inboxEntries, jmapAs, jmapBody, type MethodCall } from "../actors/jmap.ts";
import { newestMails } from "../actors/newest-mails.ts";
import {
  type AuthorizationRequest,
  codeExchange,
  postToken,
  registeredRedirectUri,
  requireTokens,
} from "../actors/oauth-client.ts";
import type { Target } from "../target/target.ts";
import { BlockedError, InconclusiveError, NotApplicableError } from "../verdict.ts";
import { controlRefused } from "../wire/control-refused.ts";
import { type Exchange, isSuccess } from "../wire/exchange.ts";
import { replacing, valueOf } from "../wire/parameters.ts";
import { authorizingClient } from "./controls.ts";
import { forgedEnd, type Forging, postedForm, sendingFields } from "./forged-forms.ts";
import { sharedAccessToken } from "./grants.ts";
import { accountIdsIn } from "./inbox-lists.ts";

/**
 * The same consent, at which the person also creates an inbox: for one attempt.
 *
 * @param named - the name that they type; one that nobody has unless given
 * @throws {BlockedError} when the profile does not name the fields
 * @throws {NotApplicableError} when a name is given and no field takes it
 */
export function creatingInbox(target: Target, onCreated: () => void, named?: string): Forging {
  const [human] = target.profile.humans;
  if (human?.consent.driver !== "form" || human.consent.new_inbox === undefined)
    throw new BlockedError("needs the consent driver form, which fills in the fields of consent.new_inbox");
  const { choose, name } = human.consent.new_inbox;
  if (named !== undefined && name === undefined)
    throw new NotApplicableError("new_inbox of the profile has no field that names a new inbox");
  const [chooser = "", choice = ""] = choose.split(/=(.*)/su, 2);
  let isCreated = false;
  return (_target, outgoing) => {
    const posted = postedForm(target, outgoing);
    // A later page may carry the choice on, in a hidden field.
    if (isCreated || posted === undefined || valueOf(posted.fields, chooser) === undefined) return outgoing;
    isCreated = true;
    onCreated();
    const chosen = replacing(posted.fields, chooser, choice);
    const typed = named ?? `mailproof-${randomBytes(5).toString("hex")}`;
    return sendingFields(outgoing, posted, name === undefined ? chosen : replacing(chosen, name, typed));
  };
}

/** What a person gets who creates an inbox at a consent and gives it a name that somebody else's has. */
export interface Namesake {
  /** The inbox list for the token of the consent, or the last answer of a consent that was refused. */
  readonly exchange: Exchange | undefined;
  /** The newest messages of each inbox that came with the consent. */
  readonly shown: readonly Exchange[];
}

/**
 * @param name - of the other inbox
 * @throws {BlockedError} as {@link creatingInbox}
 * @throws {InconclusiveError} consent-stuck, when no inbox can be created; control-refused, when lists or messages cannot be had
 * @throws {NotApplicableError} when nobody names inboxes, or none comes with the consent
 */
export async function createNamesake(target: Target, name: string): Promise<Namesake> {
  const had = accountIdsIn(await listFor(target.setup, await sharedAccessToken(target)));
  const consent = await consentCreating(target, name);
  const { code, request } = consent;
  if (code === undefined) {
    const other = await consentCreating(target.control, undefined);
    if (other.code === undefined) throw nothingCreated("a code for an inbox that nobody else has");
    return { exchange: consent.last, shown: [] };
  }
  const { client, verifier } = request;
  const fields = codeExchange({ code, client, verifier, redirect_uri: registeredRedirectUri(client) });
  const response = await postToken(target.setup, fields);
  const token = requireTokens(response, "the code of a consent that created an inbox").access_token;
  const { exchange, added } = await addedTo(target, token, had);
  const shown: Exchange[] = [];
  for (const accountId of added) {
    const ask = (calls: readonly MethodCall[]) => jmapAs(target, token, accountId, jmapBody(calls));
    shown.push(...(await newestMails(ask, {})).pages);
  }
  return { exchange, shown };
}

const pollMs = 250;
/** How long an inbox may take to be listed. */
const longestMs = 5000;

async function addedTo(
  target: Target,
  token: string,
  had: readonly string[],
): Promise<{ exchange: Exchange; added: readonly string[] }> {
  const startedAt = performance.now();
  for (;;) {
    const exchange = await listFor(target, token);
    const active = inboxEntries(exchange).filter(({ status }) => status === "active");
    const added = active.map(({ accountId }) => accountId).filter((accountId) => !had.includes(accountId));
    if (added.length > 0) return { exchange, added };
    if (performance.now() - startedAt > longestMs)
      throw new NotApplicableError("no active inbox was added to the list by the consent");
    await target.pause(pollMs);
  }
}

async function listFor(target: Target, token: string): Promise<Exchange> {
  const exchange = await getAgents(target, [bearer(token)]);
  if (isSuccess(exchange)) return exchange;
  throw controlRefused("listing a person's inboxes", "200", exchange, "AGENTS-01");
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
