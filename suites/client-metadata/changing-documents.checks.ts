import { endInWords } from "../support/judging/expected-code.ts";
import { attempt, codeIn, endedClients, obtainCode } from "../support/actors/authorization.ts";
import {
  authorizationRequest,
  codeExchange,
  postToken,
  refreshExchange,
  requireTokens,
} from "../support/actors/oauth-client.ts";
import { check, observe, recommend } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { expectNoRedirect } from "../support/judging/refusals.ts";
import { documentClient } from "../support/material/document-clients.ts";
import { NotApplicableError, type Warning, warning } from "../support/verdict.ts";
import { isSuccess, summary } from "../support/wire/exchange.ts";
import {
  answering,
  attemptOf,
  attemptRefused,
  documentText,
  expectCode,
  jsonType,
  requireCode,
  serveValid,
} from "./published-documents.ts";

const failuresNotKept = [
  { slug: "error", words: "an error (500)", first: answering(500, {}, "") },
  { slug: "invalid", words: "an invalid document", first: answering(200, jsonType, "{}") },
].map(({ slug, words, first }) =>
  recommend({
    id: `B-CIMD-07/${slug}`,
    claim: `A valid metadata document that follows ${words} at the same URL is accepted at once.`,
    needs: ["human"],
    unlockedBy: "client_metadata_listener",
    async act(target) {
      const document = await target.documents.serve(() => first);
      await attemptRefused(target.setup, document.url);
      document.serve(answering(200, jsonType, documentText(document.url)));
      return attemptOf(target, document.url);
    },
    assert: expectCode,
  }),
);

const changeNoticed = observe({
  id: "B-CIMD-10",
  // A server may bound the time in its cache from below, so that no answer is wrong.
  question: "Does a changed metadata document count at once, where the one before it had `max-age=0`?",
  needs: ["human"],
  unlockedBy: "client_metadata_listener",
  async act(target) {
    const headers = { "Cache-Control": "max-age=0" };
    const document = await serveValid(target, headers);
    requireCode(await attemptOf(target.setup, document.url));
    const moved = { redirect_uris: [new URL("moved/cb", document.url).href] };
    document.serve(answering(200, { ...jsonType, ...headers }, documentText(document.url, moved)));
    return attemptOf(target, document.url);
  },
  answer: (seen) => `a redirect_uri that it no longer lists: ${endInWords(seen)}`,
});

const removedUri = check({
  id: "CIMD-02/removed-uri",
  claim:
    "A `redirect_uri` that a metadata document no longer lists is refused without a redirect once the one that replaced it gets a code.",
  needs: ["human"],
  unlockedBy: "client_metadata_listener",
  async act(target) {
    const headers = { "Cache-Control": "max-age=0" };
    const document = await serveValid(target, headers);
    requireCode(await attemptOf(target.control, document.url));
    const moved = [new URL("moved/cb", document.url).href];
    document.serve(
      answering(200, { ...jsonType, ...headers }, documentText(document.url, { redirect_uris: moved })),
    );
    const after = { client_id: document.url, redirect_uris: moved };
    target.spend("grants");
    const { end } = await attempt(target.control, authorizationRequest(target, after));
    if (codeIn(end) === undefined)
      throw new NotApplicableError("the target goes on with the metadata document that it fetched before");
    const { parameters } = authorizationRequest(target, documentClient(document.url));
    const seen = await attempt(target, { client: after, parameters });
    return { seen, mayBeOfOtherNode: target.profile.nodes.count > 1 };
  },
  assert({ seen, mayBeOfOtherNode }): Warning | undefined {
    // How long a document is kept is left open, and each node may keep its own.
    if (mayBeOfOtherNode && codeIn(seen.end) !== undefined)
      return warning(
        "a redirect_uri that was removed still gets a code, perhaps at a node that keeps the document",
      );
    return explained("REDIR-01", () => expectNoRedirect(seen));
  },
});

const goneDocument = observe({
  id: "B-CIMD-12",
  question: "Does a client whose metadata document has disappeared still refresh its tokens?",
  needs: ["human"],
  unlockedBy: "client_metadata_listener",
  async act(target) {
    const document = await serveValid(target);
    const client = documentClient(document.url);
    const code = await obtainCode(target.setup, authorizationRequest(target, client));
    const exchange = await postToken(target.setup, codeExchange(code));
    const { refresh_token: token } = requireTokens(exchange, "a valid code exchange", "CIMD-03/code");
    target.note(endedClients, client.client_id);
    document.serve(answering(404, {}, ""));
    return postToken(target, refreshExchange(client, token));
  },
  answer: (exchange) => (isSuccess(exchange) ? "yes" : `no: ${summary(exchange)}`),
});

export const changingDocumentChecks = [...failuresNotKept, changeNoticed, removedUri, goneDocument];
