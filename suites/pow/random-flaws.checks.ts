import fc from "fast-check";
import { openSession, postSession } from "../support/actors/agent.ts";
import { check } from "../support/judging/check.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import { isRefusal } from "../support/judging/expect.ts";
import { jsonContentType } from "../support/actors/jmap.ts";
import { propertySettings } from "../support/pow/property-settings.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, Violation } from "../support/verdict.ts";
import { signatureIgnored } from "./challenge-placement.checks.ts";
import { type CorrectLogin, correctLogin } from "./session-requests.ts";

/**
 * One flaw in a login that is correct otherwise, its proof of work included. `powHex` keeps its value: beside a right nonce
 * the target may ignore it.
 */
type RandomFlaw =
  | { readonly kind: "member"; readonly name: "nonce" | "apiKey"; readonly value: unknown }
  | { readonly kind: "challenge"; readonly position: number; readonly letter: string }
  | { readonly kind: "scheme"; readonly scheme: string };

const noString = [
  fc.constant(null),
  fc.boolean(),
  fc.array(fc.string(), { maxLength: 2 }),
  fc.record({ value: fc.string() }),
];

const flaw: fc.Arbitrary<RandomFlaw> = fc.oneof(
  fc.record({
    kind: fc.constant("member" as const),
    name: fc.constant("apiKey" as const),
    value: fc.oneof(...noString, fc.integer()),
  }),
  // No numbers: whether the nonce may be one is open (POW-29), and small ones may well be right.
  fc.record({
    kind: fc.constant("member" as const),
    name: fc.constant("nonce" as const),
    value: fc.oneof(...noString),
  }),
  fc.record({
    kind: fc.constant("member" as const),
    name: fc.constant("nonce" as const),
    value: fc.string({ maxLength: 12 }).filter((text) => !/^\s*\+?\d+\s*$/u.test(text)),
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
  readonly tried: readonly Exchange[];
  /** What was not refused, with what fast-check needs to replay it. */
  readonly accepted?: { readonly flaw: RandomFlaw; readonly exchange: Exchange; readonly replay: string };
}

/** Sends random flaws until one is not refused; `login` gives each the login that it spoils. */
async function tryFlaws(target: Target, runs: number, login: () => Promise<CorrectLogin>): Promise<Trial> {
  const exchanges: Exchange[] = [];
  let last: { flaw: RandomFlaw; exchange: Exchange } | undefined;
  const property = fc.asyncProperty(flaw, async (tried) => {
    const exchange = await send(target, await login(), tried);
    exchanges.push(exchange);
    last = { flaw: tried, exchange };
    return isRefusal(exchange);
  });
  // Shrinking would send many more requests, and the flaws are small as they are.
  const result = await fc.check(property, { ...propertySettings, numRuns: runs, endOnFailure: true });
  if (result.errorInstance instanceof InconclusiveError) throw result.errorInstance;
  if (!result.failed || last === undefined) return { tried: exchanges };
  return {
    tried: exchanges,
    accepted: { ...last, replay: `seed ${result.seed}, path ${result.counterexamplePath ?? "none"}` },
  };
}

const runs = 40;
const costlyRuns = 6;

/** The check or requirement that judges such a flaw by itself. */
function judgeOf(found: RandomFlaw): string {
  switch (found.kind) {
    case "member":
      return found.name === "nonce" ? "POW-30" : "POW-44";
    case "challenge":
      return signatureIgnored;
    case "scheme":
      return "POW-43";
  }
}

export const randomFlaws = check({
  id: "POW-07/random-flaws",
  claim: "A correct login with a random flaw is refused.",
  async act(target) {
    const shared = await correctLogin(target);
    const together = await tryFlaws(target, runs, async () => shared);
    const correct = await send(target, shared, undefined);
    if (isSuccess(correct)) target.control.cite(correct);
    if (together.accepted !== undefined || isSuccess(correct)) return together;
    // A refusal spends the challenge, as it may: then a proof of work buys one flaw, and there are fewer.
    return tryFlaws(target, costlyRuns, () => correctLogin(target));
  },
  assert({ accepted }) {
    if (accepted === undefined) return;
    const { exchange, flaw: found, replay } = accepted;
    const verb = isSuccess(exchange) ? "accepted" : "not refused";
    throw new Violation(
      "a refusal with 4xx (not 404, 405 or 429)",
      `${summary(exchange)}, ${verb}, for ${JSON.stringify(found)} (${replay})`,
      { exchange, explainedBy: judgeOf(found) },
    );
  },
});
