import type { Topic } from "../target/notes.ts";
import type { Target } from "../target/target.ts";

/** Milliseconds that a message took; undefined when it was not seen. */
const deliveries: Topic<number | undefined> = { name: "how long mail took" };

/** How long a message is waited for where nothing has shown that mail takes longer. */
const usualDeliveryMs = 5000;
const firstDeliveryMs = 60_000;

/** How long mail is waited for that took so long before: it may be slower than it was a moment ago. */
export function deliveryWithinMs(tookMs: number): number {
  return usualDeliveryMs + 3 * tookMs;
}

/**
 * Waits for a message that shows that mail arrives. The document promises no delivery, so the first of a run is waited for
 * long, and each later one by what is known from it.
 *
 * @param arrival - waits so many milliseconds at most, and resolves to those it took; undefined when it did not arrive
 */
export async function provingDelivery(
  target: Target,
  arrival: (withinMs: number) => Promise<number | undefined>,
): Promise<number | undefined> {
  const known = target.noted(deliveries);
  const seen = known.filter((tookMs) => tookMs !== undefined);
  const tookMs = await arrival(known.length === 0 ? firstDeliveryMs : deliveryWithinMs(Math.max(0, ...seen)));
  target.note(deliveries, tookMs);
  return tookMs;
}
