import { expect, test } from "vitest";
import type { HeaderLines } from "./exchange.ts";
import { isMisdirectedRefusal } from "./misdirected.ts";

const viaProxy: HeaderLines = [["X-Forwarded-Proto", "https"]];

test.each<[what: string, status: number, headers: HeaderLines, usual: HeaderLines, isMisdirected: boolean]>([
  ["a request for another host", 400, [["Host", "evil.example"]], [], true],
  ["a request that is served for another host", 200, [["Host", "evil.example"]], [], false],
  ["a failure of the service", 500, [["X-Forwarded-Host", "evil.example"]], [], false],
  ["what the profile adds to every request", 400, viaProxy, viaProxy, false],
  ["another value of what the profile adds", 400, [["x-forwarded-proto", "http"]], viaProxy, true],
  ["an ordinary refusal", 401, [["Authorization", "Bearer x"]], [], false],
  ["a refusal that says so", 421, [], [], true],
])("%s, answered %i", (_, status, headers, usual, isMisdirected) => {
  const exchange = {
    request: { method: "GET", url: "https://auth.example/", headers, body: "" },
    response: { status, headers: [], body: "" },
  };
  expect(isMisdirectedRefusal(exchange, usual)).toBe(isMisdirected);
});
