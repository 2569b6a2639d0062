import { obtainCode } from "../support/actors/authorization.ts";
import {
  authorizationRequest,
  codeExchange,
  postToken,
  refreshExchange,
} from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { expectTokenRefused } from "../support/judging/expect.ts";
import { clientFor } from "../support/material/clients.ts";
import { authorizingClient, redeemableCode, refreshableGrant } from "../support/material/controls.ts";
import type { Target } from "../support/target/target.ts";
import { replacing } from "../support/wire/parameters.ts";

/** A `client_id` that is not the URL that a grant belongs to. */
interface OtherId {
  readonly slug: string;
  readonly words: string;
  readonly idFor: (target: Target, url: string) => string | Promise<string>;
  /** What judges the same of the ids of registered clients, beside what judges it of another client's. */
  readonly likewise?: string;
  /** The same URL written otherwise, and the id of no client that the target knows. */
  readonly isSpelling?: true;
}

const otherIds: readonly OtherId[] = [
  {
    slug: "trailing-slash",
    words: "its URL and a trailing slash",
    isSpelling: true,
    idFor: (_, url) => `${url}/`,
  },
  {
    slug: "upper-case-host",
    words: "its URL with the host in upper case",
    likewise: "AUTHZ-06",
    isSpelling: true,
    idFor: (_, url) =>
      url.replace(/^https:\/\/[^/]+/u, (origin) => `https://${origin.slice(8).toUpperCase()}`),
  },
  {
    slug: "upper-case-scheme",
    words: "its URL with the scheme in upper case",
    likewise: "AUTHZ-06",
    isSpelling: true,
    idFor: (_, url) => url.replace("https:", "HTTPS:"),
  },
  { slug: "query", words: "its URL and an empty query", isSpelling: true, idFor: (_, url) => `${url}?` },
  {
    slug: "other-document",
    words: "the URL of another client's document",
    idFor: authorizedElsewhere,
  },
  {
    slug: "registered-client",
    words: "the id of a registered client",
    idFor: async (target) => (await authorizingClient(target, "other")).client_id,
  },
];

/** The id of another client, which the target knows already. */
function authorizedElsewhere(target: Target): Promise<string> {
  return target.setup.once("client-metadata:authorized-elsewhere", async (recording) => {
    const client = await clientFor(recording, "document", "another");
    await obtainCode(recording, authorizationRequest(recording, client));
    return client.client_id;
  });
}

const errors = ["invalid_grant", "invalid_client"];
/** A target may fetch what another spelling leads to, and find a document that names another `client_id` (C-97). */
const spellingErrors = [...errors, "invalid_client_metadata", "invalid_request"];

function errorsFor(isSpelling: true | undefined): readonly string[] {
  return isSpelling ? spellingErrors : errors;
}

const codes = otherIds.map(({ slug, words, idFor, likewise = "CODE-05", isSpelling }) =>
  check({
    id: `CIMD-07/code-${slug}`,
    claim: `A code of a client with a URL as \`client_id\` is not redeemed with ${words}.`,
    needs: ["human"],
    unlockedBy: "client_metadata",
    async act(target) {
      const code = await redeemableCode(target, { client: "document" });
      const clientId = await idFor(target, code.client.client_id);
      return postToken(target, replacing(codeExchange(code), "client_id", clientId));
    },
    assert: (exchange) => explained(likewise, () => expectTokenRefused(exchange, errorsFor(isSpelling))),
  }),
);

const refreshTokens = otherIds.map(({ slug, words, idFor, likewise = "REFRESH-11", isSpelling }) =>
  check({
    id: `CIMD-07/refresh-${slug}`,
    claim: `A refresh token of a client with a URL as \`client_id\` is not redeemed with ${words}.`,
    needs: ["human"],
    unlockedBy: "client_metadata",
    async act(target) {
      const { client, tokens } = await refreshableGrant(target, { client: "document" });
      const clientId = await idFor(target, client.client_id);
      return postToken(
        target,
        replacing(refreshExchange(client, tokens.refresh_token), "client_id", clientId),
      );
    },
    assert: (exchange) => explained(likewise, () => expectTokenRefused(exchange, errorsFor(isSpelling))),
  }),
);

const ofRegistered = [
  {
    id: "CODE-05/document",
    words: "The code of a registered client",
    fields: async (target: Target) => codeExchange(await redeemableCode(target)),
    likewise: "CODE-05",
  },
  {
    id: "REFRESH-11/document",
    words: "The refresh token of a registered client",
    async fields(target: Target) {
      const { client, tokens } = await refreshableGrant(target);
      return refreshExchange(client, tokens.refresh_token);
    },
    likewise: "REFRESH-11",
  },
].map(({ id, words, fields, likewise }) =>
  check({
    id,
    claim: `${words} is not redeemed with the URL of a client's metadata document as \`client_id\`.`,
    needs: ["human"],
    unlockedBy: "client_metadata",
    async act(target) {
      const clientId = await authorizedElsewhere(target);
      return postToken(target, replacing(await fields(target), "client_id", clientId));
    },
    assert: (exchange) => explained(likewise, () => expectTokenRefused(exchange, errors)),
  }),
);

export const boundToUrlChecks = [...codes, ...refreshTokens, ...ofRegistered];
