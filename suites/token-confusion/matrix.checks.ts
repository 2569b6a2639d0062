import { controlRefused } from "../support/wire/control-refused.ts";
import { type Check, check, type Need } from "../support/judging/check.ts";
import { summary } from "../support/wire/exchange.ts";
import { expectThat } from "../support/judging/expect.ts";
import { type Finding, observation } from "../support/verdict.ts";
import { type Endpoint, endpoints, ownToken } from "./endpoints.ts";
import { type TokenCode, tokenKinds } from "./tokens.ts";

function needsOf(kinds: readonly TokenCode[], code: string): readonly Need[] {
  // A refusal at JMAP needs a human's inbox, whatever token is sent.
  const own: readonly Need[] = code === "JMAP" ? ["human"] : [];
  return [...new Set([...own, ...kinds.flatMap((kind) => tokenKinds[kind].needs)])];
}

const controls = Object.entries(endpoints).flatMap(([code, { words, takes, isServed }]) =>
  takes.map((kind) =>
    check({
      id: `CONF-${code}-OK${takes.length === 1 ? "" : `/${kind}`}`,
      claim: `${words} takes ${tokenKinds[kind].words} as bearer.`,
      needs: needsOf([kind], code),
      act: (target) => ownToken(target, code, kind),
      assert: (exchange) => expectThat(isServed(exchange), "the request to be served", summary(exchange)),
    }),
  ),
);

function cell(code: string, endpoint: Endpoint, kind: TokenCode): Check {
  const [own] = endpoint.takes;
  return check({
    id: `CONF-${code}-${kind}`,
    claim: `${endpoint.words} refuses ${tokenKinds[kind].words} as bearer.`,
    needs: needsOf(own === undefined ? [kind] : [kind, own], code),
    async act(target) {
      for (const control of endpoint.takes) {
        const exchange = await ownToken(target, code, control);
        if (!endpoint.isServed(exchange)) {
          throw controlRefused(
            `${endpoint.words} with ${tokenKinds[control].words}`,
            "it to be served",
            exchange,
          );
        }
      }
      return endpoint.send(target, await tokenKinds[kind].obtain(target), kind);
    },
    assert(exchanges): Finding | undefined {
      const findings = exchanges.map((exchange) => endpoint.expectRefused(exchange) ?? undefined);
      return findings.find((finding) => finding !== undefined);
    },
  });
}

/** Every cell of the matrix that must be a refusal. */
export const refusals: readonly Check[] = Object.entries(endpoints).flatMap(([code, endpoint]) =>
  endpoint.refuses.map((kind) => cell(code, endpoint, kind)),
);

const open = Object.entries(endpoints).flatMap(([code, endpoint]) =>
  (endpoint.mayTake ?? []).map((kind) =>
    check({
      id: `CONF-${code}-OK/open-${kind}`,
      claim: `What ${endpoint.words} answers to ${tokenKinds[kind].words} as bearer.`,
      needs: needsOf([kind], code),
      act: async (target) => endpoint.send(target, await tokenKinds[kind].obtain(target), kind),
      assert: ([exchange]) =>
        observation(`${endpoint.isServed(exchange) ? "served" : "refused"}: ${summary(exchange)}`),
    }),
  ),
);

export const matrixChecks: readonly Check[] = [...controls, ...refusals, ...open];
