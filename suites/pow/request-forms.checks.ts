import { bearerIn, challengeRequest, sessionRequest, solvedChallenge } from "../support/actors/agent.ts";
import { jsonContentType, withLowerCaseScheme } from "../support/actors/jmap.ts";
import { check, recommend } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { isRefusal, isRefusalStatus } from "../support/judging/expect.ts";
import { provenAgent } from "../support/material/agent-controls.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError, Violation, type Warning, warning } from "../support/verdict.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import type { Outgoing } from "../support/wire/outgoing.ts";
import { expectSession } from "./session-requests.ts";

const typedWithoutBody = check({
  id: "POW-01/json-type",
  claim: "A challenge is issued also where the request without a body names `application/json` as its type.",
  act: (target) => target.send({ ...challengeRequest(target), headers: [jsonContentType] }),
  assert(exchange): Warning | undefined {
    if (isSuccess(exchange) && bearerIn(exchange) !== undefined) return undefined;
    // What many HTTP clients send, though there is nothing that the type could be of.
    if (isRefusal(exchange)) return warning(`a type without a body is refused: ${summary(exchange)}`);
    throw new Violation("2xx with a challenge", summary(exchange), { exchange, explainedBy: "POW-01" });
  },
});

/** A correct login, sent in another way. */
async function loginSent(
  target: Target,
  change: (request: Outgoing, body: string) => Outgoing,
): Promise<Exchange> {
  const { apiKey } = await provenAgent(target);
  const { challenge, proof } = await solvedChallenge(target.setup);
  const body = { ...proof, apiKey };
  return target.send(change(sessionRequest(target, challenge.jwt, body), JSON.stringify(body)));
}

const withCharset = check({
  id: "POW-11/charset",
  claim: "A login of `Content-Type: application/json; charset=utf-8` opens a session.",
  act: (target) =>
    loginSent(target, (request) => ({
      ...request,
      headers: (request.headers ?? []).map(([name, value]) =>
        name === jsonContentType[0] ? [name, `${value}; charset=utf-8`] : [name, value],
      ),
    })),
  assert: (exchange) => explained("POW-11", () => expectSession(exchange)),
});

const spaced = check({
  id: "POW-11/spaced",
  claim: "A login whose JSON body has spaces and line breaks between its members opens a session.",
  act: (target) =>
    loginSent(target, (request, body) => ({ ...request, body: JSON.stringify(JSON.parse(body), null, 2) })),
  assert: (exchange) => explained("POW-11", () => expectSession(exchange)),
});

const inChunks = check({
  id: "POW-11/chunked",
  claim: "A login whose body is sent in chunks opens a session; a target may ask for a length (411).",
  act: (target) =>
    loginSent(target, (request, body) => {
      const middle = Math.floor(body.length / 2);
      return { ...request, body: [body.slice(0, middle), body.slice(middle)] };
    }),
  assert(exchange): Warning | undefined {
    const { status } = exchange.response;
    // RFC 9110 §15.5.12.
    if (status === 411) throw new NotApplicableError("the target requires Content-Length (411)");
    // How a body is framed is HTTP's (RFC 9112 §7.1), of which the document says nothing.
    if (isRefusalStatus(status)) return warning(`the body is not read: ${summary(exchange)}`);
    explained("POW-11", () => expectSession(exchange));
    return undefined;
  },
});

const caselessScheme = recommend({
  id: "B-BRR-06/session",
  claim: "A challenge after the scheme `bearer` in lower case is accepted for a login.",
  act: (target) =>
    loginSent(target, (request) => ({ ...request, headers: withLowerCaseScheme(request.headers ?? []) })),
  assert: (exchange) => explained("POW-11", () => expectSession(exchange)),
});

const daysLater = 100;

const keyLater = check({
  id: "POW-11/100-days-later",
  claim: `An agent logs in with its \`apiKey\` ${daysLater} days after it did before, or is refused, with a warning.`,
  waitSeconds: daysLater * 86_400,
  async act(target) {
    await provenAgent(target);
    await target.wait(daysLater * 86_400);
    return loginSent(target, (request) => request);
  },
  assert(exchange): Warning | undefined {
    // The document says nothing about agents that have been idle for long.
    if (isRefusal(exchange)) return warning(`the apiKey is refused: ${summary(exchange)}`);
    explained("POW-11", () => expectSession(exchange));
    return undefined;
  },
});

/** Correct requests as other clients send them, and much later. Document, "Authentication", proof-of-work path 1 and 3. */
export const requestFormChecks = [typedWithoutBody, withCharset, spaced, inChunks, caselessScheme, keyLater];
