import { isStoppedByGateway } from "../support/wire/stopped-by-gateway.ts";
import { check, recommend } from "../support/judging/check.ts";
import { type Exchange, isJsonObject, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectAgentErrorShape, expectThat, isRefusal, shown } from "../support/judging/expect.ts";
import { isOwnOrigin } from "../support/target/origins.ts";
import type { Target } from "../support/target/target.ts";
import {
  type Warning,
  InconclusiveError,
  NotApplicableError,
  Violation,
  warning,
} from "../support/verdict.ts";
import { requireWholeBodies } from "../support/wire/whole-bodies.ts";

const paths = ["challenge", "session", "capability"].map((name) => `/api/v1/${name}`);

// What is too large, or of no stated length, may be refused by a gateway, which knows nothing of the shape.
const lengthRefusals: readonly number[] = [411, 413, 414, 431];

function pathOf({ request }: Exchange): string {
  return request.url.split("?", 1)[0] ?? "";
}

/**
 * Every refusal that the service gave at the three endpoints of the path in this run.
 *
 * @throws {InconclusiveError} precondition-missing, when there is none
 */
async function refusals(target: Target): Promise<readonly Exchange[]> {
  const urls = paths.map((path) => target.authUrl + path);
  const found = target
    .runExchanges()
    .filter(
      (exchange) =>
        exchange.request.method === "POST" &&
        urls.includes(pathOf(exchange)) &&
        isRefusal(exchange) &&
        !lengthRefusals.includes(exchange.response.status) &&
        !isStoppedByGateway(exchange),
    );
  if (found.length > 0) return found;
  throw new InconclusiveError(
    "precondition-missing",
    "no request to the proof-of-work path was refused in this run",
  );
}

const shape = check({
  id: "POW-54/shape",
  claim:
    "Every refusal of the proof-of-work path in the run has strings `error.message`, `error.hint` and `error.docs_url`.",
  last: true,
  act: refusals,
  assert(exchanges) {
    for (const exchange of exchanges) {
      const { error } = jsonMembers(exchange);
      if (typeof error === "string") {
        throw new Violation("an object as error", `${summary(exchange)}: a string`, {
          exchange,
          explainedBy: "POW-56",
        });
      }
      expectAgentErrorShape(exchange);
    }
  },
});

const helpful = check({
  id: "POW-54/has-text",
  claim:
    "No refusal of the proof-of-work path in the run has an empty `error.message`, `error.hint` or `error.docs_url`.",
  last: true,
  act: refusals,
  assert(exchanges) {
    // The document asks for strings, which POW-54/shape judges, and says nothing about their text.
    const errors = exchanges.map((exchange) => jsonMembers(exchange)["error"]).filter(isJsonObject);
    const empty = errors.find(({ message, hint, docs_url: docsLink }) =>
      [message, hint, docsLink].includes(""),
    );
    return empty && warning(`an error says nothing: ${shown(empty)}`);
  },
});

const docsUrl = check({
  id: "POW-54/docs-url",
  claim: "Every `docs_url` of the run is an absolute http or https address.",
  last: true,
  act: refusals,
  assert(exchanges) {
    let finding: Warning | undefined;
    for (const exchange of exchanges) finding ??= expectLink(exchange);
    return finding;
  },
});

/** An absolute address passes, and a relative reference (RFC 3986 §4.2) warns. POW-54/shape judges whether there is one. */
function expectLink(exchange: Exchange): Warning | undefined {
  const { error } = jsonMembers(exchange);
  const address = isJsonObject(error) ? error["docs_url"] : undefined;
  if (typeof address !== "string") return undefined;
  if (/^https?:\/\/[^/\s]+/iu.test(address)) return undefined;
  const isRelative = address !== "" && !/\s|^[a-z][a-z\d+.-]*:/iu.test(address);
  expectThat(isRelative, "docs_url to be an http or https address", shown(address), exchange);
  return warning(`docs_url is the relative reference ${shown(address)}`);
}

const docsServed = check({
  id: "POW-54/docs-served",
  claim: "No `docs_url` of the run that points to the target's own addresses is a dead link.",
  last: true,
  async act(target) {
    const links = new Set(
      target
        .runExchanges()
        .map(docsLinkOf)
        .filter((link) => link !== undefined),
    );
    const own = [...links].filter((link) => isOwnOrigin(target.profile, link)).slice(0, mostLinks);
    if (own.length === 0) throw new NotApplicableError("no docs_url of the run is at the target's addresses");
    return Promise.all(
      own.map((url) => target.send({ method: "GET", url, headers: [["Accept", "text/html,*/*;q=0.8"]] })),
    );
  },
  assert(pages) {
    const missing = pages.find(
      ({ response: { status } }) => status === 404 || status === 410 || status >= 500,
    );
    return missing && warning(`${missing.request.url} is answered ${summary(missing)}`);
  },
});

const mostLinks = 20;

/** Without its fragment; undefined where an answer has none that is absolute. */
function docsLinkOf(exchange: Exchange): string | undefined {
  const { error } = jsonMembers(exchange);
  const address = isJsonObject(error) ? error["docs_url"] : undefined;
  return typeof address === "string" && /^https?:\/\/[^/\s]+[^\s]*$/iu.test(address)
    ? address.split("#", 1)[0]
    : undefined;
}

const otherShape = check({
  id: "POW-56",
  claim:
    "No refusal of the proof-of-work path in the run has the OAuth error shape, with a string as `error`.",
  last: true,
  act: refusals,
  assert(exchanges) {
    for (const exchange of exchanges) {
      const { error } = jsonMembers(exchange);
      expectThat(typeof error !== "string", "error to be an object", `the string ${shown(error)}`, exchange);
    }
  },
});

/** The first later response that repeats an `apiKey`, in its headers, its body or a JWT. */
function repeatedKey(exchanges: readonly Exchange[]): Exchange | undefined {
  const firstSeen = new Map<string, Exchange>();
  for (const exchange of exchanges) {
    const { apiKey } = jsonMembers(exchange);
    if (typeof apiKey === "string" && apiKey.length >= 8 && !firstSeen.has(apiKey))
      firstSeen.set(apiKey, exchange);
  }
  return exchanges.find((exchange) => {
    const { headers, body } = exchange.response;
    const values = headers.map(([, value]) => value);
    const text = [body, ...values, ...values.map(jwtPayload)].join("\n");
    return [...firstSeen].some(([key, first]) => first !== exchange && text.includes(key));
  });
}

/** The claims of the JWT that a header value holds, as JSON text; empty when it holds none. */
function jwtPayload(headerValue: string): string {
  const segment = /\beyJ[\w-]+\.([\w-]+)\./u.exec(headerValue)?.[1] ?? "";
  return Buffer.from(segment, "base64url").toString("utf8");
}

const keyShownOnce = recommend({
  id: "B-POW-06",
  claim:
    "An `apiKey` is shown in the response to its signup alone: in no other response and in no JWT of the run.",
  last: true,
  async act(target) {
    const exchanges = target.runExchanges();
    if (!exchanges.some((exchange) => typeof jsonMembers(exchange)["apiKey"] === "string"))
      throw new InconclusiveError("precondition-missing", "nobody signed up in this run");
    const repeated = repeatedKey(exchanges);
    if (repeated === undefined) requireWholeBodies(exchanges);
    return repeated;
  },
  assert(repeated) {
    if (repeated === undefined) return;
    throw new Violation("the apiKey in the response to its signup alone", `one at ${pathOf(repeated)}`, {
      exchange: repeated,
    });
  },
});

export const wholeRunChecks = [shape, helpful, docsUrl, docsServed, otherShape, keyShownOnce];
