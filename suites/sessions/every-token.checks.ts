import { bearerIn, claimsOf } from "../support/actors/agent.ts";
import { check } from "../support/judging/check.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError, Violation } from "../support/verdict.ts";
import { type Exchange, isSuccess } from "../support/wire/exchange.ts";

interface Lifetime {
  readonly exchange: Exchange;
  readonly seconds: number;
}

/**
 * The lifetimes of all tokens of one kind in this run, by their claims.
 *
 * @throws {NotApplicableError} when none shows exp and iat
 */
async function lifetimesAt(target: Target, path: string): Promise<readonly Lifetime[]> {
  const lifetimes = target.runExchanges().flatMap((exchange) => {
    const token = bearerIn(exchange);
    const isOfKind = exchange.request.url === `${target.authUrl}${path}` && isSuccess(exchange);
    const { exp, iat } = (isOfKind && token !== undefined && claimsOf(token)) || {};
    return typeof exp === "number" && typeof iat === "number" ? [{ exchange, seconds: exp - iat }] : [];
  });
  if (lifetimes.length > 0) return lifetimes;
  throw new NotApplicableError(`no token of ${path} in this run shows exp and iat`);
}

/** Lifetimes hold for every token, however it was obtained. Document, "Limits". */
export const everyTokenChecks = [
  {
    id: "POW-50/every-session",
    name: "session",
    path: "/api/v1/session",
    seconds: 3600,
    words: "one hour",
    judgedBy: "POW-50/claims",
  },
  {
    id: "POW-51/every-capability",
    name: "capability",
    path: "/api/v1/capability",
    seconds: 120,
    words: "two minutes",
    judgedBy: "POW-51/claims",
  },
].map(({ id, name, path, seconds, words, judgedBy }) =>
  check({
    id,
    claim: `The \`exp\` of every ${name} JWT of the run is ${words} after its \`iat\`, where it shows both.`,
    last: true,
    act: (target) => lifetimesAt(target, path),
    assert(lifetimes) {
      for (const { exchange, seconds: observed } of lifetimes) {
        // Two roundings to whole seconds may differ by one.
        if (Math.abs(observed - seconds) <= 1) continue;
        throw new Violation(`a life of ${seconds} s`, `${observed} s`, { exchange, explainedBy: judgedBy });
      }
    },
  }),
);
