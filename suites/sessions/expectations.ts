import { bearerIn } from "../support/actors/agent.ts";
import { type Exchange, isJsonObject, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectThat, isRefusalStatus, shown } from "../support/judging/expect.ts";
import { methodResponses, responseTo } from "../support/actors/jmap.ts";
import { Violation } from "../support/verdict.ts";

/** 2xx with `Authorization: Bearer <three segments>`. Document, "Authentication", proof-of-work path 6. */
export function expectCapability(exchange: Exchange): void {
  const token = bearerIn(exchange);
  const isJwt = /^[\w-]+\.[\w-]+\.[\w-]*$/u.test(token ?? "");
  if (isSuccess(exchange) && isJwt) return;
  throw new Violation(
    "2xx with Authorization: Bearer <three base64url segments>",
    `${summary(exchange)} ${token === undefined ? "without a token in that form" : `with a token of ${token.split(".").length} segments`}`,
  );
}

/** 200 with the two members of the session document that the document names. */
export function expectDocument(exchange: Exchange): void {
  const { primaryAccounts, apiUrl } = jsonMembers(exchange);
  expectThat(exchange.response.status === 200, "200 with a JMAP session document", summary(exchange));
  expectThat(isJsonObject(primaryAccounts), "primaryAccounts to be an object", shown(primaryAccounts));
  expectThat(typeof apiUrl === "string", "apiUrl to be a string", shown(apiUrl));
}

/** The call was answered by a response of its own method, not by an error. */
export function expectAnswered(exchange: Exchange, method: string, callId: string): void {
  const response = responseTo(exchange, callId);
  if (response?.name === method) return;
  const seen =
    response === undefined ? summary(exchange) : `${response.name} ${shown(response.args["type"])}`;
  throw new Violation(`a ${method} response`, seen);
}

/** A 4xx that shows neither a session document nor method responses. The document fixes no status. */
export function expectNothingShown(exchange: Exchange): void {
  const shows =
    methodResponses(exchange) !== undefined || jsonMembers(exchange)["primaryAccounts"] !== undefined;
  expectThat(
    isRefusalStatus(exchange.response.status) && !shows,
    "a refusal with 4xx (not 404, 405 or 429) and no data",
    `${summary(exchange)}${shows ? " with data" : ""}`,
  );
}
