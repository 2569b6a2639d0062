import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Target } from "../target/target.ts";
import { pollUntil } from "./propagation.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});

afterEach(() => {
  vi.useRealTimers();
});

function passing(milliseconds: number): Promise<void> {
  vi.advanceTimersByTime(milliseconds);
  return Promise.resolve();
}

/** Only what the function asks of a target. */
function targetKnowing(revocationPropagationSeconds: number): Target {
  const profile = { revocation_propagation_seconds: revocationPropagationSeconds };
  return { profile, pause: passing } as unknown as Target;
}

/** Answers "ended" to what is sent later than so many seconds from now, each time after so many seconds. */
function answering(endsAfterSeconds: number, answerSeconds: number) {
  const startedAt = performance.now();
  return async (): Promise<"served" | "ended"> => {
    const isEnded = performance.now() - startedAt >= endsAfterSeconds * 1000;
    await passing(answerSeconds * 1000);
    return isEnded ? "ended" : "served";
  };
}

const isEnded = (answer: string): boolean => answer === "ended";

test.for([
  { answerSeconds: 0, words: "answers at once" },
  { answerSeconds: 2, words: "takes two seconds to answer" },
  { answerSeconds: 30, words: "takes longer to answer than the change may take" },
])("a change that arrives in time is seen, where a target $words", async ({ answerSeconds }) => {
  expect(await pollUntil(targetKnowing(5), answering(5, answerSeconds), isEnded)).toBe("ended");
});

test("what does not change is given up soon after the time", async () => {
  const startedAt = performance.now();
  const ask = vi.fn<ReturnType<typeof answering>>(answering(60, 2));
  expect(await pollUntil(targetKnowing(5), ask, isEnded)).toBe("served");
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect(ask).toHaveBeenCalledTimes(4);
});
