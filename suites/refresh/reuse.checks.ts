import { setTimeout as delay } from "node:timers/promises";
import { jmapResource, postToken, refreshExchange, requireTokens } from "../support/actors/oauth-client.ts";
import {
  expectAccessTokenRejected,
  pollUntilRejected,
  requireAccepted,
} from "../support/judging/access-token-use.ts";
import { check } from "../support/judging/check.ts";
import { expectNoTokens, isRefusal } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import {
  expectRefreshRefused,
  pollUntilRefreshRefused,
  presentRefreshToken,
} from "../support/judging/refresh-token-use.ts";
import type { ClientKind } from "../support/material/clients.ts";
import { refreshableGrant } from "../support/material/controls.ts";
import { freshGrant, type GrantSpec, refreshed } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError, type Warning, Violation, warning } from "../support/verdict.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { adding, type Parameters } from "../support/wire/parameters.ts";
import { requireScopeTaken } from "./named-scopes.ts";
import { rotatedGrant } from "./rotated-grants.ts";

/**
 * A superseded refresh token was refused. The document revokes the grant and names no code for the attempt itself, so
 * that another 4xx than 400 `invalid_grant` is worth a warning only.
 */
function expectReuseRefused(exchange: Exchange): Warning | undefined {
  if (isSuccess(exchange) || !isRefusal(exchange))
    throw new Violation("the superseded refresh token to be refused", summary(exchange), { exchange });
  expectNoTokens(exchange);
  const isInvalidGrant =
    exchange.response.status === 400 && jsonMembers(exchange)["error"] === "invalid_grant";
  return isInvalidGrant ? undefined : warning(`refused with ${summary(exchange)}, not 400 invalid_grant`);
}

/** The document does not say what a request does that is refused for its content (C-102). */
function isRefusedForContent(exchange: Exchange): boolean {
  return isRefusal(exchange) && jsonMembers(exchange)["error"] !== "invalid_grant";
}

/** What explains that a grant outlived a reuse: the reuse was not a reuse to the target, or else what the caller names. */
function causeOf(reuse: Exchange, otherwise?: string): string | undefined {
  return isSuccess(reuse) ? "REFRESH-03" : otherwise;
}

const refused = (["public", "confidential"] as const).map((client) =>
  check({
    id: `REFRESH-03/${client}`,
    claim: `A superseded refresh token of a ${client} client is refused.`,
    needs: ["human"],
    async act(target) {
      const { grant, oldest } = await rotatedGrant(target, 1, { client });
      return presentRefreshToken(target, grant, oldest);
    },
    assert: expectReuseRefused,
  }),
);

interface Reuse {
  readonly slug: string;
  /** Reads after "A superseded refresh token". */
  readonly words: string;
  readonly client: ClientKind;
  readonly parameters: Parameters;
  /** Judges the same without the further parameters. */
  readonly explainedBy?: string;
}

const reuses: readonly Reuse[] = [
  { slug: "public", words: "of a public client", client: "public", parameters: [] },
  { slug: "confidential", words: "of a confidential client", client: "confidential", parameters: [] },
  {
    slug: "wrong-resource",
    words: "sent with a `resource` that was not granted",
    client: "public",
    parameters: [["resource", "https://evil.test/jmap"]],
    explainedBy: "REFRESH-04/public",
  },
  {
    slug: "wrong-scope",
    words: "sent with an unknown `scope`",
    client: "public",
    parameters: [["scope", "mail.read mailproof.unknown"]],
    explainedBy: "REFRESH-04/public",
  },
];

const endsRefreshTokens = reuses.map(({ slug, words, client, parameters, explainedBy }) =>
  check({
    id: `REFRESH-04/${slug}`,
    claim: `A superseded refresh token ${words} ends its grant: the newest refresh token is then refused.`,
    needs: ["human"],
    async act(target) {
      const { grant, oldest, newest } = await rotatedGrant(target, 1, { client });
      const fields = adding(refreshExchange(grant.client, oldest.refresh_token), ...parameters);
      const reuse = await postToken(target, fields);
      const next = await pollUntilRefreshRefused(target, grant, newest);
      const namesScope = parameters.some(([name]) => name === "scope");
      if (namesScope && isSuccess(next)) await requireScopeTaken(target);
      return { reuse, next };
    },
    assert({ reuse, next }): Warning | undefined {
      const isForFurther = parameters.length > 0 && isRefusedForContent(reuse);
      if (isForFurther && isSuccess(next))
        return warning(`refused with ${summary(reuse)}, for what was sent with it, and the grant lives on`);
      expectRefreshRefused(next, causeOf(reuse, explainedBy));
      return undefined;
    },
  }),
);

