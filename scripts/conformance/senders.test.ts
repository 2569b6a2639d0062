import { expect, test } from "vitest";
import { exampleCheck, exampleExchange, exampleRun } from "../../reports/example-run.ts";
import { check } from "../../suites/support/judging/check.ts";
import { withSenders } from "./senders.ts";

const make = (id: string, more: { last?: true } = {}) =>
  check({ id, claim: "It holds.", act: () => Promise.resolve(), assert: () => {}, ...more });
const wholeRun = make("ERR-09/every-answer", { last: true });
const [sender, other] = [make("PKCE-01/x"), make("PKCE-02/x")];

test("a check that looks at the whole run is run with the one that sent what it failed of", () => {
  const run = exampleRun(
    [
      exampleCheck({
        id: wholeRun.id,
        verdict: "fail",
        decisive: 7,
        exchanges: [{ number: 7, role: "subject" }],
      }),
    ],
    {
      exchanges: [
        exampleExchange(6, { headers: [["X-Conformance-Check", other.id]] }),
        exampleExchange(7, { headers: [["X-Conformance-Check", sender.id]] }),
      ],
    },
  );
  expect(withSenders([wholeRun], [sender, other, wholeRun], run)).toEqual([sender, wholeRun]);
  expect(withSenders([other], [sender, other, wholeRun], run)).toEqual([other]);
});
