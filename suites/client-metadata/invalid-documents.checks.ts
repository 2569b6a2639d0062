import { endInWords } from "../support/judging/expected-code.ts";
import { Readable } from "node:stream";
import { check, observe, recommend } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { clientDocument } from "../support/material/document-clients.ts";
import type { Answer } from "../support/target/documents/place.ts";
import {
  answering,
  attemptOf,
  attemptRefused,
  type Changes,
  documentText,
  jsonType,
} from "./published-documents.ts";
import { expectNoClient } from "./url-clients.ts";

const unavailable = [
  { slug: "not-found", words: "is not found (404)", answer: answering(404, {}, "") },
  { slug: "server-error", words: "is answered with 500", answer: answering(500, {}, "") },
  {
    slug: "connection-closed",
    words: "is answered with a closed connection",
    answer: ((response) => void response.destroy()) satisfies Answer,
  },
].map(({ slug, words, answer }) =>
  check({
    id: `CIMD-05/${slug}`,
    claim: `A URL as \`client_id\` whose metadata document ${words} is refused without a redirect.`,
    unlockedBy: "client_metadata_listener",
    act: async (target) => attemptRefused(target, (await target.documents.serve(() => answer)).url),
    assert: expectNoClient,
  }),
);

interface InvalidDocument {
  readonly id: string;
  /** Reads after "A metadata document". */
  readonly words: string;
  readonly changes: (url: string) => Changes;
}

const invalid: readonly InvalidDocument[] = [
  { id: "B-CIMD-02/missing", words: "without `client_id`", changes: () => ({ client_id: undefined }) },
  {
    id: "B-CIMD-02/other",
    words: "with the `client_id` of another document",
    changes: () => ({ client_id: "https://other.example.test/client.json" }),
  },
  {
    id: "B-CIMD-02/trailing-slash",
    words: "whose `client_id` has one more slash than its URL",
    changes: (url) => ({ client_id: `${url}/` }),
  },
  {
    id: "B-CIMD-02/upper-case-host",
    words: "whose `client_id` is its URL with the host in upper case",
    changes: (url) => ({ client_id: withUpperCaseHost(url) }),
  },
  {
    id: "B-CIMD-02/array",
    words: "whose `client_id` is an array of its URL",
    changes: (url) => ({ client_id: [url] }),
  },
  ...["client_secret_post", "client_secret_basic", "client_secret_jwt"].map((method) => ({
    id: `B-CIMD-05/${method.replaceAll("_", "-")}`,
    words: `with the \`token_endpoint_auth_method\` \`${method}\``,
    changes: () => ({ token_endpoint_auth_method: method }),
  })),
  {
    id: "B-CIMD-05/secret",
    words: "with a `client_secret`",
    changes: () => ({ client_secret: "published-and-so-no-secret" }),
  },
  {
    id: "B-CIMD-05/secret-expiry",
    words: "with `client_secret_expires_at`",
    changes: () => ({ client_secret_expires_at: 0 }),
  },
  {
    id: "B-CIMD-09/missing",
    words: "without `redirect_uris`",
    changes: () => ({ redirect_uris: undefined }),
  },
  { id: "B-CIMD-09/empty", words: "with empty `redirect_uris`", changes: () => ({ redirect_uris: [] }) },
];

const refused = invalid.map(({ id, words, changes }) =>
  recommend({
    id,
    claim: `A metadata document ${words} is refused without a redirect.`,
    unlockedBy: "client_metadata",
    async act(target) {
      const url = await target.documents.publish((at) => ({ ...clientDocument(at), ...changes(at) }));
      return attemptRefused(target, url);
    },
    assert: expectNoClient,
  }),
);

interface OtherSpelling {
  readonly slug: string;
  /** Reads after "A URL". */
  readonly words: string;
  /** Leads to the same document. */
  readonly spelling: (url: string) => string;
}

const otherSpellings: readonly OtherSpelling[] = [
  { slug: "published-fragment", words: "with a fragment", spelling: (url) => `${url}#client` },
  {
    slug: "published-dot-segments",
    words: "with dot segments",
    spelling: (url) => url.replace(/\/([^/]+)$/u, "/clients/../$1"),
  },
];

const refusedUrls = otherSpellings.map(({ slug, words, spelling }) =>
  recommend({
    id: `B-CIMD-01/${slug}`,
    claim: `A URL ${words} as \`client_id\` is refused without a redirect, though its document names it.`,
    unlockedBy: "client_metadata",
    async act(target) {
      const url = await target.documents.publish((at) => ({
        ...clientDocument(at),
        client_id: spelling(at),
      }));
      return attemptRefused(target, spelling(url));
    },
    assert: expectNoClient,
  }),
);