const endsAccessTokens = (["old", "new"] as const).map((which) =>
  check({
    id: `REFRESH-05/${which}-access-token`,
    claim: `After the reuse of a superseded refresh token, JMAP and the inbox list refuse the ${which} access token of the grant.`,
    needs: ["human"],
    async act(target) {
      const { grant, oldest, newest } = await rotatedGrant(target, 1);
      // Only the new one must work before: the refresh may have ended the old one (REFRESH-20).
      await requireAccepted(target, newest.access_token);
      const reuse = await presentRefreshToken(target, grant, oldest);
      const token = (which === "old" ? oldest : newest).access_token;
      return { reuse, use: await pollUntilRejected(target, token) };
    },
    assert: ({ reuse, use }) => expectAccessTokenRejected(use, causeOf(reuse)),
  }),
);

const readOnlyGrants: readonly { slug: string; words: string; spec: GrantSpec }[] = [
  { slug: "read-only", words: "that asked for `mail.read` alone", spec: { scope: "mail.read" } },
  { slug: "narrowed", words: "that the person narrowed", spec: { decision: "approve read-only" } },
];

const endsReadOnlyAccessTokens = readOnlyGrants.map(({ slug, words, spec }) =>
  check({
    id: `REFRESH-05/${slug}`,
    claim: `After a reuse in a grant ${words}, JMAP and the inbox list refuse both of its access tokens.`,
    needs: ["human"],
    async act(target) {
      const { grant, oldest, newest } = await rotatedGrant(target, 1, spec);
      await requireAccepted(target, newest.access_token);
      const reuse = await presentRefreshToken(target, grant, oldest);
      const uses = [];
      for (const { access_token: token } of [newest, oldest])
        uses.push(await pollUntilRejected(target, token));
      return { reuse, uses };
    },
    assert({ reuse, uses }) {
      for (const use of uses) expectAccessTokenRejected(use, causeOf(reuse, "REFRESH-05/new-access-token"));
    },
  }),
);

const olderGenerations = [
  { slug: "first", at: 0, words: "first", rotations: 3, times: "three times" },
  { slug: "second", at: 1, words: "second", rotations: 3, times: "three times" },
  { slug: "first-of-many", at: 0, words: "first", rotations: 12, times: "twelve times" },
].map(({ slug, at, words, rotations, times }) =>
  check({
    id: `REFRESH-06/${slug}`,
    claim: `The ${words} refresh token of a grant that was refreshed ${times} ends the grant when it is presented again.`,
    needs: ["human"],
    async act(target) {
      const { grant, generations, newest } = await rotatedGrant(target, rotations);
      await requireAccepted(target, newest.access_token);
      const reuse = await presentRefreshToken(target, grant, generations[at] ?? newest);
      const use = await pollUntilRejected(target, newest.access_token);
      return { reuse, use, next: await pollUntilRefreshRefused(target, grant, newest) };
    },
    assert({ reuse, use, next }) {
      expectRefreshRefused(next, causeOf(reuse, "REFRESH-04"));
      expectAccessTokenRejected(use, causeOf(reuse, "REFRESH-05"));
    },
  }),
);

interface Replay {
  readonly id: string;
  readonly words: string;
  readonly pause: (target: Target) => Promise<void>;
  /** As in a check: only for pauses that are worth moving the target's clock. */
  readonly waitSeconds?: number;
}

function afterSeconds(seconds: number): Pick<Replay, "pause" | "waitSeconds"> {
  return { pause: (target) => target.wait(seconds), waitSeconds: seconds };
}

const replays: readonly Replay[] = [
  { id: "REFRESH-07/1-second", words: "1 s", pause: () => delay(1000) },
  { id: "REFRESH-07/10-seconds", words: "10 s", ...afterSeconds(10) },
  { id: "REFRESH-07/30-seconds", words: "30 s", ...afterSeconds(30) },
  // Past the life of an access token.
  { id: "REFRESH-09", words: "17 minutes", ...afterSeconds(1020) },
  // Within the 90 days for which the token itself was good, and past the ages at which things are usually forgotten.
  { id: "REFRESH-09/60-days", words: "60 days and an hour", ...afterSeconds(60 * 86_400 + 3600) },
];

