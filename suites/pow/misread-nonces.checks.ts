import { type Challenge, openSession, requestChallenge, saltOf } from "../support/actors/agent.ts";
import { check } from "../support/judging/check.ts";
import { provenAgent } from "../support/material/agent-controls.ts";
import { leadingZeroBits } from "../support/pow/leading-zero-bits.ts";
import { powDigest } from "../support/pow/scrypt-digest.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError, warning } from "../support/verdict.ts";
import { isSuccess } from "../support/wire/exchange.ts";
import { expectRefused } from "./session-requests.ts";
import { digestBelieved } from "./wrong-proofs.checks.ts";

// A text leaves nothing to search in, so another challenge is drawn for each try. At four bits none of so many is solved in
// one run of 3,900; at six, in one of eight.
const mostDraws = 128;
const mostBits = 6;

/**
 * A challenge whose digest over `<jti>:<text>` has as many leading zero bits as the challenge asks for.
 *
 * @throws {NotApplicableError} when the target asks for too much work, or none of the challenges was such a one
 */
async function challengeSolvedBy(
  target: Target,
  text: string,
): Promise<{ readonly challenge: Challenge; readonly powHex: string }> {
  for (let draws = 0; draws < mostDraws; draws += 1) {
    const challenge = await requestChallenge(target.setup);
    const { jti, difficultyBits } = challenge;
    if (difficultyBits > mostBits)
      throw new NotApplicableError(
        `one nonce alone solves a challenge of ${difficultyBits} bits too seldom to be found`,
      );
    const digest = await powDigest({ jti, nonce: text, saltHexText: saltOf(target, challenge) });
    if (leadingZeroBits(digest) >= difficultyBits)
      return { challenge, powHex: Buffer.from(digest).toString("hex") };
  }
  throw new NotApplicableError(
    `none of ${mostDraws} challenges was solved by the digest over \`<jti>:${text}\``,
  );
}

/** What a program may make of a nonce that it fails to read, if it goes on nevertheless. */
const misreadings: readonly {
  slug: string;
  words: string;
  nonce: unknown;
  readAs: string;
  /** The text is that number to common libraries, over which the digest is right: no work is saved. */
  isTolerated?: true;
}[] = [
  { slug: "word-as-null", words: "a word", nonce: "abc", readAs: "null" },
  { slug: "word-as-nan", words: "a word", nonce: "abc", readAs: "NaN" },
  { slug: "word-as-zero", words: "a word", nonce: "abc", readAs: "0" },
  { slug: "null-as-text", words: "null", nonce: null, readAs: "null" },
  { slug: "null-as-empty", words: "null", nonce: null, readAs: "" },
  { slug: "missing-as-undefined", words: "missing", nonce: undefined, readAs: "undefined" },
  { slug: "null-as-zero", words: "null", nonce: null, readAs: "0" },
  { slug: "missing-as-zero", words: "missing", nonce: undefined, readAs: "0" },
  { slug: "empty-as-zero", words: "empty", nonce: "", readAs: "0" },
  // How Python and others read numbers, and how people write long ones.
  { slug: "underscore-as-ten", words: "`1_0`", nonce: "1_0", readAs: "10", isTolerated: true },
  { slug: "comma-as-ten", words: "`1,0`", nonce: "1,0", readAs: "10", isTolerated: true },
  { slug: "exponent-as-ten", words: "`1e1`", nonce: "1e1", readAs: "10" },
];

/** A nonce that is not a decimal integer is refused, whatever is hashed in its place. Document, "PoW-path endpoints". */
export const misreadNonceChecks = misreadings.map(({ slug, words, nonce, readAs, isTolerated }) =>
  check({
    id: `POW-30/${slug}`,
    claim: `A login whose nonce is ${words} is refused, even with the digest over \`<jti>:${readAs}\`.`,
    async act(target) {
      const { apiKey } = await provenAgent(target);
      const { challenge, powHex } = await challengeSolvedBy(target, readAs);
      return openSession(target, challenge.jwt, { powHex, nonce, apiKey });
    },
    assert(exchange) {
      if (isTolerated && isSuccess(exchange))
        return warning(`accepted, read as ${readAs}; the proof of work is right, so nothing is gained by it`);
      expectRefused(exchange, digestBelieved);
      return undefined;
    },
  }),
);
