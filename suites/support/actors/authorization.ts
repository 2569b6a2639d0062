import {
  type AuthorizationCode,
  type AuthorizationRequest,
  authorizationUrl,
  registeredRedirectUri,
} from "./oauth-client.ts";
import { leavesForClient, responseParameter } from "./client-redirects.ts";
import type { ConsentRequest, Journey } from "./consent/consent-driver.ts";
import { isPage } from "./consent/responses.ts";
import type { Decision } from "./consent/step.ts";
import { type Exchange, header, isRedirect, summary } from "../wire/exchange.ts";
import { type HumanSession, humanSession, newHumanSession, type WhichHuman } from "./human.ts";
import type { Parameters } from "../wire/parameters.ts";
import type { Topic } from "../target/notes.ts";
import type { Target } from "../target/target.ts";
import { BlockedError, InconclusiveError } from "../verdict.ts";
import { untilUndisturbed } from "../wire/disturbance.ts";

export interface AttemptRequest {
  readonly client: { readonly redirect_uris: readonly string[] };
  readonly parameters: Parameters;
}

/** How an authorization request ended, followed through sign-in and consent when the target showed them. */
export interface Attempt {
  /** What was sent to the authorization endpoint. */
  readonly parameters: Parameters;
  /** Registered for the client, byte for byte. */
  readonly registered: readonly string[];
  readonly issuer: string;
  /** The answer of the authorization endpoint, without any session. */
  readonly first: Exchange;
  /** Every exchange of the attempt, `first` included. A function, since only `first` and `end` are what a check judges. */
  readonly hops: () => readonly Exchange[];
  readonly end: AttemptEnd;
  /** A person had to sign in or decide before the end came. */
  readonly interaction: boolean;
  /** Whether the person was asked, where they got as far as the client. */
  readonly isDecided?: boolean;
  /** What the person was shown was not seen: `hops` and the exchange of `end` are `first` alone. */
  readonly isUnseen?: true;
}

export type AttemptEnd =
  /** Sent to the client, or wherever the request asked for; `location` as it crossed the wire. */
  | { readonly kind: "redirect"; readonly location: string; readonly exchange: Exchange }
  /** An answer that is not a redirect to the client. */
  | {
      readonly kind: "answer";
      readonly exchange: Exchange;
      readonly reason: string;
      /** It answers the sign-in: the person was not asked to decide yet. */
      readonly isAtSignIn?: boolean;
    };

/** Authorization requests that were answered with a code in this run: the target knows their clients. */
export const provenRequests: Topic<ProvenRequest> = { name: "requests that were answered with a code" };

interface ProvenRequest {
  readonly parameters: Parameters;
  /** On the target's clock. */
  readonly atSeconds: number;
}

/** Ids of clients that a check makes unusable, left before it does: that they are refused from then on is not a sign of a restart. */
export const endedClients: Topic<string> = { name: "clients that a check made unusable" };

/** Who approved the request that a code answers. */
export const approvals: Topic<{ readonly code: string; readonly human: WhichHuman }> = {
  name: "codes and who approved them",
};

/** Every authorization request that a run followed to its end, for the checks that look at all of them. */
export const allAttempts: Topic<Attempt> = { name: "authorization attempts" };

/** The person of an attempt, what they decide, and what they open beside the consent page. */
interface Who {
  readonly human?: WhichHuman;
  readonly decision?: Decision;
  readonly secondTab?: string;
  /** What they opened in the same browser before, and left at its page. */
  readonly abandoned?: string;
  /** In a browser of its own, where the person has to sign in first. Only the form driver does it. */
  readonly newBrowser?: true;
  /** In this browser of theirs. */
  readonly browser?: HumanSession;
  /** The target changes what the browser sends: no real browser lets it. */
  readonly forged?: true;
}

/**
 * Sends an authorization request and follows it to its end: as a person who approves, when the target shows sign-in or
 * consent. It judges nothing.
 *
 * @throws {InconclusiveError} consent-stuck, when the target shows a sign-in page and the profile has no human
 */
export async function attempt(target: Target, request: AttemptRequest, who: Who = {}): Promise<Attempt> {
  const ended = await untilUndisturbed(() => followed(target, request, who));
  target.cite(ended.first);
  target.cite(ended.end.exchange);
  target.note(allAttempts, keptOf(ended, target));
  const code = codeIn(ended.end);
  if (code !== undefined) target.note(approvals, { code, human: who.human ?? "first" });
  return ended;
}

/**
 * The same in a browser that the person is signed in with already, from the first request on.
 *
 * @throws {BlockedError} when the driver shows no answers
 */
