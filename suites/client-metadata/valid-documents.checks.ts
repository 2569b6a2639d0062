import { attempt, codeIn, obtainCode } from "../support/actors/authorization.ts";
import {
  authorizationRequest,
  type Client,
  codeExchange,
  postToken,
  refreshExchange,
  registeredRedirectUri,
} from "../support/actors/oauth-client.ts";
import { expectAccessTokenAccepted, useAccessToken } from "../support/judging/access-token-use.ts";
import { check, recommend } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { expectThat, expectTokenRefused } from "../support/judging/expect.ts";
import { authorizingClient, redeemableCode } from "../support/material/controls.ts";
import type { Target } from "../support/target/target.ts";
import { replacing } from "../support/wire/parameters.ts";
import { clientDocument, documentClient } from "../support/material/document-clients.ts";
import { freshCode, freshGrant } from "../support/material/grants.ts";
import { type Exchange, isHtml, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectNoRedirect } from "../support/judging/refusals.ts";
import { newDocumentName } from "../support/target/documents/document-host.ts";
import type { ServedDocument } from "../support/target/documents/place.ts";
import { NotApplicableError } from "../support/verdict.ts";
import {
  answering,
  attemptOf,
  attemptRefused,
  attemptWithNew,
  documentText,
  expectCode,
  jsonType,
  requireCode,
  serveValid,
} from "./published-documents.ts";
import { expectNoClient } from "./url-clients.ts";

const accepted = check({
  id: "CIMD-01/accepted",
  claim: "A valid authorization request with the URL of a metadata document as `client_id` yields a code.",
  needs: ["human"],
  unlockedBy: "client_metadata",
  act: (target) => attemptWithNew(target, () => target.documents.publish(clientDocument)),
  assert: expectCode,
});

const servedOtherwise = [
  {
    slug: "charset",
    words: "of the type `application/json; charset=utf-8`",
    headers: { "Content-Type": "application/json; charset=utf-8" },
    changes: {},
  },
  {
    slug: "further-members",
    words: "with `contacts` and a member that nobody knows",
    headers: {},
    changes: {
      contacts: ["post@cb.example.test"],
      "example.test/unknown": { any: 1 },
    },
  },
].map(({ slug, words, headers, changes }) =>
  check({
    id: `CIMD-01/${slug}`,
    claim: `A valid request with the URL of a metadata document ${words} yields a code.`,
    needs: ["human"],
    unlockedBy: "client_metadata_listener",
    async act(target) {
      await authorizingClient(target, "document");
      return attemptWithNew(target, async () => {
        const { url } = await target.documents.serve((at) =>
          answering(200, { ...jsonType, ...headers }, documentText(at, changes)),
        );
        return url;
      });
    },
    assert: (seen) => explained("CIMD-01/accepted", () => expectCode(seen)),
  }),
);

/** A client whose document lists two addresses, with each of them. */
async function clientOfTwo(target: Target): Promise<Readonly<Record<"first" | "second", Client>>> {
  const second = (at: string): string => new URL("second/cb", at).href;
  const url = await target.documents.publish((at) => ({
    ...clientDocument(at),
    redirect_uris: [...documentClient(at).redirect_uris, second(at)],
  }));
  return { first: documentClient(url), second: { client_id: url, redirect_uris: [second(url)] } };
}

const secondUri = check({
  id: "CIMD-02/second-uri",
  claim: "The second `redirect_uri` of a metadata document gets a code, as the first does.",
  needs: ["human"],
  unlockedBy: "client_metadata",
  async act(target) {
    const { first, second } = await clientOfTwo(target);
    requireCode(await attemptOf(target.control, first.client_id));
    target.spend("grants");
    return attempt(target, authorizationRequest(target, second));
  },
  assert: expectCode,
});

const besideTwo = check({
  id: "CIMD-02/beside-two",
  claim:
    "With a metadata document of two `redirect_uris`, another one at their origin is refused without a redirect.",
  needs: ["human"],
  unlockedBy: "client_metadata",
  async act(target) {
    const { first, second } = await clientOfTwo(target);
    requireCode(await attemptOf(target.control, first.client_id));
    const { parameters } = authorizationRequest(target, first);
    const listed = [...first.redirect_uris, ...second.redirect_uris];
    const other = new URL("third/cb", first.client_id).href;
    return attempt(target, {
      client: { redirect_uris: listed },
      parameters: replacing(parameters, "redirect_uri", other),
    });
  },
  assert: (seen) => explained("CIMD-02/other-path", () => expectNoRedirect(seen)),
});

const ofOtherQuery = check({
  id: "CIMD-02/query",
  claim:
    "Where two URLs that differ only in their query each have a metadata document, the `redirect_uri` of one is refused without a redirect for the other.",
  needs: ["human"],
  unlockedBy: "client_metadata_listener",
  async act(target) {
    const name = newDocumentName();
    const [one, other] = await Promise.all([
      servedWithQuery(target, `${name}?client=one`),
      servedWithQuery(target, `${name}?client=two`),
    ]);
    target.spend("grants");
    const request = authorizationRequest(target, one);
    if (codeIn((await attempt(target.control, request)).end) === undefined)
      throw new NotApplicableError("the target takes no `client_id` with a query");
    const parameters = replacing(request.parameters, "client_id", other.client_id);
    return attempt(target, { client: other, parameters });
  },
  assert: (seen) => explained("CIMD-02/other-path", () => expectNoRedirect(seen)),
});

