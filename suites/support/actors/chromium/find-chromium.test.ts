import { expect, test } from "vitest";
import { findChromium } from "./find-chromium.ts";

const only =
  (...there: string[]) =>
  (path: string): boolean =>
    there.includes(path);

test.for([
  {
    why: "the profile's comes first",
    wanted: { executable_path: "/opt/mine" },
    environment: { MAILPROOF_CHROMIUM: "/opt/other" },
    found: { executablePath: "/opt/mine" },
  },
  { why: "a channel", wanted: { channel: "msedge" }, environment: {}, found: { channel: "msedge" } },
  {
    why: "then the environment's",
    wanted: {},
    environment: { MAILPROOF_CHROMIUM: "/opt/other" },
    found: { executablePath: "/opt/other" },
  },
  {
    why: "then one on the path",
    wanted: {},
    environment: { PATH: "/nowhere:/home/me/bin" },
    found: { executablePath: "/home/me/bin/google-chrome" },
  },
  { why: "then Debian's", wanted: {}, environment: {}, found: { executablePath: "/usr/bin/chromium" } },
])("$why", ({ wanted, environment, found }) => {
  const exists = only(
    "/opt/mine",
    "/opt/other",
    "/home/me/bin/google-chrome",
    ...("PATH" in environment ? [] : ["/usr/bin/chromium"]),
  );
  expect(findChromium(wanted, environment, exists)).toEqual(found);
});

test("where there is none, it says how to install one", () => {
  expect(() => findChromium({}, {}, only())).toThrow("apt-get install chromium");
});

test("a path that leads nowhere is named", () => {
  expect(() => findChromium({ executable_path: "/opt/mine" }, {}, only())).toThrow(
    'humans[].consent.executable_path names "/opt/mine", and there is no such file',
  );
});
