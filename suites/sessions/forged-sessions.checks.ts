import { claimsOf, postCapability } from "../support/actors/agent.ts";
import { check } from "../support/judging/check.ts";
import { expectPowRefused } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { sharedSession } from "../support/material/agents.ts";
import { anybodysTokens } from "../support/material/anybodys-tokens.ts";
import { jwtHeader, unsigned, withClaimsOf, withOtherSignature } from "../support/material/jwt-forgery.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isSuccess } from "../support/wire/exchange.ts";

/** Judges by itself whether the signature of a session is verified at all. */
const signatureIgnored = "POW-53/other-signature";

const forgeries: readonly {
  slug: string;
  /** Reads after "A session". */
  words: string;
  /** @param others - a session of another agent */
  forge: (session: string, others: string) => string;
  explainedBy?: string;
}[] = [
  {
    slug: "other-signature",
    words: "that was used, with some bits of its signature changed,",
    forge: withOtherSignature,
  },
  {
    slug: "alg-none",
    words: "without a signature, whose `alg` is `none`,",
    forge: (session) => unsigned(jwtHeader(session), claimsOf(session) ?? {}, "none"),
    explainedBy: signatureIgnored,
  },
  {
    slug: "others-claims",
    words: "that was used, but with the claims of another agent's session,",
    forge: withClaimsOf,
    explainedBy: signatureIgnored,
  },
];

const signedByAnybody = check({
  id: "POW-53/signed-by-anybody",
  claim:
    "A session that anybody can sign, with HS256 and a known key, without a signature or with their own, mints no capability.",
  async act(target) {
    const session = await sharedSession(target);
    const used = await postCapability(target.control, session);
    if (!isSuccess(used)) throw controlRefused("a session as it was issued", "2xx", used, "POW-48");
    const exchanges: Exchange[] = [];
    for (const forged of await anybodysTokens(target, session))
      exchanges.push(await postCapability(target, forged));
    return exchanges;
  },
  assert(exchanges) {
    for (const exchange of exchanges)
      explained(isSuccess(exchange) ? signatureIgnored : undefined, () => expectPowRefused(exchange));
  },
});

const forgedSessions = forgeries.map(({ slug, words, forge, explainedBy }) =>
  check({
    id: `POW-53/${slug}`,
    claim: `A session ${words} mints no capability.`,
    async act(target) {
      const session = await sharedSession(target);
      const forged = forge(session, await sharedSession(target, "second"));
      const used = await postCapability(target.control, session);
      if (!isSuccess(used)) throw controlRefused("a session as it was issued", "2xx", used, "POW-48");
      return postCapability(target, forged);
    },
    assert: (exchange) => explained(explainedBy, () => expectPowRefused(exchange)),
  }),
);

/** A session is what the service has signed, whatever of it was seen before. Document, "Authentication", path 4. */
export const forgedSessionChecks = [...forgedSessions, signedByAnybody];
