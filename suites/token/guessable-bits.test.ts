import { expect, test } from "vitest";
import { guessableBits } from "./guessable-bits.ts";

test.for([
  { samples: ["00", "01", "10", "11"], bits: 2, why: "two characters of two kinds" },
  { samples: ["code-0-x", "code-1-x"], bits: 1, why: "what all share is not a secret" },
  { samples: ["abc1000", "abc1001", "abc1002", "abc1003"], bits: 2, why: "a counter" },
  { samples: ["aa", "aab"], bits: 0, why: "the shortest leaves nothing that varies" },
])("$samples have room for $bits bits ($why)", ({ samples, bits }) => {
  expect(guessableBits(samples)).toBe(bits);
});
