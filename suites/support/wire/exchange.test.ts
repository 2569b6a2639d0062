import { expect, test } from "vitest";
import { type HeaderLines, isHtml } from "./exchange.ts";

function isPage(body: string, ...headers: HeaderLines): boolean {
  const request = { method: "GET", url: "https://auth.example/", headers: [], body: "" };
  return isHtml({
    number: 1,
    startedAt: "",
    durationMs: 0,
    request,
    response: { status: 200, headers, body },
  });
}

test("a page is what its media type says, whatever it begins with", () => {
  expect(isPage("signed in", ["Content-Type", "text/html; charset=utf-8"])).toBe(true);
  expect(isPage("<html/>", ["content-type", "Application/XHTML+XML"])).toBe(true);
  expect(isPage("<!doctype html><p>…", ["Content-Type", "text/plain"])).toBe(false);
});

test("without a media type it is what begins as one, unless the browser may not guess", () => {
  expect(isPage("\n <!DOCTYPE html><title>Sign in</title>")).toBe(true);
  expect(isPage("<html lang=en>")).toBe(true);
  expect(isPage("<htmlx>")).toBe(false);
  expect(isPage('{"error":"invalid_request"}')).toBe(false);
  expect(isPage("<!doctype html>", ["X-Content-Type-Options", "nosniff"])).toBe(false);
});
