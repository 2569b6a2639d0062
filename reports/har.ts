import { reportedProblems } from "./reported-problem.ts";
import type { ExchangeRole, Run, RunCheck, RunExchange } from "./run-format.ts";
import { splitUrl } from "./split-url.ts";

/**
 * The exchanges of the run's problems as HAR 1.2, a page for each: those of the check that shows it best. `_role` and
 * `_check` say what an exchange is to it, and `_target` is the request target verbatim, which importers normalise.
 */
export function renderHar(run: Run): string {
  const exchanges = new Map(run.exchanges.map((exchange) => [exchange.number, exchange]));
  const problems = reportedProblems(run).map(({ id, headline, checks: [check] }) => ({
    id,
    title: `${id} ${headline} (${check.id})`,
    check,
    shown: check.exchanges.flatMap(({ number, role }) => {
      const exchange = exchanges.get(number);
      return exchange === undefined ? [] : [{ exchange, role }];
    }),
  }));
  const log = {
    version: "1.2",
    creator: { name: run.suite.name, version: run.suite.version },
    pages: problems.map(({ id, title, shown }) => ({
      startedDateTime: shown[0]?.exchange.startedAt ?? run.startedAt,
      id,
      title,
      pageTimings: {},
    })),
    entries: problems.flatMap(({ id, check, shown }) =>
      shown.map(({ exchange, role }) => entry(id, check, exchange, role)),
    ),
  };
  return `${JSON.stringify({ log }, wellFormed, 1)}\n`;
}

function entry(
  page: string,
  check: RunCheck,
  { number, startedAt, durationMs, request, response }: RunExchange,
  role: ExchangeRole,
): object {
  const type = valueOf(request.headers, "content-type");
  return {
    pageref: page,
    startedDateTime: startedAt,
    time: durationMs,
    _number: number,
    _check: check.id,
    _role: role,
    _target: splitUrl(request.url).target,
    ...(request.node !== undefined && { _node: request.node }),
    request: {
      method: request.method,
      url: uri(request.url),
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: pairs(request.headers),
      queryString: pairs([...(URL.parse(request.url)?.searchParams ?? [])]),
      headersSize: -1,
      bodySize: bytesOf(request),
      ...(request.body !== "" && { postData: { mimeType: type, text: request.body } }),
    },
    response: {
      // 0: no answer came, as browsers write it.
      status: response.status,
      statusText: "",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: pairs(response.headers),
      content: {
        size: bytesOf(response),
        mimeType: valueOf(response.headers, "content-type"),
        text: response.body,
        ...(response.cut && { comment: `${response.cut.bytes} more bytes were not kept` }),
      },
      redirectURL: valueOf(response.headers, "location"),
      headersSize: -1,
      bodySize: bytesOf(response),
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
  };
}

/** As RFC 3986 has it: URLs of browsers may hold more. */
function uri(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return "about:blank";
  const target = `${parsed.pathname}${parsed.search}`
    .replaceAll(/%(?![0-9A-Fa-f]{2})/gu, "%25")
    .replaceAll(/[^\w\-.~:/?@!$&'()*+,;=%]/gu, encodeURIComponent);
  return `${parsed.origin}${target}`;
}

type Lines = readonly (readonly [string, string])[];

function pairs(lines: Lines): { name: string; value: string }[] {
  return lines.map(([name, value]) => ({ name, value }));
}

function valueOf(lines: Lines, name: string): string {
  return lines.find(([one]) => one.toLowerCase() === name)?.[1] ?? "";
}

function bytesOf({ body, cut }: RunExchange["response"] | RunExchange["request"]): number {
  return Buffer.byteLength(body) + (cut?.bytes ?? 0);
}

/** Half of a surrogate pair is not text to most readers of JSON. */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed() : value;
}
