/**
 * What a check says of its target. `observed` records a value where the document is silent; `inconclusive` was tried and
 * could not tell; `blocked` lacks something that the profile does not supply.
 */
export type Verdict = "pass" | "fail" | "warn" | "observed" | "inconclusive" | "blocked";

/** The claim holds, with a deviation that is tolerated and worth a line. */
export interface Warning {
  readonly text: string;
}

/** @param text - a clause that says what deviates, without a full stop */
export function warning(text: string): Warning {
  return { text };
}

/** The exchange that an error is about, by its position in the run. Every recorded exchange is one. */
export interface ExchangeReference {
  readonly number: number;
}

export interface ViolationDetails {
  /** The exchange that broke it; the last one that the check judges when none is given. */
  readonly exchange?: ExchangeReference | undefined;
  /**
   * The id of the requirement or check that judges this by itself. When that fails in the same run, one defect explains
   * both, and this check could not judge what its own claim is about.
   */
  readonly explainedBy?: string | undefined;
  /** What was observed as sentences that follow one another, where it is a story. */
  readonly steps?: readonly string[] | undefined;
  /** The requests of the story that were under way at once, and what followed. */
  readonly bars?: readonly Bar[] | undefined;
  /** The story as data. */
  readonly story?: PlayableStory | undefined;
}

/**
 * A story as data, so that it can be played once more. What a step presents goes by the number of the step that issued it,
 * counted from 1 through both lists.
 */
export interface PlayableStory {
  readonly kind: "grants" | "agents" | "burst";
  /** One after the other. */
  readonly steps: readonly StoryStep[];
  /** Sent at the same moment, after the others. */
  readonly together?: readonly StoryStep[];
}

export type StoryStep = Readonly<Record<string, string | number | boolean>>;

/** A coverage curve: how many different cases were seen, against how many were tried. */
export interface Growth {
  /** What was tried, in the plural. */
  readonly over: string;
  readonly lines: readonly GrowthLine[];
}

export interface GrowthLine {
  readonly label: string;
  /** How many there can be. */
  readonly possible: number;
  /** How many were tried, and how many different ones that had shown. */
  readonly points: readonly { readonly tried: number; readonly seen: number }[];
}

/** One of several requests over time, in milliseconds since the first of them was sent. */
export interface Bar {
  /** Its number in the story. */
  readonly step: number;
  readonly label: string;
  readonly outcome: "accepted" | "refused" | "no answer";
  readonly fromMs: number;
  readonly toMs: number;
  /** It was sent when the simultaneous ones had been answered. */
  readonly isAfterwards?: true;
  /** It is one of those that contradict one another. */
  readonly isContradiction?: true;
}

/** The target broke the claim. */
export class Violation extends Error {
  override readonly name = "Violation";
  readonly expected: string;
  readonly observed: string;
  readonly exchange: ExchangeReference | undefined;
  readonly explainedBy: string | undefined;
  readonly steps: readonly string[] | undefined;
  readonly bars: readonly Bar[] | undefined;
  readonly story: PlayableStory | undefined;
  constructor(
    expected: string,
    observed: string,
    { exchange, explainedBy, steps, bars, story }: ViolationDetails = {},
  ) {
    super(`expected ${expected}; observed ${observed}`);
    this.expected = expected;
    this.observed = observed;
    this.exchange = exchange;
    this.explainedBy = explainedBy;
    this.steps = steps;
    this.bars = bars;
    this.story = story;
  }
}

export type InconclusiveCode =
  | "target-unreachable"
  | "target-silent"
  | "connection-closed"
  | "gateway-answer"
  | "control-refused"
  | "rate-limited"
  | "answer-unbounded"
  | "consent-skipped"
  | "consent-stuck"
  | "foreign-origin"
  | "precondition-missing"
  | "interrupted";

/** What else an {@link InconclusiveError} knows. */
export interface InconclusiveDetails extends ErrorOptions {
  /** The exchange that stood in the way, such as the refused control. */
  readonly exchange?: ExchangeReference | undefined;
  /** The id of the requirement or check that judges what stood in the way, where one does. */
  readonly explainedBy?: string | undefined;
}

/** We could not judge the target. Reported as `inconclusive`, never as pass or fail. */
export class InconclusiveError extends Error {
  override readonly name = "InconclusiveError";
  readonly code: InconclusiveCode;
  readonly exchange: ExchangeReference | undefined;
  readonly explainedBy: string | undefined;
  constructor(code: InconclusiveCode, message: string, details: InconclusiveDetails = {}) {
    super(message, details);
    this.code = code;
    this.exchange = details.exchange;
    this.explainedBy = details.explainedBy;
  }
}

/** The error of a check that was running when the run was interrupted. */
export function interrupted(cause: unknown): InconclusiveError {
  return new InconclusiveError("interrupted", "the run was interrupted", { cause });
}

/** The profile does not supply what the check needs. Reported as `blocked`; the message says what to add. */
export class BlockedError extends Error {
  override readonly name = "BlockedError";
}

/**
 * The check does not apply to this target, which has made a choice that the document leaves to it: a `client_id` without
 * letters, claims that nobody else can read. Reported as `observed`; the message says which choice.
 */
export class NotApplicableError extends Error {
  override readonly name = "NotApplicableError";
}

/** How sure a pass is that rests on samples, so that a defect may stay unseen by chance. */
export interface Certainty {
  /** What had the chance to show a defect: requests, connections, tries. */
  readonly tries: number;
  /** Probability, 0 to 1, that a defect against the claim would have shown; 1 where nothing was left to chance. */
  readonly probability: number;
  /** What was tried, and what the probability rests on, in a sentence without a full stop. */
  readonly basis: string;
}
