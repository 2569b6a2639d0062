import { type Attempt, codeIn } from "../actors/authorization.ts";
import { responseParameter } from "../actors/client-redirects.ts";
import { expectOAuthError, isRefusal, shown } from "./expect.ts";
import { leadsOn } from "./leads-on.ts";
import { type Exchange, header, headerValues, jsonMembers, isHtml } from "../wire/exchange.ts";
import { valueOf } from "../wire/parameters.ts";
import { gatewayRefusals, isStoppedByGateway } from "../wire/stopped-by-gateway.ts";
import { type Warning, Violation, warning } from "../verdict.ts";

/**
 * The authorization endpoint refused the request with one of the codes, directly or by an error redirect to the registered
 * `redirect_uri`; or by an HTML error page with 400, with a warning where it does not show the code, since the document fixes
 * no place. What all refusals share is judged once: whether they come before sign-in (AUTHZ-17/before-sign-in), `iss`
 * (AUTHZ-13), `state` (AUTHZ-10), the status that belongs to a code (ERR-03 to ERR-06) and the shape (ERR-01).
 *
 * @param codes - the error codes that the document names or allows
 * @param tolerated - codes of an RFC that are accepted with a warning
 */
export function expectAuthorizationRefused(
  attempt: Attempt,
  codes: readonly string[],
  tolerated: readonly string[] = [],
): Warning | undefined {
  expectNoCode(attempt);
  const { end } = attempt;
  const accepted: AcceptedCodes = { all: [...codes, ...tolerated], tolerated };
  return end.kind === "redirect"
    ? expectErrorRedirect(attempt, end, accepted)
    : expectErrorAnswer(attempt, end, accepted);
}

interface AcceptedCodes {
  readonly all: readonly string[];
  /** Those of them that are accepted with a warning. */
  readonly tolerated: readonly string[];
}

function expectErrorAnswer(
  attempt: Attempt,
  { exchange, reason }: Attempt["end"] & { kind: "answer" },
  accepted: AcceptedCodes,
): Warning | undefined {
  if (!isRefusal(exchange))
    throw new Violation(`a refusal with ${accepted.all.join(" or ")}`, reason, { exchange });
  if (isHtml(exchange)) {
    const isShown = accepted.all.some((code) => exchange.response.body.includes(code));
    if (isShown || isStoppedByGateway(exchange)) return undefined;
    expectPageWith400(attempt, exchange);
    return warning("an HTML error page that does not show the error code");
  }
  expectOAuthError(exchange, accepted.all);
  return toleratedWarning(jsonMembers(exchange)["error"], accepted);
}

/** The status of a page that shows its code is judged by that code, over the whole run (ERR-03 to ERR-06). */
function expectPageWith400(attempt: Attempt, exchange: Exchange): void {
  const { status } = exchange.response;
  const isDirect = exchange.number === attempt.first.number;
  const isOfService = isDirect && isPlain(attempt) && !gatewayRefusals.includes(status);
  if (isOfService && status !== 400)
    throw new Violation("400, the OAuth shape or a redirect to the client", `an HTML page with ${status}`, {
      exchange,
      explainedBy: "AUTHZ-11",
    });
}

/**
 * Whether a firewall has no reason to stop the request with its own page (C-90), and the service has none to refuse it
 * with another status: its `redirect_uri` is registered (C-04) where it has a client, and that has no document (C-97).
 */
function isPlain({ issuer, parameters, registered }: Attempt): boolean {
  const hasDocument = /^https?:/iu.test(valueOf(parameters, "client_id") ?? "");
  return (
    !hasDocument &&
    parameters.every(([name, value]) =>
      name === "redirect_uri" && registered.length > 0
        ? registered.includes(value)
        : /^\w+$/u.test(name) && isHarmless(value, issuer),
    )
  );
}