const idOfOtherQuery = recommend({
  id: "B-CIMD-02/query",
  claim:
    "A metadata document whose `client_id` differs from its URL only in the query is refused without a redirect.",
  needs: ["human"],
  unlockedBy: "client_metadata_listener",
  async act(target) {
    const right = await servedWithQuery(target, `${newDocumentName()}?client=one`);
    const control = await attempt(target.control, authorizationRequest(target, right));
    if (codeIn(control.end) === undefined)
      throw new NotApplicableError("the target takes no `client_id` with a query");
    const { url } = await target.documents.serve(
      (at) => answering(200, jsonType, documentText(at, { client_id: at.replace("=one", "=two") })),
      `${newDocumentName()}?client=one`,
    );
    return attemptRefused(target, url);
  },
  assert: (seen) => explained("B-CIMD-02/other", () => expectNoClient(seen)),
});

async function servedWithQuery(target: Target, name: string): Promise<Client> {
  const uriFor = (url: string): string => new URL(`cb/${new URL(url).searchParams.get("client")}`, url).href;
  const { url } = await target.documents.serve(
    (at) => answering(200, jsonType, documentText(at, { redirect_uris: [uriFor(at)] })),
    name,
  );
  return { client_id: url, redirect_uris: [uriFor(url)] };
}

const otherListed = check({
  id: "REDIR-30/document",
  claim:
    "A code for one `redirect_uri` of a metadata document is refused with `invalid_grant` in an exchange with another that it lists.",
  needs: ["human"],
  unlockedBy: "client_metadata",
  async act(target) {
    const { first, second } = await clientOfTwo(target);
    await redeemableCode(target, { client: "document" });
    const code = await obtainCode(target.setup, authorizationRequest(target, first));
    const other = registeredRedirectUri(second);
    return postToken(target, replacing(codeExchange(code), "redirect_uri", other));
  },
  assert: (exchange) => explained("REDIR-30", () => expectTokenRefused(exchange, ["invalid_grant"])),
});

const fetched = check({
  id: "CIMD-01/fetched",
  claim: "The server fetches the metadata document from the URL that is sent as `client_id`.",
  needs: ["human"],
  unlockedBy: "client_metadata_listener",
  async act(target) {
    const documents: ServedDocument[] = [];
    const { first } = await attemptWithNew(target, async () => {
      const document = await serveValid(target);
      documents.push(document);
      return document.url;
    });
    return { first, fetches: Math.max(...documents.map((document) => document.fetches())) };
  },
  assert: ({ first, fetches }) =>
    expectThat(fetches > 0, "a request for the metadata document", "none", first),
});

const redeemed = check({
  id: "CIMD-03/code",
  claim: "A metadata-document client redeems its code for an access token and a refresh token.",
  needs: ["human"],
  unlockedBy: "client_metadata",
  act: async (target) => postToken(target, codeExchange(await freshCode(target, { client: "document" }))),
  assert: (exchange) => explained("TOKEN-01", () => expectTokens(exchange)),
});

const refreshed = check({
  id: "CIMD-03/refresh",
  claim: "A metadata-document client refreshes its tokens.",
  needs: ["human"],
  unlockedBy: "client_metadata",
  async act(target) {
    const { client, tokens } = await freshGrant(target, { client: "document" });
    return postToken(target, refreshExchange(client, tokens.refresh_token));
  },
  assert: (exchange) => explained("TOKEN-01", () => expectTokens(exchange)),
});

const used = check({
  id: "CIMD-03/access-token",
  claim: "JMAP and the inbox list serve an access token of a metadata-document client.",
  needs: ["human"],
  unlockedBy: "client_metadata",
  async act(target) {
    const { tokens } = await freshGrant(target, { client: "document" });
    return useAccessToken(target, tokens.access_token);
  },
  assert: (use) => explained("BEARER-01/jmap", () => expectAccessTokenAccepted(use)),
});

function expectTokens(exchange: Exchange): void {
  const { access_token: access, refresh_token: refresh } = jsonMembers(exchange);
  expectThat(
    exchange.response.status === 200 && typeof access === "string" && typeof refresh === "string",
    "200 with access_token and refresh_token",
    summary(exchange),
    exchange,
  );
}

const hostShown = recommend({
  id: "B-CIMD-11",
  claim: "A page before the code shows the host name of a URL that is used as `client_id`.",
  needs: ["human", "pages"],
  unlockedBy: "client_metadata",
  async act(target) {
    const url = await target.documents.publish(clientDocument);
    const seen = await attemptOf(target, url);
    requireCode(seen);
    // What a redirect says in its body, no browser shows.
    const pages = seen.hops().filter((hop) => isHtml(hop) && isSuccess(hop));
    return { host: new URL(url).hostname, pages };
  },
  assert: ({ host, pages }) =>
    expectThat(
      pages.some(({ response }) => visibleText(response.body).includes(host)),
      `a page that shows ${host}`,
      `${pages.length} pages that do not`,
      pages.at(-1),
    ),
});

/** A page without its tags, in whose attributes any address may stand. */
function visibleText(html: string): string {
  return html.replaceAll(/<[^>]*>/gu, " ").toLowerCase();
}

export const validDocumentChecks = [
  accepted,
  ...servedOtherwise,
  secondUri,
  besideTwo,
  ofOtherQuery,
  idOfOtherQuery,
  otherListed,
  fetched,
  redeemed,
  refreshed,
  used,
  hostShown,
];
