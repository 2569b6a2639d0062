import { controlRefused } from "../support/wire/control-refused.ts";
import { type Check, check, type Need, observe } from "../support/judging/check.ts";
import { summary } from "../support/wire/exchange.ts";
import { Violation } from "../support/verdict.ts";
import { type Endpoint, endpoints, expectRefused, ownToken } from "./endpoints.ts";
import { type TokenCode, tokenKinds } from "./tokens.ts";

function needsOf(kinds: readonly TokenCode[], code: string): readonly Need[] {
  // A refusal at JMAP needs a human's inbox, whatever token is sent.
  const own: readonly Need[] = code === "JMAP" ? ["human"] : [];
  return [...new Set([...own, ...kinds.flatMap((kind) => tokenKinds[kind].needs)])];
}

/** Reads as in `jmap-token-at-session`. */
function slugOf(kind: TokenCode, endpoint: Endpoint): string {
  return `${tokenKinds[kind].slug}-at-${endpoint.slug}`;
}

const served = Object.entries(endpoints).flatMap(([code, endpoint]) =>
  endpoint.takes.map((kind) =>
    check({
      id: `CONF-${code}-OK/${slugOf(kind, endpoint)}`,
      claim: `${endpoint.words} accepts ${tokenKinds[kind].words} as bearer.`,
      needs: needsOf([kind], code),
      act: (target) => ownToken(target, code, kind),
      assert(exchange) {
        if (endpoint.isServed(exchange)) return;
        throw new Violation("the request to be served", summary(exchange), {
          exchange,
          explainedBy: endpoint.judgedBy,
        });
      },
    }),
  ),
);

function refusal(code: string, endpoint: Endpoint, kind: TokenCode): Check {
  return check({
    id: `CONF-${code}-${kind}/${slugOf(kind, endpoint)}`,
    claim: `${endpoint.words} refuses ${tokenKinds[kind].words} as bearer.`,
    needs: needsOf([kind, ...endpoint.takes], code),
    async act(target) {
      for (const own of endpoint.takes) {
        const exchange = await ownToken(target.control, code, own);
        if (!endpoint.isServed(exchange)) {
          throw controlRefused(
            `${endpoint.words} with ${tokenKinds[own].words}`,
            "the request to be served",
            exchange,
            endpoint.judgedBy,
          );
        }
      }
      return endpoint.send(target, await tokenKinds[kind].obtain(target.setup), kind);
    },
    assert(exchanges) {
      const findings = exchanges.map((exchange) => expectRefused(endpoint, exchange));
      return findings.find((finding) => finding !== undefined);
    },
  });
}

/** Every cell of the matrix that must be a refusal. */
export const refusals: readonly Check[] = Object.entries(endpoints).flatMap(([code, endpoint]) =>
  endpoint.refuses.map((kind) => refusal(code, endpoint, kind)),
);

const open = Object.entries(endpoints).flatMap(([code, endpoint]) =>
  (endpoint.mayTake ?? []).map((kind) =>
    observe({
      id: `CONF-${code}-OK/${slugOf(kind, endpoint)}`,
      question: `Does ${endpoint.words} accept ${tokenKinds[kind].words} as bearer?`,
      needs: needsOf([kind], code),
      act: async (target) => endpoint.send(target, await tokenKinds[kind].obtain(target.setup), kind),
      answer: ([exchange]) =>
        `${endpoint.isServed(exchange) ? "served" : "refused"} with ${summary(exchange)}`,
    }),
  ),
);

export const matrixChecks: readonly Check[] = [...served, ...refusals, ...open];
