import { expect, test } from "vitest";
import { challengeAttributes } from "./challenge-attributes.ts";

test.for([
  { header: 'Bearer realm="mail"', values: { realm: "mail" }, problems: 0, why: "one attribute" },
  {
    header: 'bearer realm="a, b", error="invalid_token", scope="mail.send mail.read"',
    values: { realm: "a, b", error: "invalid_token", scope: "mail.send mail.read" },
    problems: 0,
    why: "a comma within quotes separates nothing",
  },
  { header: "Bearer error=invalid_token", values: { error: "invalid_token" }, problems: 0, why: "unquoted" },
  { header: "Bearer", values: {}, problems: 0, why: "no attribute" },
  { header: 'Bearer error="a", error="b"', values: { error: "a" }, problems: 1, why: "twice" },
  {
    header: 'Bearer error_description="say \\"no\\""',
    values: { error_description: 'say "no"' },
    problems: 1,
    why: "a quote is not allowed",
  },
  { header: 'Bearer realm="open', values: {}, problems: 1, why: "not closed" },
])("$header ($why)", ({ header, values, problems }) => {
  const read = challengeAttributes(header);
  expect(read.values).toEqual(values);
  expect(read.problems).toHaveLength(problems);
});
