import { expect, test } from "vitest";
import { isSpecialUse } from "./special-use.ts";

const there = [
  "localhost",
  "a.localhost",
  "127.0.0.1",
  "10.1.2.3",
  "172.31.0.1",
  "192.168.1.1",
  "[::1]",
  "[fd00::1]",
];
const elsewhere = [
  "mail.example",
  "localhost.example",
  "8.8.8.8",
  "172.32.0.1",
  "[2001:db8::1]",
  "10.example",
];

test.for(there)("%s is of this machine or a private network", (host) => {
  expect(isSpecialUse(host)).toBe(true);
});

test.for(elsewhere)("%s may be anywhere", (host) => {
  expect(isSpecialUse(host)).toBe(false);
});
