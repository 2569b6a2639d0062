import { attempt, type Attempt, codeIn } from "../actors/authorization.ts";
import type { Decision } from "../actors/consent/step.ts";
import { type AuthorizationRequest, authorizationRequest, type Client } from "../actors/oauth-client.ts";
import { withUndecidedClient } from "./clients.ts";
import type { Target } from "../target/target.ts";
import { InconclusiveError } from "../verdict.ts";
import { type Exchange, header, isHtml } from "../wire/exchange.ts";
import type { Outgoing } from "../wire/outgoing.ts";
import type { Parameters as Fields } from "../wire/parameters.ts";
import { originOf } from "../wire/url.ts";
import { fieldsOf, type PostedForm, withFields } from "../wire/posted-form.ts";

/** A form that the person's browser posts to the authorization server. */
export interface FormOnItsWay {
  readonly url: string;
  readonly form: PostedForm;
  readonly fields: Fields;
}

/** The form in a request, or undefined where it is none. */
export function postedForm(
  target: Target,
  { method, url, headers = [], body }: Outgoing,
): FormOnItsWay | undefined {
  if (method !== "POST" || typeof body !== "string" || !isAtServer(target, url)) return undefined;
  const [, contentType = ""] = headers.find(([name]) => name === "Content-Type") ?? [];
  const form = { contentType, body };
  const fields = fieldsOf(form);
  return fields && { url, form, fields };
}

/** The request with other fields in its form, encoded as before. */
export function sendingFields(outgoing: Outgoing, { form }: FormOnItsWay, fields: Fields): Outgoing {
  return { ...outgoing, body: withFields(form, fields).body };
}

/** Whether a request goes to the authorization server: its pages may stand outside the path of its address. */
export function isAtServer({ authUrl }: Target, url: string): boolean {
  return originOf(url) === originOf(authUrl);
}

/** The pages that the authorization server itself showed on the way; an identity provider has pages of its own. */
export function serversPages({ issuer, hops }: Attempt): readonly Exchange[] {
  return hops().filter((hop) => originOf(hop.request.url) === originOf(issuer) && isPage(hop));
}

/** A redirect may carry a line of HTML with its link (RFC 9110 §15.4), which browsers never show. */
function isPage(hop: Exchange): boolean {
  return isHtml(hop) && header(hop, "location") === undefined;
}

/** Whether the person was asked, and not by a page of the authorization server, as with a login application of its own host. */
export function isDecidedElsewhere(attempted: Attempt): boolean {
  return attempted.isDecided === true && serversPages(attempted).length === 0;
}

/** Why nothing can be said about the pages of such an authorization server. */
export const decidesElsewhere =
  "people are asked for consent at another origin than the authorization server's";

/** How an attempt ended, or the page that led nowhere any more, which is a refusal. */
export type Ended = Attempt | { readonly refusal: Exchange | undefined };

/** @returns the refusal where the browser got stuck on a page of it; other errors are thrown on */
export async function endOf(target: Target, attempted: () => Promise<Attempt>): Promise<Ended> {
  try {
    return await attempted();
  } catch (error) {
    if (!(error instanceof InconclusiveError) || error.code !== "consent-stuck") throw error;
    return { refusal: target.runExchanges().find(({ number }) => number === error.exchange?.number) };
  }
}

/** What becomes of a request of the person's browser. */
export type Forging = (target: Target, outgoing: Outgoing) => Outgoing;

interface Choice {
  readonly request?: Parameters<typeof authorizationRequest>[2];
  readonly decision?: Decision;
}

/**
 * Follows a valid request whose pages are changed on their way to the server. Where the target remembers the consent to the
 * client and shows no page, which would prove nothing, it is that of a new client.
 *
 * @throws {InconclusiveError} consent-skipped, when there is a code and nobody was asked
 */
export function forgedEnd(
  target: Target,
  client: Client,
  forge: Forging,
  choice: Choice = {},
): Promise<{ request: AuthorizationRequest; ended: Ended }> {
  return withUndecidedClient(target, "public", client, async (decidedOn) => {
    target.spend("grants");
    const forged = target.changing((outgoing) => forge(target, outgoing));
    const request = authorizationRequest(target, decidedOn, choice.request);
    const who = { decision: choice.decision ?? "approve", forged: true } as const;
    const ended = await endOf(target, () => attempt(forged, request, who));
    if ("end" in ended && ended.isDecided === false && codeIn(ended.end) !== undefined)
      throw new InconclusiveError(
        "consent-skipped",
        "the target asked for no consent, so there was no page to forge",
        { exchange: ended.end.exchange },
      );
    return { request, ended };
  });
}
