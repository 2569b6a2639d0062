import { endInWords } from "../support/judging/expected-code.ts";
import { attempt, type Attempt, codeIn } from "../support/actors/authorization.ts";
import { responseParameter } from "../support/actors/client-redirects.ts";
import { authorizationRequest, unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectNoServerError, expectThat, isRefusal, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import type { ClientKind } from "../support/material/clients.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { otherClients } from "../support/material/other-clients.ts";
import { undecodableText, withEscape, withUndecodable } from "../support/material/undecodable.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, Violation, type Warning, warning } from "../support/verdict.ts";
import { isHtml } from "../support/wire/exchange.ts";
import { expectCodeRedirect } from "./requests.ts";

interface State {
  readonly slug: string;
  readonly state: string;
  /** Reads after "A `state`". */
  readonly words: string;
}

// None is short: a least length is the target's own, and judged by itself.
const printableStates: readonly State[] = [
  { slug: "plain", state: "9f86d081884c7d659a2fea", words: "of 22 hexadecimal digits" },
  { slug: "number", state: "00012345678901234567890", words: "of digits that a number would not keep" },
  {
    slug: "reserved-characters",
    state: "a b&c=d%20+e/?#\"'<>\\|;,:!$()*@[]^`{}~",
    words: "of characters that URLs and HTML reserve",
  },
  {
    slug: "percent-encoded",
    state: "%2B+%20-of-mailproof-%2B+%20",
    words: "that looks percent-encoded already",
  },
  { slug: "json", state: '{"next":"/inbox?a=1&b=2","n":[1,null]}', words: "that is JSON" },
  { slug: "base64", state: "c3RhdGU+IG9mIG1haWxwcm9vZi9hPQ==", words: "in base64 with padding" },
  { slug: "surrounding-spaces", state: "  state of mailproof  ", words: "with leading and trailing spaces" },
  { slug: "html-entity", state: "&amp;&lt;state-of-mailproof&gt;", words: "that looks HTML-escaped already" },
];

const printable = printableStates.map(({ slug, state, words }) =>
  check({
    id: `AUTHZ-10/${slug}`,
    claim: `A \`state\` ${words} is returned unchanged.`,
    needs: ["human"],
    act: (target) => attemptWith(target, state),
    assert: (seen) => expectReturned(seen, state),
  }),
);

// Each kind of client may have a branch of its own.
const ofOtherClients = [
  { client: "confidential" as const, words: "a confidential client", unlockedBy: undefined },
  ...otherClients,
].flatMap(({ client, words: whose, unlockedBy }) =>
  printableStates
    .filter(({ slug }) => slug === "reserved-characters")
    .map(({ slug, state, words }) =>
      check({
        id: `AUTHZ-10/${client}-${slug}`,
        claim: `A \`state\` ${words} is returned unchanged to ${whose}.`,
        needs: ["human"],
        ...(unlockedBy !== undefined && { unlockedBy }),
        act: (target) => attemptWith(target, state, client),
        assert: (seen) => explained(`AUTHZ-10/${slug}`, () => expectReturned(seen, state)),
      }),
    ),
);

// The document names no least and no greatest length; a limit is the target's own (C-90), and RFC 6749 §10.12 wants none to be
// guessed.
const lengths = [
  { slug: "one-character", state: "x", words: "of one character" },
  { slug: "zero", state: "0", words: "that some languages take for nothing, `0`," },
  { slug: "word", state: "null", words: "that some languages take for nothing, `null`," },
  { slug: "512-characters", state: "Az09-_.~".repeat(64), words: "of 512 characters" },
].map(({ slug, state, words }) =>
  check({
    id: `AUTHZ-10/${slug}`,
    claim: `A \`state\` ${words} is returned unchanged, or the request is refused, with a warning.`,
    needs: ["human"],
    act: (target) => attemptWith(target, state),
    assert(seen): Warning | undefined {
      if (isRefused(seen)) return warning(`a state ${words} is refused: ${endInWords(seen)}`);
      expectReturned(seen, state);
      return undefined;
    },
  }),
);

// RFC 6749 Appendix A.5 allows printable ASCII alone, so that a target may refuse them.
const otherAlphabets = [
  { slug: "emoji", state: "📬👩‍💻 state of mailproof", words: "with emoji" },
  {
    slug: "decomposed",
    state: "e\u0301 A\u030A state of mailproof",
    words: "with letters and combining accents",
  },
].map(({ slug, state, words }) =>
  check({
    id: `AUTHZ-10/${slug}`,
    claim: `A \`state\` ${words} is returned unchanged, or the request is refused.`,
    needs: ["human"],
    act: (target) => attemptWith(target, state),
    assert(seen) {
      if (!isRefused(seen)) expectReturned(seen, state);
    },
  }),
);

async function attemptWith(target: Target, state: string, kind: ClientKind = "public"): Promise<Attempt> {
  const client = await authorizingClient(target, kind);
  target.spend("grants");
  return attempt(target, authorizationRequest(target, client, { state }));
}

function isRefused({ end }: Attempt): boolean {
  return end.kind === "redirect"
    ? responseParameter(end.location, "error") !== undefined
    : isRefusal(end.exchange);
}

/** @throws {InconclusiveError} precondition-missing, when a firewall may have refused the characters of the state (C-90) */
function expectReturned(seen: Attempt, state: string): void {
  const { end, interaction } = seen;
  if (end.kind === "answer" && !interaction && end.exchange.response.status === 403 && isHtml(end.exchange))
    throw new InconclusiveError(
      "precondition-missing",
      `a page with 403 in place of the target's answer: a firewall in front of it may refuse ${shown(state)}`,
      { exchange: end.exchange },
    );
  const { location, exchange } = expectCodeRedirect(seen);
  const returned = responseParameter(location, "state");
  if (returned === state) return;
  throw new Violation(`state ${shown(state)}`, shown(returned), {
    exchange,
    // Where no state comes back at all, its characters were not the reason.
    ...((returned === undefined || returned === "") && { explainedBy: "AUTHZ-10/plain" }),
  });
}

/**
 * Texts behind a first part that decoders of forms keep. Encoders of forms escape them (RFC 6749 Appendix B), and a client
 * that puts its query together by hand may not.
 */
const literalStates = [
  { slug: "raw-equals-signs", behind: "==", words: "that ends in two equals signs as they are" },
  { slug: "raw-semicolon", behind: ";x=1", words: "with a semicolon as it is" },
  { slug: "raw-question-mark", behind: "?x=1/2", words: "with a question mark and a slash as they are" },
].map(({ slug, behind, words }) =>
  check({
    id: `AUTHZ-10/${slug}`,
    claim: `A \`state\` ${words} in the query is returned unchanged, or the request is refused below 500.`,
    needs: ["human"],
    async act(target) {
      const client = await authorizingClient(target);
      target.spend("grants");
      const request = authorizationRequest(target, client, { state: undecodableText });
      return attempt(withUndecodable(target, behind), request);
    },
    assert({ end }): Warning | undefined {
      expectNoServerError(end.exchange);
      if (end.kind !== "redirect" || codeIn(end) === undefined) return undefined;
      const returned = responseParameter(end.location, "state");
      const expected = withEscape(undecodableText, behind);
      return returned === expected
        ? undefined
        : warning(`state ${shown(expected)} is returned as ${shown(returned)}`);
    },
  }),
);

const controlCharacters = [
  { slug: "line-feed", state: "one\ntwo", words: "with a line feed" },
  // A text ends there in C, and PostgreSQL takes none.
  { slug: "nul", state: "one\0two", words: "with a NUL" },
].map(({ slug, state, words }) =>
  check({
    id: `AUTHZ-10/${slug}`,
    claim: `A \`state\` ${words} is returned unchanged, or the request is refused below 500.`,
    needs: ["human"],
    act: (target) => attemptWith(target, state),
    assert({ end }): Warning | undefined {
      expectNoServerError(end.exchange);
      if (end.kind !== "redirect" || codeIn(end) === undefined) return undefined;
      const returned = responseParameter(end.location, "state");
      // RFC 6749 Appendix A.5 allows printable ASCII alone, so that what a target makes of the character is its own.
      if (returned === state) return undefined;
      return warning(`state ${JSON.stringify(state)} is returned as ${shown(returned)}`);
    },
  }),
);

const longState = check({
  id: "AUTHZ-10/2000-characters",
  claim: "A `state` of 2,000 characters is returned unchanged.",
  needs: ["human"],
  async act(target) {
    const state = `${"Az09-_.~".repeat(249)}-the-end`;
    return { state, seen: await attemptWith(target, state) };
  },
  assert({ state, seen }): Warning | undefined {
    // A limit is the target's own (C-90); a part of the state is not what the client sent.
    // Some servers have 404 for a query that is too long.
    const isTooLong = seen.end.kind === "answer" && seen.end.exchange.response.status === 404;
    if (isTooLong || isRefused(seen)) return warning(`a state of ${state.length} characters is refused`);
    const { location, exchange } = expectCodeRedirect(seen);
    const returned = responseParameter(location, "state") ?? "";
    const observed = `${returned.length} characters`;
    explained("AUTHZ-10/512-characters", () =>
      expectThat(returned === state, `the ${state.length} characters that were sent`, observed, exchange),
    );
    return undefined;
  },
});

/** The bytes of `state` in the query of an authorization response, as lower-case hexadecimal. */
function stateBytes(location: string): string | undefined {
  const encoded = /[?&]state=([^&#]*)/u.exec(location)?.[1];
  const bytes = encoded
    ?.replaceAll("+", " ")
    .replaceAll(/%([0-9a-f]{2})/giu, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
  return bytes === undefined ? undefined : Buffer.from(bytes, "latin1").toString("hex");
}

const undecodableState = check({
  id: "AUTHZ-10/undecodable",
  claim:
    "A `state` with a byte that is not UTF-8 (%FF) is returned with all that comes before it, or the request is refused below 500.",
  needs: ["human"],
  async act(target) {
    const client = await authorizingClient(target);
    const state = unguessable();
    target.spend("grants");
    const request = authorizationRequest(target, client, { state: `${state}${undecodableText}` });
    return { state, seen: await attempt(withUndecodable(target), request) };
  },
  assert({ state, seen: { end } }) {
    expectNoServerError(end.exchange);
    if (end.kind !== "redirect" || codeIn(end) === undefined) return;
    const returned = stateBytes(end.location);
    // RFC 6749 Appendix A.5 allows printable ASCII alone, so that what a target makes of the byte is its own.
    if (returned?.startsWith(Buffer.from(`${state}mailproof`).toString("hex"))) return;
    throw new Violation("the state that was sent", shown(returned), {
      exchange: end.exchange,
      explainedBy: "AUTHZ-10/plain",
    });
  },
});

export const stateChecks = [
  ...printable,
  ...ofOtherClients,
  ...lengths,
  ...otherAlphabets,
  ...literalStates,
  ...controlCharacters,
  longState,
  undecodableState,
];
