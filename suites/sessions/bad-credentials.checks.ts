import { claimsOf } from "../support/actors/agent.ts";
import { followedSessionDocument } from "../support/actors/mail-session.ts";
import { unguessable } from "../support/actors/oauth-client.ts";
import { type Check, check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { freshCapability } from "../support/material/agents.ts";
import { anybodysTokens } from "../support/material/anybodys-tokens.ts";
import { jwtHeader, unsigned, withClaimsOf, withOtherSignature } from "../support/material/jwt-forgery.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { otherSpellings } from "../support/material/other-paths.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { bearer, inboxQuery, jsonContentType, methodResponses, postJmap } from "../support/actors/jmap.ts";
import type { Target } from "../support/target/target.ts";
import { expectNothingShown } from "./expectations.ts";
import { mailboxOf } from "./mailbox.ts";

const credentials: readonly {
  slug: string;
  words: string;
  /** @param others - a capability of another agent */
  headers: (capability: string, others: string) => readonly (readonly [string, string])[];
  /** The capability is used first, as it is: a target may keep what it has verified. */
  isUsedBefore?: true;
}[] = [
  { slug: "none", words: "without a credential", headers: () => [] },
  { slug: "garbage", words: "with a random bearer token", headers: () => [bearer(unguessable())] },
  {
    slug: "tampered",
    words: "with a capability whose signature was changed",
    headers: (capability) => [bearer(withOtherSignature(capability))],
    isUsedBefore: true,
  },
  {
    slug: "alg-none",
    words: "with an unsigned capability whose `alg` is `none`",
    headers: (capability) => [bearer(unsigned(jwtHeader(capability), claimsOf(capability) ?? {}, "none"))],
  },
  {
    slug: "others-claims",
    words: "with a used capability whose claims are those of another agent's",
    headers: (capability, others) => [bearer(withClaimsOf(capability, others))],
    isUsedBefore: true,
  },
];

/** @throws {InconclusiveError} control-refused, when a valid capability opens no session document */
function requireDocumentServed(target: Target): Promise<Exchange> {
  return target.control.once("sessions:document-control", async (recording) => {
    const { capability } = await mailboxOf(recording);
    const exchange = await followedSessionDocument(recording, [bearer(capability)]);
    if (isSuccess(exchange)) return exchange;
    throw controlRefused("the session document with a capability", "2xx", exchange, "POW-59");
  });
}

/** @throws {InconclusiveError} control-refused, when JMAP does not serve a valid capability */
function requireJmapServed(target: Target): Promise<Exchange> {
  return target.control.once("sessions:api-url-control", async (recording) => {
    const { capability, apiUrl } = await mailboxOf(recording);
    const exchange = await queryInbox(recording, apiUrl, [bearer(capability)]);
    if (methodResponses(exchange) !== undefined) return exchange;
    throw controlRefused("a JMAP request with a capability", "method responses", exchange, "POW-66");
  });
}

function queryInbox(
  target: Target,
  apiUrl: string,
  headers: readonly (readonly [string, string])[],
): Promise<Exchange> {
  return postJmap(target, { url: apiUrl, headers: [...headers, jsonContentType], body: inboxQuery });
}

const elsewhere = check({
  id: "POW-62/other-paths",
  claim:
    "No other spelling of the path `/.well-known/jmap` opens the session document without a capability, or with one whose signature was changed.",
  async act(target) {
    await requireDocumentServed(target);
    const { capability } = await mailboxOf(target);
    const exchanges: Exchange[] = [];
    for (const path of otherSpellings("/.well-known/jmap"))
      for (const headers of [[], [bearer(withOtherSignature(capability))]])
        exchanges.push(await target.send({ method: "GET", url: `${target.apiUrl}${path}`, headers }));
    return exchanges;
  },
  assert(exchanges) {
    for (const exchange of exchanges)
      explained("POW-62/session-document-tampered", () =>
        expectThat(
          jsonMembers(exchange)["primaryAccounts"] === undefined,
          "no session document",
          summary(exchange),
          exchange,
        ),
      );
  },
});

const eachCredential = credentials.flatMap(({ slug, words, headers, isUsedBefore }) => [
  check({
    id: `POW-62/session-document-${slug}`,
    claim: `A request for the session document ${words} is refused.`,
    async act(target) {
      await requireDocumentServed(target);
      const { capability } = await mailboxOf(target);
      if (isUsedBefore) await followedSessionDocument(target.setup, [bearer(capability)]);
      return followedSessionDocument(target, headers(capability, await freshCapability(target, "second")));
    },
    assert: expectNothingShown,
  }),
  check({
    id: `POW-62/api-url-${slug}`,
    claim: `A JMAP request to \`apiUrl\` ${words} is refused.`,
    async act(target) {
      await requireJmapServed(target);
      const { capability, apiUrl } = await mailboxOf(target);
      if (isUsedBefore) await queryInbox(target.setup, apiUrl, [bearer(capability)]);
      return queryInbox(target, apiUrl, headers(capability, await freshCapability(target, "second")));
    },
    assert: expectNothingShown,
  }),
]);

const signedByAnybody = check({
  id: "POW-62/signed-by-anybody",
  claim:
    "A capability that anybody can sign, with HS256 and a known key, without a signature or with their own, opens neither the session document nor `apiUrl`.",
  async act(target) {
    await requireDocumentServed(target);
    await requireJmapServed(target);
    const { capability, apiUrl } = await mailboxOf(target);
    const exchanges: Exchange[] = [];
    for (const forged of await anybodysTokens(target, capability)) {
      exchanges.push(await followedSessionDocument(target, [bearer(forged)]));
      exchanges.push(await queryInbox(target, apiUrl, [bearer(forged)]));
    }
    return exchanges;
  },
  assert(exchanges) {
    for (const exchange of exchanges)
      explained(isSuccess(exchange) ? "POW-62/session-document-tampered" : undefined, () =>
        expectNothingShown(exchange),
      );
  },
});

export const badCredentialChecks: readonly Check[] = [...eachCredential, signedByAnybody, elsewhere];