function withUpperCaseHost(url: string): string {
  const { host } = new URL(url);
  return url.replace(host, host.toUpperCase());
}

interface RefusedAnswer {
  readonly id: string;
  /** Reads after "A metadata document". */
  readonly words: string;
  readonly answer: (url: string) => Answer;
}

const refusedAnswers: readonly RefusedAnswer[] = [
  ...[201, 206, 404, 500].map((status) => ({
    id: `B-CIMD-03/${status}`,
    words: `that comes with status ${status}`,
    answer: (url: string) => answering(status, jsonType, documentText(url)),
  })),
  {
    id: "B-CIMD-04/html",
    words: "that is an HTML page",
    answer: () => answering(200, { "Content-Type": "text/html" }, "<!doctype html><title>A client</title>"),
  },
  { id: "B-CIMD-04/broken", words: "that is broken JSON", answer: () => answering(200, jsonType, "{") },
  {
    id: "B-CIMD-04/array",
    words: "in an array",
    answer: (url) => answering(200, jsonType, `[${documentText(url)}]`),
  },
  {
    id: "B-CIMD-04/string",
    words: "in a string",
    answer: (url) => answering(200, jsonType, JSON.stringify(documentText(url))),
  },
  { id: "B-CIMD-04/empty", words: "that is empty", answer: () => answering(200, jsonType, "") },
  {
    id: "B-CIMD-08/50-mb",
    words: "of 50 MB",
    answer: (url) => (response) => {
      response.writeHead(200, jsonType);
      // A target that has read enough hangs up, which ends the response.
      Readable.from(longDocument(url, 50)).pipe(response);
    },
  },
];

function* longDocument(url: string, megabytes: number): Generator<string> {
  const [start] = documentText(url).split(/\}$/u);
  yield `${start},"filler":"`;
  for (let written = 0; written < megabytes; written += 1) yield "x".repeat(1_000_000);
  yield '"}';
}

const refusedByAnswer = refusedAnswers.map(({ id, words, answer }) =>
  recommend({
    id,
    claim: `A metadata document ${words} is refused without a redirect.`,
    unlockedBy: "client_metadata_listener",
    act: async (target) => attemptRefused(target, (await target.documents.serve(answer)).url),
    assert: expectNoClient,
  }),
);

const redirects = [301, 302, 307, 308].map((status) =>
  recommend({
    id: `B-CIMD-03/redirect-${status}`,
    claim: `A ${status} from the metadata document's URL is not followed, and the client is refused.`,
    unlockedBy: "client_metadata_listener",
    async act(target) {
      const moved = await target.documents.serve(() => answering(404, {}, ""));
      const document = await target.documents.serve(() => answering(status, { Location: moved.url }, ""));
      // Where it is followed, what is found there is valid.
      moved.serve(answering(200, jsonType, documentText(document.url)));
      const seen = await attemptRefused(target, document.url);
      return { seen, followed: moved.fetches() };
    },
    assert({ seen, followed }) {
      expectThat(followed === 0, "no request to where the redirect leads", "one", seen.first);
      return expectNoClient(seen);
    },
  }),
);

const plainText = observe({
  id: "B-CIMD-04/plain-text",
  question: "Is a metadata document accepted that is JSON with the media type `text/plain`?",
  needs: ["human"],
  unlockedBy: "client_metadata_listener",
  async act(target) {
    const document = await target.documents.serve((url) =>
      answering(200, { "Content-Type": "text/plain" }, documentText(url)),
    );
    return attemptOf(target, document.url);
  },
  answer: endInWords,
});

const sixKilobytes = observe({
  id: "B-CIMD-08/6-kb",
  question: "Is a metadata document of 6 kB accepted, more than the 5 kB that the draft recommends as limit?",
  needs: ["human"],
  unlockedBy: "client_metadata",
  async act(target) {
    const filler = "x".repeat(6000);
    return attemptOf(target, await target.documents.publish((url) => ({ ...clientDocument(url), filler })));
  },
  answer: endInWords,
});

export const invalidDocumentChecks = [
  ...unavailable,
  ...refused,
  ...refusedUrls,
  ...refusedByAnswer,
  ...redirects,
  plainText,
  sixKilobytes,
];
