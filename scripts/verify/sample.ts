import { randomInt } from "node:crypto";
import { UsageError } from "../usage-error.ts";

/** Whoever passes these wrongly hands over an account: redirects, PKCE, codes, and credentials in another's place. */
const accountTakeover = /^(?:REDIR|PKCE|CODE|CONF)-|^BEARER-0[4-7]\b/u;

export interface Sample {
  readonly always: readonly string[];
  readonly drawn: readonly string[];
  /** How many it was drawn from. */
  readonly from: number;
}

/**
 * All checks of account takeover, and a share of the others that nobody can foresee.
 *
 * @param share - from 0 to 1
 */
export function drawSample(ids: readonly string[], share: number): Sample {
  const always = ids.filter((id) => accountTakeover.test(id));
  const others = ids.filter((id) => !accountTakeover.test(id));
  const count = Math.ceil(share * others.length);
  const left = [...others];
  const drawn = Array.from({ length: count }, () => left.splice(randomInt(left.length), 1)).flat();
  return { always, drawn, from: others.length };
}

/** The probability that a sample holds at least one of some results that are false. */
export function oddsOfFinding(falseResults: number, { drawn, from }: Sample): number {
  let missed = 1;
  for (let at = 0; at < falseResults; at += 1)
    missed *= Math.max(0, from - drawn.length - at) / Math.max(1, from - at);
  return 1 - missed;
}

/**
 * @param text - `5%`
 * @returns from 0 to 1
 */
export function parseShare(text: string): number {
  const percent = Number(/^(\d{1,3}(?:\.\d+)?) ?%?$/u.exec(text)?.[1]);
  if (percent > 0 && percent <= 100) return percent / 100;
  throw new UsageError(`--rerun ${text}: expected a share such as 5%`);
}
