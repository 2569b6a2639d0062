import type { HeaderLines } from "./exchange.ts";
import type { NodeEndpoint } from "./network.ts";

/**
 * A request as it is to cross the wire: nothing is added but what HTTP itself needs and what tells who sends it, nothing is
 * normalised.
 */
export interface Outgoing {
  readonly method: string;
  /** Origin and request target; the target is sent byte for byte. */
  readonly url: string;
  readonly headers?: HeaderLines;
  /** A list of parts goes out chunked, one chunk each. */
  readonly body?: string | Uint8Array | readonly (string | Uint8Array)[];
  /** Take a 429 as the answer instead of waiting: for checks whose subject is the limit. */
  readonly takeRateLimit?: true;
  /** Sending it twice does the same as sending it once, though its method does not say so. */
  readonly isRepeatable?: boolean;
  /** The target is killed meanwhile, or need not serve it: that its answer is lost disturbs nothing. */
  readonly mayBeLost?: true;
  /** Is waited for no longer than this, where the profile allows more. */
  readonly mostMs?: number;
  /** Of an event stream, which need not end, the head alone is read. */
  readonly leavesEventsUnread?: true;
  /** Called when it is sent once more: a limit was waited for, or its answer was lost. */
  readonly onRepeated?: () => void;
  /** The last byte of a text body is sent when this resolves; called when all before it is on its way. */
  readonly lastByte?: () => Promise<void>;
  /** The check that sends it, named to the target in a header line. */
  readonly checkId?: string;
  /** Goes to this node of the target, over a connection of its own, instead of to the host of its URL. */
  readonly node?: NodeEndpoint;
  /** May go to any origin: a person's browser, and what carries no credential at all. Everything else stays at the target. */
  readonly beyondTarget?: true;
}
