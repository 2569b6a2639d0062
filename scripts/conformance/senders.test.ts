import { expect, test } from "vitest";
import { exampleCheck, exampleExchange, exampleRun } from "../../reports/example-run.ts";
import { type Check, check } from "../../suites/support/judging/check.ts";
import { withSenders } from "./senders.ts";

const make = (id: string, more: Pick<Check, "last"> = {}) =>
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

test("a check that looks at what its suite has left is run with the checks of its suite", () => {
  const opened = make("POW-34/end-of-run", { last: "before-waits" });
  const run = exampleRun([
    exampleCheck({ id: opened.id, suite: "pow", verdict: "fail" }),
    exampleCheck({ id: sender.id, suite: "pow" }),
    exampleCheck({ id: other.id, suite: "pkce" }),
  ]);
  expect(withSenders([opened], [sender, other, opened], run)).toEqual([sender, opened]);
});