const replayed = replays.map(({ id, words, pause, waitSeconds }) =>
  check({
    id,
    claim: `A rotated refresh token replayed after ${words} is refused and revokes its grant.`,
    needs: ["human"],
    ...(waitSeconds !== undefined && { waitSeconds }),
    async act(target) {
      const { grant, oldest, newest } = await rotatedGrant(target, 1);
      // Of another client, since a target may keep one grant for each person and client.
      const witness = await freshGrant(target, { client: "other" });
      await pause(target);
      const control = await presentRefreshToken(target.control, witness, witness.tokens);
      requireTokens(control, `a refresh ${words} after its refresh token was issued`, "REFRESH-16");
      const reuse = await presentRefreshToken(target, grant, oldest);
      return { reuse, next: await pollUntilRefreshRefused(target, grant, newest) };
    },
    assert({ reuse, next }) {
      const finding = expectReuseRefused(reuse);
      expectRefreshRefused(next, "REFRESH-04");
      return finding;
    },
  }),
);

const afterParameters = [
  {
    slug: "narrowing",
    words: "`scope` `mail.read`",
    parameters: (): Parameters => [["scope", "mail.read"]],
    judgedBy: "B-TOK-16",
  },
  {
    slug: "resource",
    words: "the granted `resource`",
    parameters: (target: Target): Parameters => [["resource", jmapResource(target)]],
    judgedBy: "REFRESH-01",
  },
].map(({ slug, words, parameters, judgedBy }) =>
  check({
    id: `REFRESH-04/after-${slug}`,
    claim: `The refresh token before a refresh with ${words} is refused afterwards and revokes its grant.`,
    needs: ["human"],
    async act(target) {
      if (slug === "narrowing") await requireScopeTaken(target);
      const grant = await refreshableGrant(target);
      const fields = adding(refreshExchange(grant.client, grant.tokens.refresh_token), ...parameters(target));
      const refresh = await postToken(target, fields);
      // The document shows neither field in a refresh.
      if (isRefusal(refresh)) throw new NotApplicableError(`the target refuses a refresh with ${words}`);
      const newest = requireTokens(refresh, `a refresh with ${words}`, judgedBy);
      const reuse = await presentRefreshToken(target, grant, grant.tokens);
      return { reuse, next: await pollUntilRefreshRefused(target, grant, newest) };
    },
    assert({ reuse, next }) {
      const finding = explained("REFRESH-03", () => expectReuseRefused(reuse));
      expectRefreshRefused(next, "REFRESH-04/public");
      return finding;
    },
  }),
);

const days = 86_400;
const beforeRefreshDays = 60;
const afterRefreshDays = 40;

const expiredReuse = check({
  id: "REFRESH-09/expired",
  claim:
    "A superseded refresh token presented after its own 90 days is refused and revokes its grant, which was refreshed meanwhile.",
  needs: ["human"],
  waitSeconds: (beforeRefreshDays + afterRefreshDays) * days,
  async act(target) {
    const { grant, oldest } = await rotatedGrant(target, 1);
    const witness = await freshGrant(target, { client: "other" });
    await target.wait(beforeRefreshDays * days);
    const { tokens } = await refreshed(target, grant);
    const { tokens: current } = await refreshed(target, witness);
    await target.wait(afterRefreshDays * days);
    const control = await presentRefreshToken(target.control, witness, current);
    requireTokens(control, `a refresh ${afterRefreshDays} days after the one before`, "REFRESH-17");
    const reuse = await presentRefreshToken(target, grant, oldest);
    return { reuse, next: await pollUntilRefreshRefused(target, grant, tokens) };
  },
  assert({ reuse, next }): Warning | undefined {
    const finding = explained("REFRESH-09/60-days", () => expectReuseRefused(reuse));
    // A target may have forgotten a token that could not be used any more, superseded or not (C-99).
    return isSuccess(next)
      ? warning("the grant goes on: the target forgets superseded refresh tokens that have expired")
      : finding;
  },
});

/** A superseded refresh token is refused, and it ends its grant. Document, "States", refresh token. */
export const reuseChecks = [
  ...refused,
  ...endsRefreshTokens,
  ...endsAccessTokens,
  ...endsReadOnlyAccessTokens,
  ...olderGenerations,
  ...afterParameters,
  ...replayed,
  expiredReuse,
];
