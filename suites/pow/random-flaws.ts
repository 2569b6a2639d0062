import fc from "fast-check";
import { openSession, postSession, requestChallenge, saltOf } from "../support/agent.ts";
import { check } from "../support/check.ts";
import { type Exchange, isSuccess, summary } from "../support/exchange.ts";
import { isRefusalStatus } from "../support/expect.ts";
import { bearer, jsonContentType } from "../support/jmap.ts";
import { propertySettings } from "../support/pow/property-settings.ts";
import type { Target } from "../support/target.ts";
import { InconclusiveError, Violation } from "../support/verdict.ts";
import { findProof, requireBits, tooFewBits } from "./searches.ts";
import { correctLogin, expectSession } from "./session-requests.ts";

/** One flaw in a login whose nonce proves nothing, so that no flaw needs a search. */
type RandomFlaw =
  | { readonly kind: "member"; readonly name: "powHex" | "nonce" | "apiKey"; readonly value: unknown }
  | { readonly kind: "digest"; readonly zeroDigits: number; readonly filler: string }
  | { readonly kind: "challenge"; readonly position: number; readonly letter: string }
  | { readonly kind: "scheme"; readonly scheme: string };

const notText = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.array(fc.string(), { maxLength: 2 }),
  fc.record({ value: fc.string() }),
);

const flaw: fc.Arbitrary<RandomFlaw> = fc.oneof(
  fc.record({
    kind: fc.constant("member" as const),
    name: fc.constantFrom("powHex" as const, "nonce" as const, "apiKey" as const),
    value: notText,
  }),
  fc.record({
    kind: fc.constant("member" as const),
    name: fc.constant("nonce" as const),
    value: fc.string({ maxLength: 12 }).filter((text) => !/^\d+$/u.test(text)),
  }),
  fc.record({
    kind: fc.constant("digest" as const),
    zeroDigits: fc.integer({ min: 0, max: 128 }),
    filler: fc.stringMatching(/^[0-9a-f]{128}$/u),
  }),
  fc.record({
    kind: fc.constant("challenge" as const),
    // Short of the end, where a character may hold bits that decoders ignore.
    position: fc.double({ min: 0, max: 0.95, noNaN: true }),
    letter: fc.constantFrom(..."ABCDEFGHabcdefgh0123"),
  }),
  fc.record({
    kind: fc.constant("scheme" as const),
    scheme: fc.constantFrom("Basic", "Token", "DPoP", "Bearer:", "Bearer Bearer", "JWT"),
  }),
);

interface Attempt {
  readonly flaw: RandomFlaw;
  readonly exchange: Exchange;
}

async function send(target: Target, apiKey: string, tried: RandomFlaw): Promise<Exchange> {
  const challenge = await requestChallenge(target);
  requireBits(challenge, 1);
  saltOf(target, challenge);
  const proof = await findProof(target, challenge, {
    accept: { all: tooFewBits(challenge.difficultyBits) },
    costBits: 0,
  });
  const body = { ...proof, apiKey };
  switch (tried.kind) {
    case "member":
      return openSession(target, challenge.jwt, { ...body, [tried.name]: tried.value });
    case "digest":
      return openSession(target, challenge.jwt, {
        ...body,
        powHex: "0".repeat(tried.zeroDigits) + tried.filler.slice(tried.zeroDigits),
      });
    case "challenge":
      return openSession(target, changed(challenge.jwt, tried), body);
    case "scheme":
      return postSession(
        target,
        [["Authorization", `${tried.scheme} ${challenge.jwt}`], jsonContentType],
        JSON.stringify(body),
      );
  }
}

function changed(jwt: string, { position, letter }: { position: number; letter: string }): string {
  const at = Math.floor(position * jwt.length);
  return jwt.slice(0, at) + (jwt[at] === letter ? "_" : letter) + jwt.slice(at + 1);
}

const runs = 30;

export const randomFlaws = check({
  id: "POW-24/random-flaws",
  claim: `Each of ${runs} random logins whose nonce proves nothing is refused, and the correct login after them is accepted.`,
  needs: ["pow"],
  async act(target) {
    const login = await correctLogin(target);
    const attempts: Attempt[] = [];
    const property = fc.asyncProperty(flaw, async (tried) => {
      const exchange = await send(target, login.apiKey, tried);
      attempts.push({ flaw: tried, exchange });
      return isRefusalStatus(exchange.response.status);
    });
    // Shrinking would send many more requests, and the flaws are small as they are.
    const result = await fc.check(property, { ...propertySettings, numRuns: runs, endOnFailure: true });
    if (result.errorInstance instanceof InconclusiveError) throw result.errorInstance;
    const correct = await postSession(
      target,
      [bearer(login.challenge.jwt), jsonContentType],
      JSON.stringify({ ...login.proof, apiKey: login.apiKey }),
    );
    return {
      accepted: attempts.find(({ exchange }) => !isRefusalStatus(exchange.response.status)),
      replay: `seed ${result.seed}, path ${result.counterexamplePath ?? "none"}`,
      correct,
    };
  },
  assert({ accepted, replay, correct }) {
    if (accepted !== undefined) {
      const { exchange, flaw: found } = accepted;
      const verb = isSuccess(exchange) ? "accepted" : "no refusal";
      throw new Violation(
        "a refusal with 4xx (not 404, 405 or 429)",
        `${verb}: ${summary(exchange)} for ${JSON.stringify(found)} (${replay})`,
      );
    }
    expectSession(correct);
  },
});
