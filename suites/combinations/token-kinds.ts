import type { Target } from "../support/target/target.ts";
import { otherClients } from "../support/material/other-clients.ts";
import { freshGrant, refreshed, sharedAccessToken } from "../support/material/grants.ts";
import { type Choice, type GrantKind, grantFactors, grantKind } from "./grant-kinds.ts";
import { pairwise } from "./pairs.ts";

interface TokenChoice extends Choice {
  /** Whether the access token came with the code's exchange or with a refresh. */
  readonly credential: "issued" | "refreshed";
}

/** A kind of access token: a kind of grant, and how the token was obtained. */
export interface TokenKind extends Omit<GrantKind, "choice" | "spec"> {
  readonly choice: TokenChoice;
  /**
   * One for all checks of a run; none destroys it.
   *
   * @throws {InconclusiveError} control-refused, when the target issues none
   */
  accessToken(target: Target): Promise<string>;
}

function tokenKind(choice: TokenChoice): TokenKind {
  const kind = grantKind(choice);
  const { slug, words, conditions } = kind;
  const isRefreshed = choice.credential === "refreshed";
  return {
    choice,
    slug: `${slug}-${choice.credential}`,
    words: isRefreshed ? `${words} after a refresh` : words,
    conditions,
    accessToken: async (target) =>
      isRefreshed ? refreshedToken(target, kind) : sharedAccessToken(target, await kind.spec(target)),
  };
}

// Well before the 900 seconds of an access token.
const refreshAgainAfterSeconds = 600;

async function refreshedToken(target: Target, { slug, spec }: GrantKind): Promise<string> {
  const key = `combinations:refreshed:${slug}`;
  const holder = await target.setup.once(key, async (recording) => ({
    grant: await refreshed(recording, await freshGrant(recording, await spec(recording))),
    sinceSeconds: target.elapsedSeconds(),
  }));
  return target.exclusively(key, async () => {
    if (target.elapsedSeconds() - holder.sinceSeconds > refreshAgainAfterSeconds) {
      holder.grant = await refreshed(target.setup, holder.grant);
      holder.sinceSeconds = target.elapsedSeconds();
    }
    return holder.grant.tokens.access_token;
  });
}

/** Of clients that did not register themselves. */
const ofOtherClients: readonly TokenKind[] = otherClients.flatMap(({ client }) =>
  (
    [
      { resource: "jmap", scope: "read", human: "first", credential: "issued" },
      { resource: "jmap", scope: "both", human: "second", credential: "refreshed" },
      { resource: "mcp", scope: "read", human: "second", credential: "issued" },
      { resource: "mcp", scope: "both", human: "first", credential: "refreshed" },
      { resource: "inbox", scope: "read", human: "first", credential: "refreshed" },
    ] as const
  ).map((choice) => tokenKind({ client, ...choice })),
);

/** Kinds of access token in which every two choices meet. */
export const tokenKinds: readonly TokenKind[] = [
  ...pairwise<TokenChoice>({ ...grantFactors, credential: ["issued", "refreshed"] }).map(tokenKind),
  ...ofOtherClients,
];
