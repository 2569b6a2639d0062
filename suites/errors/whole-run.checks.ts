import { check, observe, recommend } from "../support/judging/check.ts";
import { type Exchange, header, isSuccess, jsonMembers, headerValues } from "../support/wire/exchange.ts";
import { responseParameter } from "../support/actors/client-redirects.ts";
import type { Target } from "../support/target/target.ts";
import { isGatewayStatus } from "../support/wire/disturbance.ts";
import { InconclusiveError, Violation } from "../support/verdict.ts";
import { requireWholeBodies } from "../support/wire/whole-bodies.ts";
import { placeOf } from "./places.ts";

/**
 * Every answer of the target in this run. What never came, and what came from an identity provider, is not an answer of it.
 *
 * @throws {InconclusiveError} precondition-missing, when none is a success
 */
async function answersOf(target: Target): Promise<readonly Exchange[]> {
  const own = [target.authUrl, target.apiUrl, target.mcpUrl];
  const answers = target
    .runExchanges()
    .filter(
      ({ request, response }) =>
        response.status !== 0 && own.some((base) => request.url.startsWith(`${base}/`)),
    );
  // A target that does nothing does nothing wrong either, and that says nothing.
  if (!answers.some(isSuccess))
    throw new InconclusiveError(
      "precondition-missing",
      "the target answered nothing in this run with success",
    );
  return answers;
}

/**
 * A server error of the service itself: not of its gateway, not 501 for a method that the document does not use (C-90), and not
 * in answer to a client that is known by its document, which may not have been fetched: CIMD-04 and CIMD-05 warn of it (C-97).
 */
export function isServerError({ request, response }: Exchange): boolean {
  const { status } = response;
  const isUnusedMethod = status === 501 && !["GET", "POST"].includes(request.method);
  return (
    status >= 500 &&
    !isGatewayStatus(status) &&
    !isUnusedMethod &&
    !namesOtherHost(request) &&
    !fetchesDocument(request)
  );
}

/** Whether a request is an authorization request of a client that is known by its document. */
function fetchesDocument({ url }: Exchange["request"]): boolean {
  const { pathname, searchParams } = new URL(url);
  return pathname.endsWith("/oauth/authorize") && /^https?:/iu.test(searchParams.get("client_id") ?? "");
}

/** Whether a request is for another host, which whoever serves unknown hosts may answer. */
function namesOtherHost({ url, headers }: Exchange["request"]): boolean {
  const named = headers.filter(([name]) => /^host$/iu.test(name));
  return named.some(([, value]) => value.toLowerCase() !== new URL(url).host);
}

const noServerErrors = check({
  id: "ERR-11",
  claim:
    "No request of the run was answered with 5xx, except by a gateway or with 501 to a method that is not used.",
  last: true,
  act: answersOf,
  assert(exchanges) {
    const broken = exchanges.filter(isServerError);
    const [first] = broken;
    if (first === undefined) return;
    throw new Violation(
      "no 5xx",
      `${broken.length}, the first ${first.response.status} at ${placeOf(first)}`,
      { exchange: first },
    );
  },
});

const traces: readonly RegExp[] = [
  /^\s*at .+[(\s]\S+:\d+:\d+\)?(?:$|")/mu, // JavaScript
  /Traceback \(most recent call last\)/u, // Python
  /^\s*at [\w$.]+\([\w$]+\.(?:java|kt):\d+\)/mu, // the Java virtual machine
  /\bgoroutine \d+ \[/u, // Go
  /\bSQLSTATE\b|\bsyntax error at or near\b|\bER_[A-Z]+_ERROR\b/u, // databases
  /(?:^|["'(\s])\/(?:usr|home|srv|app|var)\/[\w./-]+\.(?:m?[jt]s|py|rb|go|php)\b/mu, // file systems
];

/** Whether a body reveals the program that wrote it: a stack trace, a database error, a path of its file system. */
export function revealsInternals(body: string): boolean {
  // JSON escapes the line breaks of a trace.
  const text = body
    .replaceAll(/\\[nrt]/gu, "\n")
    // Addresses that a page refers to are its own business.
    .replaceAll(/\b(?:src|href)\s*=\s*(?:"[^"]*"|'[^']*')/giu, "");
  return traces.some((trace) => trace.test(text));
}

const noTraces = recommend({
  id: "B-HTTP-05",
  claim:
    "No error body of the run shows a stack trace, a database error or a path of the server's file system.",
  last: true,
  act: answersOf,
  assert(exchanges) {
    const errors = exchanges.filter(({ response }) => response.status >= 400);
    const revealing = errors.find(({ response }) => revealsInternals(response.body));
    if (revealing === undefined) return requireWholeBodies(errors);
    throw new Violation("no internals in an error body", `some at ${placeOf(revealing)}`, {
      exchange: revealing,
    });
  },
});

const secretMembers = ["access_token", "refresh_token", "client_secret", "apiKey"] as const;

/** The secrets that an answer handed out. */
function secretsOf(exchange: Exchange): string[] {
  const body = jsonMembers(exchange);
  const code = responseParameter(header(exchange, "location") ?? "", "code");
  return [...secretMembers.map((name) => body[name]), code].filter(
    (value): value is string => typeof value === "string" && value.length >= 16,
  );
}

/** Text of an answer in which no secret has a place: errors, and cookies. */
function exposedText(exchange: Exchange): string {
  const body = exchange.response.status >= 400 ? exchange.response.body : "";
  return [body, ...headerValues(exchange, "set-cookie")].join("\n");
}

// A run of characters that tokens are made of; looked up in a set, so that a long run stays linear.
const runOfCharacters = /[\w.~+/=-]{16,}/gu;

const noEchoes = recommend({
  id: "B-HTTP-06",
  claim: "No code, token or secret of the run appeared in an error body or in a cookie.",
  last: true,
  act: answersOf,
  assert(exchanges) {
    const secrets = new Set(exchanges.flatMap(secretsOf));
    const echo = exchanges.find((exchange) =>
      (exposedText(exchange).match(runOfCharacters) ?? []).some((run) => secrets.has(run)),
    );
    if (echo === undefined)
      return requireWholeBodies(exchanges.filter(({ response }) => response.status >= 400));
    throw new Violation("no secret in errors or cookies", `one at ${placeOf(echo)}`, { exchange: echo });
  },
});

const rateLimits = observe({
  id: "VER-03",
  question: "How many answers of the run were 429?",
  last: true,
  act: answersOf,
  answer(exchanges) {
    const limited = exchanges.filter(({ response }) => response.status === 429);
    return `${limited.length} of ${exchanges.length}`;
  },
});

/** What holds for every answer, whatever was asked: judged when all other checks are done. */
export const lookingBackChecks = [noServerErrors, noTraces, noEchoes, rateLimits];
