import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { InconclusiveError } from "../../verdict.ts";
import { renewCapability } from "./renewed-capability.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const intervalMs = 30_000;

test("a capability is renewed every 30 s until closed", async () => {
  let minted = 0;
  const renewed = await renewCapability(async () => `capability ${(minted += 1)}`);
  expect(renewed.current()).toBe("capability 1");
  await vi.advanceTimersByTimeAsync(4 * intervalMs);
  expect(renewed.current()).toBe("capability 5");
  renewed.close();
  await vi.advanceTimersByTimeAsync(intervalMs);
  expect(minted).toBe(5);
});

test("a capability that cannot be renewed is used until it is about to expire", async () => {
  let isOverloaded = false;
  const renewed = await renewCapability(async () => {
    if (isOverloaded) throw new InconclusiveError("rate-limited", "overloaded");
    return "capability";
  });
  isOverloaded = true;
  await vi.advanceTimersByTimeAsync(3 * intervalMs);
  expect(renewed.current()).toBe("capability");
  await vi.advanceTimersByTimeAsync(intervalMs);
  expect(renewed.current()).toBeUndefined();
  isOverloaded = false;
  await vi.advanceTimersByTimeAsync(intervalMs);
  expect(renewed.current()).toBe("capability");
  renewed.close();
});

test("an unexpected error is rethrown", async () => {
  let isFirst = true;
  const renewed = await renewCapability(async () => {
    if (!isFirst) throw new TypeError("a defect");
    isFirst = false;
    return "capability";
  });
  await vi.advanceTimersByTimeAsync(intervalMs);
  expect(() => renewed.current()).toThrow("a defect");
  renewed.close();
});
