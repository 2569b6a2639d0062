import { describe, expect, test } from "vitest";
import type { Exchange } from "../../wire/exchange.ts";
import { refererFor, referrerPolicyOf } from "./referrer.ts";

function page(headers: readonly string[], body = ""): Exchange {
  return {
    number: 0,
    startedAt: "2026-01-01T00:00:00Z",
    durationMs: 1,
    request: { method: "GET", url: "https://as.test/", headers: [], body: "" },
    response: { status: 200, headers: headers.map((value) => ["Referrer-Policy", value]), body },
  };
}

describe("the policy of a page", () => {
  test.for([
    { name: "none", headers: [], policy: undefined },
    {
      name: "the last one that is known",
      headers: ["no-referrer, same-origin, newer-one"],
      policy: "same-origin",
    },
    { name: "that of the last line", headers: ["unsafe-url", "Origin"], policy: "origin" },
  ])("is $name", ({ headers, policy }) => {
    expect(referrerPolicyOf(page(headers))).toBe(policy);
  });

  test("is that of its element rather than that of its header", () => {
    const body = '<meta name="referrer" content="no-referrer">';
    expect(referrerPolicyOf(page(["unsafe-url"], body))).toBe("no-referrer");
  });
});

describe("what a browser sends as Referer", () => {
  const from = "https://user:secret@as.test/consent?state=1#top";
  const whole = "https://as.test/consent?state=1";
  const origin = "https://as.test/";
  test.for([
    { policy: "no-referrer", sameOrigin: undefined, crossOrigin: undefined, downgrade: undefined },
    { policy: "no-referrer-when-downgrade", sameOrigin: whole, crossOrigin: whole, downgrade: undefined },
    { policy: "same-origin", sameOrigin: whole, crossOrigin: undefined, downgrade: undefined },
    { policy: "origin", sameOrigin: origin, crossOrigin: origin, downgrade: origin },
    { policy: "strict-origin", sameOrigin: origin, crossOrigin: origin, downgrade: undefined },
    { policy: "origin-when-cross-origin", sameOrigin: whole, crossOrigin: origin, downgrade: origin },
    {
      policy: "strict-origin-when-cross-origin",
      sameOrigin: whole,
      crossOrigin: origin,
      downgrade: undefined,
    },
    { policy: "unsafe-url", sameOrigin: whole, crossOrigin: whole, downgrade: whole },
  ] as const)("under $policy", ({ policy, sameOrigin, crossOrigin, downgrade }) => {
    expect(refererFor(policy, from, "https://as.test/next")).toBe(sameOrigin);
    expect(refererFor(policy, from, "https://idp.test/")).toBe(crossOrigin);
    expect(refererFor(policy, from, "http://as.test/")).toBe(downgrade);
  });
});
