import { accountHeader, bearer } from "../support/actors/jmap.ts";
import { mcpResource, postRevoke, secretOf } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { freshGrant, refreshed, sharedAccessToken } from "../support/material/grants.ts";
import { withOtherSignature } from "../support/material/jwt-forgery.ts";
import { accessTokenLife, refusedAfterSeconds } from "../support/material/token-life.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, type HeaderLines, isSuccess, summary } from "../support/wire/exchange.ts";
import { type BlobPlace, blobPlace, type BlobUse, download, upload } from "./blob-place.ts";
import { pollUntil } from "../support/judging/propagation.ts";

const uses = [download, upload];

/** What a use got with a valid token, and then with one that is to be refused. */
interface Attempt {
  readonly place: BlobPlace;
  readonly valid: Exchange;
  readonly refused: Exchange;
}

/**
 * An attempt of a use that a valid token is served.
 *
 * @param spoil - makes the token, which was served, one that is to be refused
 * @throws {NotApplicableError} when a valid token gets nothing either: the document promises no uploads and downloads
 */
async function attempt(
  target: Target,
  use: BlobUse,
  token: string,
  spoil: () => Promise<string>,
  isFinal: (exchange: Exchange) => boolean = () => true,
): Promise<Attempt> {
  const place = await blobPlace(target);
  const selecting = (credential: string): HeaderLines => [
    bearer(credential),
    accountHeader(target, place.inbox.accountId),
  ];
  const valid = await use.send(target.control, place, selecting(token));
  const unserved = `the target serves a valid access token no ${use.slug}`;
  if (valid === undefined || !use.isServed(valid, place)) throw new NotApplicableError(unserved);
  const spoilt = await spoil();
  const refused = await pollUntil(
    target,
    async () => use.send(target, place, selecting(spoilt)),
    (exchange) => exchange === undefined || !use.isServed(exchange, place) || isFinal(exchange),
  );
  if (refused === undefined) throw new NotApplicableError(unserved);
  return { place, valid, refused };
}

function expectRefused(use: BlobUse, made: Attempt, explainedBy: string): void {
  explained(explainedBy, () =>
    expectThat(!use.isServed(made.refused, made.place), "a refusal", summary(made.refused), made.refused),
  );
}

const revoked = uses.map((use) =>
  check({
    id: `BEARER-11/${use.slug}`,
    claim: `${use.words} with an access token that was revoked.`,
    needs: ["human"],
    async act(target) {
      // Refreshed once: what is lost of an unrefreshed grant has checks of its own.
      const { tokens, client } = await refreshed(target, await freshGrant(target));
      const revoke = async (): Promise<string> => {
        const revocation = await postRevoke(target.setup, [
          ["client_id", client.client_id],
          ["token", tokens.access_token],
          ...secretOf(client),
        ]);
        if (isSuccess(revocation)) return tokens.access_token;
        throw controlRefused("revoking an access token", "200", revocation, "REVOKE-01/status");
      };
      return attempt(target, use, tokens.access_token, revoke, () => false);
    },
    assert: (made) => expectRefused(use, made, "REVOKE-10"),
  }),
);

const expired = uses.map((use) =>
  check({
    id: `BEARER-10/${use.slug}`,
    claim: `${use.words} with an access token that has expired, its leeway included.`,
    needs: ["human"],
    waitSeconds: accessTokenLife.usualWaitSeconds,
    async act(target) {
      const { tokens } = await freshGrant(target);
      const expire = async (): Promise<string> => {
        await target.wait(refusedAfterSeconds(target, accessTokenLife) + 1);
        return tokens.access_token;
      };
      return attempt(target, use, tokens.access_token, expire);
    },
    assert: (made) => expectRefused(use, made, "TOKEN-19"),
  }),
);

// BEARER-04/download and RES-29/download are their like.
const invalid = [
  {
    id: "BEARER-04/upload",
    words: "a token whose signature was changed",
    token: async (target: Target) => withOtherSignature(await sharedAccessToken(target)),
    judgedBy: "BEARER-04/jmap-flipped-bit",
  },
  {
    id: "RES-29/upload",
    words: "a token for the MCP resource",
    token: (target: Target) => sharedAccessToken(target, { resource: mcpResource(target) }),
    judgedBy: "RES-29/mailbox-query",
  },
].map(({ id, words, token, judgedBy }) =>
  check({
    id,
    claim: `${upload.words} with ${words}.`,
    needs: ["human"],
    act: async (target) => attempt(target, upload, await sharedAccessToken(target), () => token(target)),
    assert: (made) => expectRefused(upload, made, judgedBy),
  }),
);

/** Uploads and downloads take the credentials of JMAP, and refuse what JMAP refuses. Document, "Errors"; RFC 8620 §6. */
export const blobCredentialChecks = [...revoked, ...expired, ...invalid];
