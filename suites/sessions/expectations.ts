import { bearerIn } from "../support/actors/agent.ts";
import { type Exchange, isJsonObject, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { isRefusal, shown } from "../support/judging/expect.ts";
import { methodResponses, responseTo } from "../support/actors/jmap.ts";
import { InconclusiveError, Violation } from "../support/verdict.ts";

/** A signed JWT has three segments, an encrypted one five. RFC 7515 §7.1, RFC 7516 §7.1. */
const compactJwt = /^[\w-]+(?:\.[\w-]*){2}(?:(?:\.[\w-]*){2})?$/u;

/**
 * 2xx with a JWT. The form of the header is judged by POW-02.
 *
 * @param name - which JWT it is to be
 * @param explainedBy - id of the check that judges this request by itself, where another one does
 */
function expectJwt(exchange: Exchange, name: "session" | "capability", explainedBy?: string): void {
  const expected = `2xx with a ${name} JWT`;
  if (!isSuccess(exchange)) throw new Violation(expected, summary(exchange), { exchange, explainedBy });
  const token = bearerIn(exchange);
  if (token === undefined) {
    throw new Violation(expected, "no token in the form Bearer <token>", {
      exchange,
      explainedBy: `POW-02/${name}`,
    });
  }
  if (!compactJwt.test(token)) {
    throw new Violation(expected, `a token of ${token.split(".").length} segments`, {
      exchange,
      explainedBy,
    });
  }
}

export function expectSession(exchange: Exchange, explainedBy?: string): void {
  expectJwt(exchange, "session", explainedBy);
}

export function expectCapability(exchange: Exchange, explainedBy?: string): void {
  expectJwt(exchange, "capability", explainedBy);
}

/**
 * The two members of the session document that the document names.
 *
 * @param explainedBy - id of the check that judges the session document by itself, where another one does
 */
export function expectSessionDocument(exchange: Exchange, explainedBy?: string): void {
  const { primaryAccounts, apiUrl } = jsonMembers(exchange);
  if (isSuccess(exchange) && isJsonObject(primaryAccounts) && typeof apiUrl === "string") return;
  const seen = isSuccess(exchange)
    ? `primaryAccounts ${shown(primaryAccounts)} and apiUrl ${shown(apiUrl)}`
    : summary(exchange);
  throw new Violation("a session document with primaryAccounts and apiUrl", seen, { exchange, explainedBy });
}

/** The call was answered by a response of its own method, not by an error. */
export function expectAnswered(exchange: Exchange, method: string, callId: string): void {
  const response = responseTo(exchange, callId);
  if (response?.name === method) return;
  const seen =
    response === undefined ? summary(exchange) : `${response.name} ${shown(response.args["type"])}`;
  throw new Violation(`a ${method} response`, seen, { exchange });
}

/**
 * A 4xx that shows neither a session document nor method responses. The document fixes no status.
 *
 * @throws {InconclusiveError} for a 5xx, which says nothing about the request; ERR-11 judges it
 */
export function expectNothingShown(exchange: Exchange): void {
  const shows =
    methodResponses(exchange) !== undefined || jsonMembers(exchange)["primaryAccounts"] !== undefined;
  if (!shows && isRefusal(exchange)) return;
  if (!shows && exchange.response.status >= 500) {
    throw new InconclusiveError(
      "target-unreachable",
      `a request without a valid capability: expected a decision about it, got ${summary(exchange)}`,
      { exchange, explainedBy: "ERR-11" },
    );
  }
  throw new Violation(
    "a refusal with 4xx (not 404, 405 or 429) and no data",
    `${summary(exchange)}${shows ? " with data" : ""}`,
    { exchange },
  );
}
