import { expect, test } from "vitest";
import type { Exchange } from "./exchange.ts";
import { bearerChallengeIn, challengesIn } from "./www-authenticate.ts";

function answered(...lines: readonly string[]): Exchange {
  return {
    number: 0,
    startedAt: "",
    durationMs: 0,
    request: { method: "GET", url: "https://auth.example/", headers: [], body: "" },
    response: { status: 401, headers: lines.map((line) => ["WWW-Authenticate", line] as const), body: "" },
  };
}

test.for([
  { lines: ["Bearer"], bearer: "Bearer", why: "a scheme alone" },
  {
    lines: ['Bearer realm="a, b", error="x"'],
    bearer: 'Bearer realm="a, b", error="x"',
    why: "a comma in quotes",
  },
  {
    lines: ['DPoP algs="ES256", bearer error="x"'],
    bearer: 'bearer error="x"',
    why: "after another challenge",
  },
  {
    lines: ['Bearer error="x", Basic realm="m"'],
    bearer: 'Bearer error="x"',
    why: "before another challenge",
  },
  { lines: ["Negotiate, Bearer"], bearer: "Bearer", why: "after a scheme alone" },
  {
    lines: ["Basic realm=m", 'Bearer error = "x"'],
    bearer: 'Bearer error = "x"',
    why: "in a line of its own",
  },
  { lines: ['Basic realm="say \\", Bearer x"'], bearer: undefined, why: "only inside a quoted text" },
  { lines: ["Bearers"], bearer: undefined, why: "another scheme" },
  { lines: [], bearer: undefined, why: "no line" },
])("the Bearer challenge of $lines is $bearer ($why)", ({ lines, bearer }) => {
  expect(bearerChallengeIn(answered(...lines))).toBe(bearer);
});

test("one line may hold several challenges", () => {
  expect(
    challengesIn(answered('Newauth realm="apps", type=1, title="Login to \\"apps\\"", Basic realm="simple"')),
  ).toEqual(['Newauth realm="apps", type=1, title="Login to \\"apps\\""', 'Basic realm="simple"']);
});
