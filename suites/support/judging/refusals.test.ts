import { describe, expect, test } from "vitest";
import type { Attempt, AttemptEnd } from "../actors/authorization.ts";
import type { Exchange, HeaderLines } from "../wire/exchange.ts";
import { expectAuthorizationRefused, expectNoRedirect } from "./refusals.ts";
import { Violation, type Warning } from "../verdict.ts";

const issuer = "https://auth.example";
const registered = "https://cb.example.test/cb";
const nearMiss = "https://cb.example.test/cb/";

function exchange(status: number, headers: HeaderLines = [], body = ""): Exchange {
  const request = { method: "GET", url: `${issuer}/oauth/authorize`, headers: [], body: "" };
  return { number: 0, startedAt: "", durationMs: 0, request, response: { status, headers, body } };
}

const json = (status: number, body: unknown): Exchange =>
  exchange(status, [["Content-Type", "application/json"]], JSON.stringify(body));
const page = (status: number, body: string): Exchange =>
  exchange(status, [["Content-Type", "text/html"]], body);

function answer(seen: Exchange): AttemptEnd {
  return { kind: "answer", exchange: seen, reason: `got ${seen.response.status}` };
}

function redirect(location: string, status = 302): AttemptEnd {
  return { kind: "redirect", location, exchange: exchange(status, [["Location", location]]) };
}

function attempted(end: AttemptEnd, requested = registered, interaction = false): Attempt {
  const parameters = [
    ["redirect_uri", requested],
    ["state", "s 1"],
  ] as const;
  return {
    parameters,
    registered: [registered],
    issuer,
    first: end.exchange,
    hops: () => [end.exchange],
    end,
    interaction,
  };
}

/** `pass`, `warn` or `fail`, as the runner would have it. */
function verdict(judge: () => Warning | undefined): string {
  try {
    return judge() === undefined ? "pass" : "warn";
  } catch (error) {
    if (error instanceof Violation) return "fail";
    throw error;
  }
}

const shape = { error: "invalid_request", error_description: "state is missing" };
const query = `error=invalid_request&state=s%201&iss=${encodeURIComponent(issuer)}`;

// Status, description, state and iss are judged over the whole run: here they decide nothing.
describe("a refused authorization request", () => {
  test.for([
    { seen: "400 in the OAuth shape", end: answer(json(400, shape)), says: "pass" },
    {
      seen: "400 with another code",
      end: answer(json(400, { ...shape, error: "server_error" })),
      says: "fail",
    },
    {
      seen: "400 with a code of the RFC that is tolerated",
      end: answer(json(400, { ...shape, error: "invalid_target" })),
      says: "warn",
    },
    { seen: "400 without a description", end: answer(json(400, { error: "invalid_request" })), says: "pass" },
    {
      seen: "400 in the other error shape",
      end: answer(json(400, { error: { message: "m", hint: "h", docs_url: "d" } })),
      says: "fail",
    },
    { seen: "an HTML page that shows the code", end: answer(page(400, "<p>invalid_request")), says: "pass" },
    { seen: "an HTML page that does not", end: answer(page(400, "<p>Sorry")), says: "warn" },
    { seen: "an HTML page with 403 that does not", end: answer(page(403, "<p>Sorry")), says: "fail" },
    { seen: "an HTML page with 415, as of a gateway", end: answer(page(415, "<p>Sorry")), says: "warn" },
    { seen: "401", end: answer(json(401, shape)), says: "pass" },
    { seen: "404", end: answer(json(404, shape)), says: "fail" },
    { seen: "500", end: answer(json(500, shape)), says: "fail" },
    { seen: "200", end: answer(json(200, shape)), says: "fail" },
    { seen: "an error redirect with state and iss", end: redirect(`${registered}?${query}`), says: "pass" },
    { seen: "one with 303", end: redirect(`${registered}?${query}`, 303), says: "pass" },
    { seen: "one with 307", end: redirect(`${registered}?${query}`, 307), says: "pass" },
    {
      seen: "one without state",
      end: redirect(`${registered}?${query.replace("state=s%201&", "")}`),
      says: "pass",
    },
    {
      seen: "one without iss",
      end: redirect(`${registered}?error=invalid_request&state=s%201`),
      says: "pass",
    },
    { seen: "one to another address", end: redirect(`https://evil.test/?${query}`), says: "fail" },
    { seen: "one in the fragment", end: redirect(`${registered}#${query}`), says: "fail" },
    { seen: "a code", end: redirect(`${registered}?code=c&state=s%201&iss=${issuer}`), says: "fail" },
    { seen: "an error and a code", end: redirect(`${registered}?code=c&${query}`), says: "fail" },
    { seen: "an implicit token", end: redirect(`${registered}?${query}#access_token=t`), says: "fail" },
  ])("$seen: $says", ({ end, says }) => {
    expect(
      verdict(() => expectAuthorizationRefused(attempted(end), ["invalid_request"], ["invalid_target"])),
    ).toBe(says);
  });

  test.for([
    ["resource", "https://api.example/jmap?"],
    ["resource", "http://10.0.0.1/jmap"],
    ["scope", "mail.read\r\nmail.send"],
    ["client_id", "https://client.example/metadata"],
    ["redirect_uri", nearMiss],
  ] as const)("a page with 403 for $0=$1 may be a firewall's, or open", ([name, value]) => {
    const seen = { ...attempted(answer(page(403, "<p>Sorry"))), parameters: [[name, value]] as const };
    expect(verdict(() => expectAuthorizationRefused(seen, ["invalid_request"]))).toBe("warn");
  });

  test("a refusal that comes after sign-in is as good as an early one", () => {
    expect(
      verdict(() =>
        expectAuthorizationRefused(attempted(answer(json(400, shape)), registered, true), [
          "invalid_request",
        ]),
      ),
    ).toBe("pass");
  });
});

