import { expect, test } from "vitest";
import { formatNumber } from "./format.ts";

test.for([
  { value: 0, text: "0" },
  { value: 0.0123, text: "0.012" },
  { value: 0.00000034, text: "3.4e-7" },
  { value: 0.354, text: "0.35" },
  { value: 0.5, text: "0.5" },
  { value: 3, text: "3" },
  { value: 12.44, text: "12.4" },
  { value: 20, text: "20" },
  { value: 99.96, text: "100" },
  { value: 16_712.4, text: "16,712" },
  { value: -0.5, text: "-0.5" },
])("$value is formatted as $text", ({ value, text }) => {
  expect(formatNumber(value)).toBe(text);
});
