import { bearerIn, postCapability, postChallenge, requireBearer } from "../support/actors/agent.ts";
import { sharedSession } from "../support/material/agents.ts";
import { firstLogin } from "../support/material/agent-controls.ts";
import { check, recommend } from "../support/judging/check.ts";
import { type Exchange, headerValues, isSuccess, jsonMembers, listHeader } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import type { Target } from "../support/target/target.ts";
import { jwtHeader } from "../support/material/jwt-forgery.ts";

/** The three responses of the path that carry a token, and what judges by itself that there is one. */
const responses = [
  {
    name: "challenge",
    judgedBy: "POW-01",
    ids: { nextSteps: "POW-57/challenge", signed: "B-POW-03/challenge-signed" },
    request: postChallenge,
  },
  {
    name: "session",
    judgedBy: "POW-07/session",
    ids: { nextSteps: "POW-57/login", signed: "B-POW-03/signed" },
    request: firstLogin,
  },
  {
    name: "capability",
    judgedBy: "POW-48",
    ids: { nextSteps: "POW-57/capability", signed: "B-POW-03/capability-signed" },
    request: async (target: Target) => postCapability(target, await sharedSession(target)),
  },
] as const;

async function successOf(target: Target, response: (typeof responses)[number]): Promise<Exchange> {
  const exchange = await response.request(target);
  if (isSuccess(exchange)) return exchange;
  throw controlRefused(`the ${response.name} request`, "2xx", exchange, response.judgedBy);
}

const headerForm = responses.map((response) =>
  check({
    id: `POW-02/${response.name}`,
    claim: `The ${response.name} is returned in a single \`Authorization\` response header as \`Bearer\`, one space and a token.`,
    act: (target) => successOf(target, response),
    assert(exchange) {
      const { length } = headerValues(exchange, "authorization");
      expectThat(length === 1, "one Authorization response header", `${length}`, exchange);
      expectThat(
        bearerIn(exchange) !== undefined,
        "Bearer, one space and a token",
        "a header of another form",
        exchange,
      );
    },
  }),
);

const nextSteps = responses.map((response) =>
  check({
    id: response.ids.nextSteps,
    claim: `\`_next\` in a ${response.name} response, where it is present, is an array of strings.`,
    act: (target) => successOf(target, response),
    assert: expectNextSteps,
  }),
);

/** Document, "Resources and their fields", success hints on the proof-of-work path. */
export function expectNextSteps(exchange: Exchange): void {
  const { _next: next } = jsonMembers(exchange);
  const isFine =
    next === undefined || (Array.isArray(next) && next.every((hint) => typeof hint === "string"));
  expectThat(isFine, "_next to be an array of strings", shown(next), exchange);
}

const notStored = responses.map((response) =>
  recommend({
    id: `B-POW-04/${response.name}`,
    claim: `A ${response.name} response forbids storing with \`Cache-Control: no-store\`.`,
    act: (target) => successOf(target, response),
    assert(exchange) {
      const values = listHeader(exchange, "cache-control") ?? "";
      expectThat(/\bno-store\b/iu.test(values), "no-store in Cache-Control", shown(values), exchange);
    },
  }),
);

const signed = responses.map((response) =>
  recommend({
    id: response.ids.signed,
    claim: `The header of a ${response.name} JWT names an algorithm other than \`none\`.`,
    async act(target) {
      const exchange = await successOf(target, response);
      const token = requireBearer(exchange, `the ${response.name} request`, `POW-02/${response.name}`);
      return { exchange, alg: jwtHeader(token)["alg"] };
    },
    assert({ exchange, alg }) {
      const isNamed = typeof alg === "string" && alg.toLowerCase() !== "none";
      expectThat(isNamed, "alg to name an algorithm other than none", shown(alg), exchange);
    },
  }),
);

export const tokenResponseChecks = [...headerForm, ...nextSteps, ...notStored, ...signed];
