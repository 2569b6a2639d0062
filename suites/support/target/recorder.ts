import { InconclusiveError } from "../verdict.ts";
import type { Exchange } from "../wire/exchange.ts";
import type { Http } from "../wire/http.ts";
import type { Evidence, SentAs } from "./evidence.ts";

/** Makes what is sent the evidence of a check. */
export interface Recorder {
  /** The evidence of all checks stays in memory, so it holds what the run keeps of an exchange. */
  cite(exchange: Exchange): void;
  /** Also where it is repeated, or stays without an answer. */
  recorded(send: (onRepeated: (exchange: Exchange) => void) => Promise<Exchange>): Promise<Exchange>;
}

export function createRecorder(http: Http, evidence: Evidence, sentAs: SentAs): Recorder {
  function add({ number }: Pick<Exchange, "number">, how: SentAs): void {
    const exchange = http.exchanges[number];
    if (exchange !== undefined) evidence.add({ exchange, sentAs: how, isShared: false });
  }

  return {
    cite: (exchange) => add(exchange, sentAs),
    async recorded(send) {
      try {
        const exchange = await send((repeated) => add(repeated, "waited"));
        add(exchange, sentAs);
        return exchange;
      } catch (error) {
        if (!(error instanceof InconclusiveError)) throw error;
        const { code, exchange: unanswered } = error;
        // What is closed each time is lost for good, and no disturbance.
        if (unanswered !== undefined) add(unanswered, code === "connection-closed" ? "waited" : sentAs);
        throw error;
      }
    },
  };
}
