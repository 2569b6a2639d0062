import type { ExchangeRole, RunCheck, RunExchange } from "../../reports/run-format.ts";

/** Cuts what only prepared checks that passed to its first lines: nobody looks for it, and it is half of what a run sends. */
export function cutExchanges(exchanges: readonly RunExchange[], checks: readonly RunCheck[]): RunExchange[] {
  const needed = new Set(
    checks.flatMap((check) =>
      check.exchanges.filter(({ role }) => isNeeded(check, role)).map(({ number }) => number),
    ),
  );
  return exchanges.map((exchange) => (needed.has(exchange.number) ? exchange : firstLines(exchange)));
}

function isNeeded({ verdict }: RunCheck, role: ExchangeRole): boolean {
  const isPlain = verdict === "pass" || verdict === "observed";
  return !isPlain || role === "control" || role === "subject";
}

function firstLines({ number, startedAt, durationMs, request, response }: RunExchange): RunExchange {
  return {
    number,
    startedAt,
    durationMs,
    isCut: true,
    request: {
      method: request.method,
      url: request.url,
      headers: [],
      body: "",
      ...(request.node !== undefined && { node: request.node }),
    },
    response: { status: response.status, headers: [], body: "" },
  };
}
