import { expect, test } from "vitest";
import { Violation } from "../../verdict.ts";
import { createCapabilityLedger } from "./capability.ts";
import { exampleExchange } from "./example-exchange.ts";

const request = { method: "POST", url: "https://auth.example/api/v1/capability" };

function minted(token: string, atSecond = 0) {
  return exampleExchange(request, { headers: [["Authorization", `Bearer ${token}`]], atSecond });
}

test("capabilities that are each another are right, and so is one that two requests of a second share", () => {
  const expectOwn = createCapabilityLedger();
  expectOwn(minted("a.b.c"), 0);
  expectOwn(minted("a.b.d"), 1);
  expectOwn(minted("a.b.c", 0.9), 0);
});

test.for([
  { what: "of another agent", exchange: minted("a.b.c"), session: 1, expected: /of the agent that asked/u },
  {
    what: "of two seconds ago",
    exchange: minted("a.b.c", 2),
    session: 0,
    expected: /minted for this request/u,
  },
  { what: "that is no JWT", exchange: minted("opaque"), session: 0, expected: /capability JWT/u },
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

test("answers may come in another order than they were asked for", () => {
  const expectOwn = createCapabilityLedger();
  expectOwn(minted("a.b.c", 2), 0);
  expect(() => expectOwn(minted("a.b.c", 0), 0)).toThrow(/minted for this request/u);
});
