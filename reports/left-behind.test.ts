import { expect, test } from "vitest";
import { leftBehindWords } from "./left-behind.ts";

test.for([
  { grants: { made: 0, revoked: 0 }, words: "no grants" },
  { grants: { made: 31, revoked: 0 }, words: "31 of 31 grants (none revoked)" },
  { grants: { made: 31, revoked: 30 }, words: "1 of 31 grants (the others revoked)" },
  {
    grants: { made: 31, revoked: 29, ofDisabledClients: 2 },
    words: "2 of 31 grants (of clients that the run disabled; the others revoked)",
  },
  {
    grants: { made: 31, revoked: 28, ofDisabledClients: 2, refusedWith: 503 },
    words:
      "3 of 31 grants (2 of clients that the run disabled; revocation answered with 503; the others revoked)",
  },
  {
    grants: { made: 2, revoked: 0, refusedWith: 503 },
    words: "2 of 2 grants (revocation answered with 503; none revoked)",
  },
])("$words", ({ grants, words }) => {
  const left = leftBehindWords({ clients: [], grants, agents: [], emails: 0, submissions: 0 });
  expect(left).toContain(`, ${words}, `);
});
