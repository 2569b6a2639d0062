import { expect, test } from "vitest";
import { Violation } from "../../verdict.ts";
import { createCapabilityLedger } from "./capability.ts";
import { exampleExchange } from "./example-exchange.ts";

const request = { method: "POST", url: "https://auth.example/api/v1/capability" };

function minted(token: string, atSecond = 0) {
  return exampleExchange(request, { headers: [["Authorization", `Bearer ${token}`]], atSecond });
}

test("distinct capabilities are accepted, and so is one shared by two requests within a second", () => {
  const expectOwn = createCapabilityLedger();
  expectOwn(minted("a.b.c"), 0);
  expectOwn(minted("a.b.d"), 1);
  expectOwn(minted("a.b.c", 0.9), 0);
});

test.for([
  { what: "of another agent", exchange: minted("a.b.c"), session: 1, expected: /of the requesting agent/u },
  {
    what: "minted two seconds earlier",
    exchange: minted("a.b.c", 2),
    session: 0,
    expected: /minted for this request/u,
  },
  { what: "that is not a JWT", exchange: minted("opaque"), session: 0, expected: /capability JWT/u },
  {
    what: "that is missing",
    exchange: exampleExchange(request, {}),
    session: 0,
    expected: /capability JWT/u,
  },
])("a capability $what is a violation", ({ exchange, session, expected }) => {
  const expectOwn = createCapabilityLedger();
  expectOwn(minted("a.b.c"), 0);
  expect(() => expectOwn(exchange, session)).toThrow(Violation);
  expect(() => expectOwn(exchange, session)).toThrow(expected);
});

test("responses may arrive in another order than the requests", () => {
  const expectOwn = createCapabilityLedger();
  expectOwn(minted("a.b.c", 2), 0);
  expect(() => expectOwn(minted("a.b.c", 0), 0)).toThrow(/minted for this request/u);
});
