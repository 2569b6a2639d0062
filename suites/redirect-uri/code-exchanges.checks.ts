import {
  type AuthorizationCode,
  codeExchange,
  postToken,
  registeredRedirectUri,
} from "../support/actors/oauth-client.ts";
import { type Check, check } from "../support/judging/check.ts";
import { codeSpans } from "../support/judging/code-spans.ts";
import { requireRegistered, sharedClient } from "../support/material/clients.ts";
import { redirectUris } from "../support/material/registrations.ts";
import { redeemableCode } from "../support/material/controls.ts";
import { jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectThat, expectTokenRefused } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { freshCode } from "../support/material/grants.ts";
import { BlockedError } from "../support/verdict.ts";
import { type Parameters, replacing, valueOf, without } from "../support/wire/parameters.ts";
import { pieces } from "./near-miss.ts";

/** One flaw in the `redirect_uri` of an otherwise valid code exchange. */
interface Flaw {
  readonly id: string;
  /** Reads after "A code exchange". */
  readonly words: string;
  readonly apply: (fields: Parameters, code: AuthorizationCode) => Parameters;
  readonly errors: readonly string[];
}

const sending =
  (spelling: (uri: string) => string): Flaw["apply"] =>
  (fields, code) =>
    replacing(fields, "redirect_uri", spelling(code.redirect_uri));

const escaped = (letter: string): string => `%${letter.charCodeAt(0).toString(16)}`;

const flaws: readonly Flaw[] = [
  {
    id: "REDIR-29/slash-added",
    words: "with a trailing slash added to its `redirect_uri`",
    apply: sending((uri) => `${uri}/`),
    errors: ["invalid_grant"],
  },
  {
    id: "REDIR-29/query-added",
    words: "with a query added to its `redirect_uri`",
    apply: sending((uri) => `${uri}?x=1`),
    errors: ["invalid_grant"],
  },
  {
    id: "REDIR-29/upper-case-host",
    words: "with the host of its `redirect_uri` in upper case",
    apply: sending((uri) => uri.replace(pieces(uri).host, (host) => host.toUpperCase())),
    errors: ["invalid_grant"],
  },
  {
    id: "REDIR-29/upper-case-path",
    words: "with the path of its `redirect_uri` in upper case",
    apply: sending((uri) => uri.replace(pieces(uri).path, (path) => path.toUpperCase())),
    errors: ["invalid_grant"],
  },
  {
    id: "REDIR-29/trailing-space",
    words: "with a trailing space in its `redirect_uri`",
    apply: sending((uri) => `${uri} `),
    errors: ["invalid_grant"],
  },
  {
    id: "REDIR-29/encoded-twice",
    words: "with its `redirect_uri` percent-encoded twice",
    apply: sending((uri) => encodeURIComponent(uri)),
    // It is not a URI, and so malformed to a server that parses it (RFC 6749 §5.2).
    errors: ["invalid_grant", "invalid_request"],
  },
  {
    id: "REDIR-29/letter-encoded",
    words: "with a letter in the path of its `redirect_uri` percent-encoded",
    apply: sending((uri) => uri.replace(pieces(uri).path, (path) => path.replace(/[a-z]/iu, escaped))),
    errors: ["invalid_grant"],
  },
  {
    id: "REDIR-29/foreign",
    words: "with a foreign `redirect_uri`",
    apply: sending(() => "https://evil.test/"),
    errors: ["invalid_grant"],
  },
  {
    id: "REDIR-31/missing",
    words: "without `redirect_uri`",
    apply: (fields) => without(fields, "redirect_uri"),
    errors: ["invalid_grant", "invalid_request"],
  },
  {
    id: "REDIR-31/empty",
    words: "with an empty `redirect_uri`",
    apply: sending(() => ""),
    errors: ["invalid_grant", "invalid_request"],
  },
];

const mismatches = flaws.map(({ id, words, apply, errors }) =>
  check({
    id,
    claim: `A code exchange ${words} is refused with ${codeSpans(errors)}.`,
    needs: ["human"],
    async act(target) {
      const code = await redeemableCode(target);
      const fields = apply(codeExchange(code), code);
      if (valueOf(fields, "redirect_uri") === code.redirect_uri)
        throw new BlockedError(
          `needs a redirect_uri that can be varied in this way; ${code.redirect_uri} is the same afterwards`,
        );
      return postToken(target, fields);
    },
    assert: (exchange) => expectTokenRefused(exchange, errors),
  }),
);

const onlyOne = check({
  id: "REDIR-31/one-registered",
  claim:
    "A code exchange without `redirect_uri` by a client with a single one is refused with `invalid_grant` or `invalid_request`.",
  needs: ["human"],
  async act(target) {
    const code = await redeemableCode(target, { client: "other" });
    return postToken(target, without(codeExchange(code), "redirect_uri"));
  },
  assert: (exchange) =>
    explained("REDIR-31/missing", () => expectTokenRefused(exchange, ["invalid_grant", "invalid_request"])),
});

const otherThanSingle = check({
  id: "REDIR-30/one-registered",
  claim:
    "A code exchange with another `redirect_uri` than the single one of its client is refused with `invalid_grant`.",
  needs: ["human"],
  async act(target) {
    const code = await redeemableCode(target, { client: "other" });
    return postToken(target, replacing(codeExchange(code), "redirect_uri", `${code.redirect_uri}/other`));
  },
  assert: (exchange) => explained("REDIR-29/foreign", () => expectTokenRefused(exchange, ["invalid_grant"])),
});

const otherRegistered = check({
  id: "REDIR-30",
  claim:
    "A code exchange with another registered `redirect_uri` of the same client is refused with `invalid_grant`.",
  needs: ["human"],
  async act(target) {
    const client = await sharedClient(target, "public");
    const other = requireRegistered(client, redirectUris.withQuery);
    const code = await redeemableCode(target, { redirect_uri: registeredRedirectUri(client) });
    return postToken(target, replacing(codeExchange(code), "redirect_uri", other));
  },
  assert: (exchange) => expectTokenRefused(exchange, ["invalid_grant"]),
});

const secondAttempt = check({
  id: "REDIR-30/second-attempt",
  claim:
    "After an attempt with another registered `redirect_uri`, a second one with it is refused with `invalid_grant` too.",
  needs: ["human"],
  async act(target) {
    const client = await sharedClient(target, "public");
    const other = requireRegistered(client, redirectUris.withQuery);
    const code = await redeemableCode(target, { redirect_uri: registeredRedirectUri(client) });
    const fields = replacing(codeExchange(code), "redirect_uri", other);
    await postToken(target.setup, fields);
    return postToken(target, fields);
  },
  assert: (exchange) => explained("REDIR-30", () => expectTokenRefused(exchange, ["invalid_grant"])),
});

const withQuery = check({
  id: "REDIR-32",
  claim: "A code for a `redirect_uri` with a query is redeemed with exactly that value.",
  needs: ["human"],
  async act(target) {
    const uri = requireRegistered(await sharedClient(target, "public"), redirectUris.withQuery);
    return postToken(target, codeExchange(await freshCode(target, { redirect_uri: uri })));
  },
  assert(exchange) {
    const { access_token: token } = jsonMembers(exchange);
    expectThat(
      exchange.response.status === 200 && typeof token === "string",
      "200 with access_token",
      summary(exchange),
      exchange,
    );
  },
});

export const codeExchangeChecks: readonly Check[] = [
  ...mismatches,
  onlyOne,
  otherThanSingle,
  otherRegistered,
  secondAttempt,
  withQuery,
];