export async function attemptSignedIn(
  target: Target,
  request: AttemptRequest,
  { human = "first", decision = "approve" }: Pick<Who, "human" | "decision"> = {},
): Promise<Attempt> {
  const hops: Exchange[] = [];
  const recording = recordingHops(target.setup, hops);
  const opened = openedIn(target, request);
  const journey = await asHuman(recording, human, { ...opened, decision });
  const [first] = hops;
  if (first === undefined) throw new BlockedError("needs a consent driver that shows the target's answers");
  const end = endOf(journey, first);
  target.cite(end.exchange);
  return { ...unendedOf(target, request, first, hops), end, interaction: true };
}

/** The attempt with what the run keeps of its exchanges: all attempts stay in memory. */
function keptOf(ended: Attempt, { kept }: Target): Attempt {
  const hops = ended.hops().map(kept);
  const end = { ...ended.end, exchange: kept(ended.end.exchange) };
  return { ...ended, first: kept(ended.first), end, hops: () => hops };
}

async function followed(target: Target, request: AttemptRequest, who: Who): Promise<Attempt> {
  const hops: Exchange[] = [];
  const recording = recordingHops(target.setup, hops);
  const opened = openedIn(target, request);
  const first = await recording.send({
    method: "GET",
    url: opened.url,
    headers: [["Accept", "text/html,*/*;q=0.8"]],
  });
  const base = unendedOf(target, request, first, hops);
  const direct = directEnd(first, opened.leaves);
  if (direct !== undefined) return { ...base, end: direct, interaction: false };
  const { human = "first", decision = "approve", secondTab, abandoned, forged } = who;
  const asked = { ...opened, decision, secondTab, abandoned, forged };
  const journey = await asHuman(recording, human, asked, who);
  const unseen = journey.last === undefined && { isUnseen: true as const };
  const decided = journey.kind === "left" && { isDecided: journey.decided };
  return { ...base, end: endOf(journey, first), interaction: true, ...decided, ...unseen };
}

function recordingHops(setup: Target, hops: Exchange[]): Target {
  return {
    ...setup,
    send: async (outgoing) => recorded(hops, await setup.send(outgoing)),
    record: (seen) => recorded(hops, setup.record(seen)),
  };
}

/** What a browser is sent to, and how it is known to have left. */
export function openedIn(
  target: Target,
  { client, parameters }: AttemptRequest,
): Omit<ConsentRequest, "decision"> {
  const redirectUris = [...new Set([...valuesOf(parameters, "redirect_uri"), ...client.redirect_uris])];
  return {
    url: authorizationUrl(target, parameters),
    scopes: valuesOf(parameters, "scope").flatMap((scope) => scope.split(" ")),
    redirectUris,
    leaves: leavesForClient(redirectUris),
  };
}

function unendedOf(
  target: Target,
  { client, parameters }: AttemptRequest,
  first: Exchange,
  hops: readonly Exchange[],
): Omit<Attempt, "end" | "interaction"> {
  return {
    parameters,
    registered: client.redirect_uris,
    issuer: target.authUrl,
    first,
    hops: () => hops,
  };
}

function recorded(hops: Exchange[], exchange: Exchange): Exchange {
  hops.push(exchange);
  return exchange;
}

/**
 * A person opens the authorization URL in their browser session, signs in where asked, and decides.
 *
 * @throws {InconclusiveError} consent-stuck or consent-skipped, when the journey says nothing about the target
 */
async function asHuman(
  target: Target,
  which: WhichHuman,
  request: ConsentRequest,
  { newBrowser, browser, secondTab, abandoned, forged }: Who = {},
): Promise<Journey> {
  const own = newBrowser ? newHumanSession(target, which) : browser;
  const human = own ?? (await humanSession(target, which));
  const what =
    (newBrowser && "opens a browser of its own") ||
    (secondTab !== undefined && "opens a second tab") ||
    (abandoned !== undefined && "leaves a page as it is") ||
    (forged && "changes what it sends");
  if (what && human.driver !== "form")
    throw new BlockedError(
      `needs the consent driver form, which ${what}; that of ${human.name} is ${human.driver}`,
    );
  // One page at a time a person: some servers keep one pending request a browser session.
  const journey = await target.exclusively(`human:${which}`, () => human.authorize(target, request));
  requireUnderstood(journey, request.decision, human.driver);
  return journey;
}