describe("a redirect_uri that is not registered", () => {
  test.for([
    { seen: "400", end: answer(json(400, shape)), says: "pass" },
    { seen: "an HTML error page", end: answer(page(400, "<p>Wrong address")), says: "pass" },
    {
      seen: "a page that shows the address as text",
      end: answer(page(400, `<p>${nearMiss} is not registered`)),
      says: "pass",
    },
    {
      seen: "a page that goes there by itself",
      end: answer(page(400, `<meta http-equiv="refresh" content="0; url=${nearMiss}">`)),
      says: "fail",
    },
    {
      seen: "a page whose form goes there",
      end: answer(page(400, `<form action="${nearMiss}?error=x"><button>Back</button></form>`)),
      says: "fail",
    },
    {
      seen: "a page whose script goes there",
      end: answer(page(400, `<script>setTimeout(() => { location.href = "${nearMiss}"; });</script>`)),
      says: "fail",
    },
    {
      seen: "a page with a style for forms and a script that knows the address",
      end: answer(
        page(
          400,
          `<style>*, form { margin: 0 }</style><p>${nearMiss} is not registered for this platform
          <script>state = { location: null, query: "redirect_uri=${nearMiss}" }</script>`,
        ),
      ),
      says: "pass",
    },
    { seen: "404", end: answer(json(404, shape)), says: "fail" },
    { seen: "405", end: answer(json(405, shape)), says: "fail" },
    { seen: "429", end: answer(json(429, shape)), says: "fail" },
    { seen: "503", end: answer(json(503, shape)), says: "fail" },
    { seen: "400 with a Location", end: answer(exchange(400, [["Location", registered]])), says: "fail" },
    { seen: "an error redirect to it", end: redirect(`${nearMiss}?${query}`), says: "fail" },
    {
      seen: "an error redirect to the registered one",
      end: redirect(`${registered}?${query}`),
      says: "warn",
    },
    { seen: "a code to the registered one", end: redirect(`${registered}?code=c`), says: "fail" },
    { seen: "a code to it", end: redirect(`${nearMiss}?code=c`), says: "fail" },
  ])("$seen: $says", ({ end, says }) => {
    expect(verdict(() => expectNoRedirect(attempted(end, nearMiss)))).toBe(says);
  });
});