/** Firewalls look for IP addresses, for a question mark after an address, and for characters other than those of words. */
function isHarmless(value: string, issuer: string): boolean {
  const byNumber = /^https?:\/\/[\d[]/iu;
  const isOrdinary = value.length <= 255 && /^[\w.~:/ -]*$/u.test(value) && !value.includes("..");
  return isOrdinary && (!byNumber.test(value) || byNumber.test(issuer));
}

function expectErrorRedirect(
  attempt: Attempt,
  { location, exchange }: Attempt["end"] & { kind: "redirect" },
  accepted: AcceptedCodes,
): Warning | undefined {
  const requested = valueOf(attempt.parameters, "redirect_uri") ?? "";
  const goesToClient =
    attempt.registered.includes(requested) && isAt(queryForm(attempt, location), requested);
  if (!goesToClient)
    throw new Violation(
      "no redirect but to the registered redirect_uri",
      `a redirect to ${shown(location)}`,
      { exchange },
    );
  const error = errorOf(attempt, location);
  if (error === undefined || !accepted.all.includes(error))
    throw new Violation(`error ${accepted.all.join(" or ")} in the redirect`, shown(error), { exchange });
  return toleratedWarning(error, accepted);
}

/** The `error` of a redirect to the client, or undefined. */
export function errorOf(attempt: Attempt, location: string): string | undefined {
  return responseParameter(queryForm(attempt, location), "error");
}

/**
 * The redirect as it would be with its parameters in the query. A target that refuses another response type than `code` may
 * answer in the fragment, where RFC 6749 §4.2.2.1 puts the errors of that type.
 */
function queryForm({ parameters }: Attempt, location: string): string {
  const types = (valueOf(parameters, "response_type") ?? "").split(" ");
  const isAnsweredInFragment = types.some((type) => type === "token" || type === "id_token");
  if (!isAnsweredInFragment || !location.includes("#")) return location;
  return location.replace("#", location.split("#", 1)[0]?.includes("?") ? "&" : "?");
}

function toleratedWarning(error: unknown, { tolerated }: AcceptedCodes): Warning | undefined {
  return typeof error === "string" && tolerated.includes(error)
    ? warning(`error is ${error}, a code of the RFC; the document names another`)
    : undefined;
}

/**
 * The request was refused and its `redirect_uri` not used: a 4xx of its own, no `Location` and no other way to the
 * address. The document names no code for this at the authorization endpoint, so none is asserted.
 */
export function expectNoRedirect(attempt: Attempt): Warning | undefined {
  expectNoCode(attempt);
  const requested = valueOf(attempt.parameters, "redirect_uri") ?? "";
  const { end } = attempt;
  if (end.kind === "redirect") {
    const registered = attempt.registered.find((uri) => isAt(end.location, uri));
    if (registered === undefined || registered === requested)
      throw new Violation("no redirect", `a redirect to ${shown(end.location)}`, { exchange: end.exchange });
    // RFC 6749 §4.1.2.1 wants the person told; sending them to another registered address harms nobody.
    return warning(
      `the error went to the registered ${registered} although another redirect_uri was asked for`,
    );
  }
  if (!isRefusal(end.exchange))
    throw new Violation("a refusal with 4xx (not 404, 405 or 429)", end.reason, { exchange: end.exchange });
  const location = headerValues(end.exchange, "location")[0];
  if (location !== undefined) throw new Violation("no Location", shown(location), { exchange: end.exchange });
  if (leadsOn(end.exchange, requested))
    throw new Violation("an error page that does not lead to the redirect_uri", "a page that does", {
      exchange: end.exchange,
    });
  return undefined;
}

/** No code and no token in any hop, whatever the status. */
export function expectNoCode(attempt: Attempt): void {
  const code = codeIn(attempt.end);
  if (code !== undefined)
    throw new Violation("no code", "a code was issued", { exchange: attempt.end.exchange });
  for (const hop of attempt.hops()) {
    const location = header(hop, "location") ?? "";
    if (hasToken(location))
      throw new Violation("no token in any redirect", `access_token in a Location, ${hop.response.status}`, {
        exchange: hop,
      });
  }
  const { end } = attempt;
  if (end.kind === "redirect" && hasToken(end.location))
    throw new Violation("no token in any redirect", "access_token in the address of the client", {
      exchange: end.exchange,
    });
}

function hasToken(location: string): boolean {
  return /[?#&]access_token=/u.test(location);
}

function isAt(location: string, redirectUri: string): boolean {
  return (
    location === redirectUri ||
    location.startsWith(`${redirectUri}?`) ||
    location.startsWith(`${redirectUri}&`)
  );
}