/** That the driver did not find its way says nothing about the target. */
function requireUnderstood(journey: Journey, decision: Decision, driver: HumanSession["driver"]): void {
  if (journey.kind === "ended") {
    if (!journey.isStuck) return;
    throw new InconclusiveError(
      "consent-stuck",
      `the ${driver} driver did not get through sign-in and consent: ${journey.reason}`,
      { exchange: journey.last },
    );
  }
  const hasCode = responseParameter(journey.location, "code") !== undefined;
  if (decision === "approve" || !hasCode) return;
  const details = { exchange: journey.last };
  if (!journey.decided)
    throw new InconclusiveError(
      "consent-skipped",
      `the target asked for no consent, so the person could not choose to ${decision}`,
      details,
    );
  if (decision === "approve read-only" && !journey.narrowed)
    throw new InconclusiveError(
      "consent-stuck",
      "no page showed a way to narrow the grant to reading (name the field in consent.read_only as name=value)",
      details,
    );
  if (decision === "approve with a new inbox" && !journey.createdInbox)
    throw new InconclusiveError(
      "consent-stuck",
      "no page had the field that consent.new_inbox of the profile names",
      details,
    );
}

function directEnd(first: Exchange, leaves: (location: string) => boolean): AttemptEnd | undefined {
  if (isRedirect(first)) {
    const location = header(first, "location") ?? "";
    return leaves(location) ? { kind: "redirect", location, exchange: first } : undefined;
  }
  const isForPerson = first.response.status === 200 && isPage(first);
  return isForPerson ? undefined : { kind: "answer", exchange: first, reason: summary(first) };
}

/** @param first - stands for the answer that led to the client where the driver does not show it */
function endOf(journey: Journey, first: Exchange): AttemptEnd {
  return journey.kind === "left"
    ? { kind: "redirect", location: journey.location, exchange: journey.last ?? first }
    : {
        kind: "answer",
        exchange: journey.last,
        reason: journey.reason,
        isAtSignIn: journey.isAtSignIn,
      };
}

/** Whether the endpoint showed sign-in or consent: a page, or a redirect that does not leave for the client. */
export function showsSignIn(first: Exchange, redirectUris: readonly string[]): boolean {
  return directEnd(first, leavesForClient(redirectUris)) === undefined;
}

function valuesOf(parameters: Parameters, name: string): string[] {
  return parameters.flatMap(([key, value]) => (key === name ? [value] : []));
}

/** The code that the attempt ended with, or undefined. */
export function codeIn(end: AttemptEnd): string | undefined {
  return end.kind === "redirect" ? responseParameter(end.location, "code") : undefined;
}

/**
 * For a request that got no code.
 *
 * @throws {InconclusiveError} precondition-missing, when the target may have been unable to fetch the client's metadata document
 */
export function requireFetchedDocument(target: Target, clientId: string): void {
  const obstacle = clientId.startsWith("https://") ? target.documents.obstacleFor(target.authUrl) : undefined;
  if (obstacle !== undefined) throw new InconclusiveError("precondition-missing", obstacle);
}

/**
 * How people sign in is the target's own: that somebody was turned away there says nothing about their approval.
 *
 * @throws {InconclusiveError} consent-stuck, when the sign-in was answered with an error before the person was asked to decide
 */
export function requireSignedIn({ end }: Pick<Attempt, "end">): void {
  if (end.kind === "redirect" || !end.isAtSignIn) return;
  throw new InconclusiveError(
    "consent-stuck",
    `the sign-in ended before the person was asked: ${end.reason}; are the credentials in the profile right?`,
    { exchange: end.exchange },
  );
}

/**
 * Drives a valid request to its code.
 *
 * @throws {InconclusiveError} control-refused, when the target issued none; consent-stuck, when nobody could sign in
 */
export async function obtainCode(
  target: Target,
  request: AuthorizationRequest,
  who: { human?: WhichHuman; decision?: Decision } = {},
): Promise<AuthorizationCode> {
  target.spend("grants");
  const { end } = await attempt(target, request, who);
  const code = codeIn(end);
  if (code === undefined || code === "") {
    requireFetchedDocument(target, request.client.client_id);
    requireSignedIn({ end });
    const seen =
      end.kind === "redirect"
        ? `a redirect with ${responseParameter(end.location, "error") ?? "no code"}`
        : end.reason;
    throw new InconclusiveError(
      "control-refused",
      `a valid authorization request by the ${who.human ?? "first"} human: expected a redirect with a code; observed ${seen}`,
      { exchange: end.exchange, explainedBy: "AUTHZ-09" },
    );
  }
  const redirectUri =
    valuesOf(request.parameters, "redirect_uri")[0] ?? registeredRedirectUri(request.client);
  target.note(provenRequests, { parameters: request.parameters, atSeconds: target.elapsedSeconds() });
  return { code, redirect_uri: redirectUri, verifier: request.verifier, client: request.client };
}
