import { expect, test } from "vitest";
import { exampleRun } from "./example-run.ts";
import { proofOfWorkWords } from "./proof-of-work-words.ts";

test.for([
  [{ tries: 0, busyMs: 0 }, "no proof of work"],
  [
    { tries: 988, busyMs: 14_260 },
    "proof of work: 988 tries, 14.3 s of computing: no less than 7.1 s on 2 cores",
  ],
  [
    { tries: 988, busyMs: 14_260, cpuMs: 8020 },
    "proof of work: 988 tries, 8.0 s of computing: no less than 4.0 s on 2 cores",
  ],
] as const)("%j is %s", ([proofOfWork, words]) => {
  expect(proofOfWorkWords(exampleRun([], { proofOfWork }))).toBe(words);
});
