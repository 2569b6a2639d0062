import { type Exchange, formParameters, isSuccess, jsonMembers } from "../support/wire/exchange.ts";
import { valueOf } from "../support/wire/parameters.ts";
import { keptClients } from "../support/material/register-client.ts";
import { type OAuthAnswer, requestHeaders, type Run } from "./oauth-answers.ts";

/**
 * Whether an `invalid_client` may come with 401: a secret that is wrong or missing, a request without `client_id`, any
 * client that this run, an earlier one or the profile knows, and a URL as `client_id` (C-05, C-36, C-78, C-97).
 */
export function mayBeUnauthorized({ endpoint, exchange }: OAuthAnswer, run: Run): boolean {
  if (exchange.response.status !== 401 || endpoint === "authorize") return false;
  return endpoint === "revoke" || !namesUnknownClient(exchange, run);
}

function namesUnknownClient(exchange: Exchange, run: Run): boolean {
  const clientId = valueOf(formParameters(exchange.request.body), "client_id") ?? "";
  const isNamed = clientId !== "" && !/^https?:/iu.test(clientId);
  const authenticates = requestHeaders(exchange, "authorization").length > 0;
  return isNamed && !authenticates && !knownClients(run).has(clientId);
}

function knownClients({ profile, runExchanges, noted }: Run): ReadonlySet<unknown> {
  const registered = runExchanges()
    .filter((exchange) => exchange.request.method === "POST" && isSuccess(exchange))
    .map((exchange) => jsonMembers(exchange)["client_id"]);
  const { public: publicClient, confidential, operator, disabled } = profile.clients;
  const given = [publicClient, confidential, operator, disabled].map((client) => client?.client_id);
  return new Set([...given, ...registered, ...noted(keptClients)]);
}

/** Whether the same code or refresh token was presented at the same moment: the loser may get any refusal (C-96). */
export function lostRace({ exchange }: OAuthAnswer, { runExchanges }: Run): boolean {
  const value = presented(exchange);
  return (
    value !== undefined &&
    runExchanges().some(
      (other) => other !== exchange && presented(other) === value && overlap(exchange, other),
    )
  );
}

function presented({ request }: Exchange): string | undefined {
  if (request.method !== "POST" || !request.url.endsWith("/oauth/token")) return undefined;
  const fields = formParameters(request.body);
  return valueOf(fields, "code") ?? valueOf(fields, "refresh_token");
}

function overlap(one: Exchange, other: Exchange): boolean {
  const [from, otherFrom] = [Date.parse(one.startedAt), Date.parse(other.startedAt)];
  return from <= otherFrom + other.durationMs && otherFrom <= from + one.durationMs;
}
