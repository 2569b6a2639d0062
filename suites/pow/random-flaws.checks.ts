import fc from "fast-check";
import { openSession, postSession } from "../support/actors/agent.ts";
import { check } from "../support/judging/check.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import { isRefusalStatus } from "../support/judging/expect.ts";
import { jsonContentType } from "../support/actors/jmap.ts";
import { propertySettings } from "../support/pow/property-settings.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, Violation } from "../support/verdict.ts";
import { type CorrectLogin, correctLogin, expectSession } from "./session-requests.ts";

/** One flaw in a login that is right in everything else, its proof of work included. */
type RandomFlaw =
  | { readonly kind: "member"; readonly name: "powHex" | "nonce" | "apiKey"; readonly value: unknown }
  | { readonly kind: "challenge"; readonly position: number; readonly letter: string }
  | { readonly kind: "scheme"; readonly scheme: string };

const noText = [
  fc.constant(null),
  fc.boolean(),
  fc.array(fc.string(), { maxLength: 2 }),
  fc.record({ value: fc.string() }),
];

const flaw: fc.Arbitrary<RandomFlaw> = fc.oneof(
  fc.record({
    kind: fc.constant("member" as const),
    name: fc.constantFrom("powHex" as const, "apiKey" as const),
    value: fc.oneof(...noText, fc.integer()),
  }),
  // No numbers: whether the nonce may come as one is open (POW-29), and small ones may well be right.
  fc.record({
    kind: fc.constant("member" as const),
    name: fc.constant("nonce" as const),
    value: fc.oneof(...noText),
  }),
  fc.record({
    kind: fc.constant("member" as const),
    name: fc.constant("nonce" as const),
    value: fc.string({ maxLength: 12 }).filter((text) => !/^\s*\+?\d+\s*$/u.test(text)),
  }),
  fc.record({
    kind: fc.constant("member" as const),
    name: fc.constant("powHex" as const),
    value: fc.string({ maxLength: 140 }).filter((text) => !/^[0-9a-f]{128}$/iu.test(text)),
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

function send(target: Target, login: CorrectLogin, tried: RandomFlaw | undefined): Promise<Exchange> {
  const { jwt } = login.challenge;
  const body = { ...login.proof, apiKey: login.apiKey };
  switch (tried?.kind) {
    case undefined:
      return openSession(target, jwt, body);
    case "member":
      return openSession(target, jwt, { ...body, [tried.name]: tried.value });
    case "challenge":
      return openSession(target, changed(jwt, tried), body);
    case "scheme":
      return postSession(
        target,
        [["Authorization", `${tried.scheme} ${jwt}`], jsonContentType],
        JSON.stringify(body),
      );
  }
}

function changed(jwt: string, { position, letter }: { position: number; letter: string }): string {
  const at = Math.floor(position * jwt.length);
  return jwt.slice(0, at) + (jwt[at] === letter ? "_" : letter) + jwt.slice(at + 1);
}

interface Trial {
  /** What was not refused, with what fast-check needs to replay it. */
  readonly accepted?: { readonly flaw: RandomFlaw; readonly exchange: Exchange; readonly replay: string };
}

/** Sends random flaws until one is not refused; `login` gives each the login that it spoils. */
async function tryFlaws(target: Target, runs: number, login: () => Promise<CorrectLogin>): Promise<Trial> {
  let last: { flaw: RandomFlaw; exchange: Exchange } | undefined;
  const property = fc.asyncProperty(flaw, async (tried) => {
    last = { flaw: tried, exchange: await send(target, await login(), tried) };
    return isRefusalStatus(last.exchange.response.status);
  });
  // Shrinking would send many more requests, and the flaws are small as they are.
  const result = await fc.check(property, { ...propertySettings, numRuns: runs, endOnFailure: true });
  if (result.errorInstance instanceof InconclusiveError) throw result.errorInstance;
  if (!result.failed || last === undefined) return {};
  return {
    accepted: { ...last, replay: `seed ${result.seed}, path ${result.counterexamplePath ?? "none"}` },
  };
}

const runs = 40;
const costlyRuns = 6;

export const randomFlaws = check({
  id: "POW-07/random-flaws",
  claim: "Random flaws of a correct login are each refused, and the login without a flaw is accepted.",
  async act(target) {
    const shared = await correctLogin(target);
    const together = await tryFlaws(target, runs, async () => shared);
    const correct = await send(target, shared, undefined);
    if (together.accepted !== undefined || isSuccess(correct)) return { ...together, correct };
    // The target uses a challenge up by a refusal: then a proof of work buys one flaw, and there are fewer.
    const apart = await tryFlaws(target, costlyRuns, () => correctLogin(target));
    return { ...apart, correct: await send(target, await correctLogin(target), undefined) };
  },
  assert({ accepted, correct }) {
    if (accepted !== undefined) {
      const { exchange, flaw: found, replay } = accepted;
      const verb = isSuccess(exchange) ? "accepted" : "no refusal";
      throw new Violation(
        "a refusal with 4xx (not 404, 405 or 429)",
        `${verb}: ${summary(exchange)} for ${JSON.stringify(found)} (${replay})`,
      );
    }
    expectSession(correct);
  },
});
