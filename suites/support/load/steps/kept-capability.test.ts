import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { InconclusiveError } from "../../verdict.ts";
import { keepCapability } from "./kept-capability.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const halfAMinuteMs = 30_000;

test("a capability is minted anew every half minute, until it is closed", async () => {
  let minted = 0;
  const kept = await keepCapability(async () => `capability ${(minted += 1)}`);
  expect(kept.current()).toBe("capability 1");
  await vi.advanceTimersByTimeAsync(4 * halfAMinuteMs);
  expect(kept.current()).toBe("capability 5");
  kept.close();
  await vi.advanceTimersByTimeAsync(halfAMinuteMs);
  expect(minted).toBe(5);
});

test("one that cannot be renewed is used while it lives, and no longer", async () => {
  let isBusy = false;
  const kept = await keepCapability(async () => {
    if (isBusy) throw new InconclusiveError("rate-limited", "too busy");
    return "capability";
  });
  isBusy = true;
  await vi.advanceTimersByTimeAsync(3 * halfAMinuteMs);
  expect(kept.current()).toBe("capability");
  await vi.advanceTimersByTimeAsync(halfAMinuteMs);
  expect(kept.current()).toBeUndefined();
  isBusy = false;
  await vi.advanceTimersByTimeAsync(halfAMinuteMs);
  expect(kept.current()).toBe("capability");
  kept.close();
});

test("a defect does not pass for a busy target", async () => {
  let isFirst = true;
  const kept = await keepCapability(async () => {
    if (!isFirst) throw new TypeError("a defect");
    isFirst = false;
    return "capability";
  });
  await vi.advanceTimersByTimeAsync(halfAMinuteMs);
  expect(() => kept.current()).toThrow("a defect");
  kept.close();
});
