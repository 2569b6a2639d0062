import { authorizationRequest } from "../support/actors/oauth-client.ts";
import {
  attempt,
  type Attempt,
  codeIn,
  responseParameter,
  responseParameters,
} from "../support/actors/authorization.ts";
import { check } from "../support/judging/check.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { summary } from "../support/wire/exchange.ts";
import { expectEqual, expectStringSet, expectThat, shown } from "../support/judging/expect.ts";
import { freshGrant, sharedAccessToken } from "../support/material/grants.ts";
import { bearer, inboxQuery, jsonContentType, postJmap } from "../support/actors/jmap.ts";
import { replacing, valueOf } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";
import { type Finding, observation, Violation } from "../support/verdict.ts";
import { approvedAttempt, successfulAttempt } from "./requests.ts";

/** The Location that carries the code. */
function expectCodeRedirect({ end }: Attempt): string {
  if (end.kind !== "redirect") throw new Violation("a redirect with a code", end.reason);
  if (codeIn(end) === undefined)
    throw new Violation("a redirect with a code", `error ${shown(responseParameter(end.location, "error"))}`);
  return end.location;
}

const shape = check({
  id: "AUTHZ-09",
  claim:
    "Success is a redirect to the registered redirect_uri whose query carries code, state and iss once each, no error and no token, and which has no fragment.",
  needs: ["human"],
  act: approvedAttempt,
  assert(seen) {
    const location = expectCodeRedirect(seen);
    const uri = valueOf(seen.parameters, "redirect_uri") ?? "";
    const begins = location.startsWith(`${uri}?`) || location.startsWith(`${uri}&`);
    expectThat(begins, `a Location that begins with ${uri}`, shown(location.split("?", 1)[0]));
    expectThat(!location.includes("#"), "no fragment", "one");
    const names = responseParameters(location).map(([name]) => name);
    for (const name of ["code", "state", "iss"])
      expectEqual(names.filter((it) => it === name).length, 1, `the number of parameters ${name}`);
    const foreign = names.filter((name) =>
      ["error", "access_token", "id_token", "token_type"].includes(name),
    );
    expectStringSet(foreign, [], "errors and tokens in the query");
    expectThat(responseParameter(location, "code") !== "", "a code", "an empty one");
  },
});

const states = [
  { slug: "one-character", state: "x", words: "of one character" },
  { slug: "512-characters", state: "Az09-_.~".repeat(64), words: "of 512 characters" },
  {
    slug: "reserved-characters",
    state: "a b&c=d%20+é/?#\"'<>\\",
    words: "of characters that URLs and HTML reserve",
  },
  { slug: "percent-encoded", state: "%2B+%20", words: "that looks percent-encoded already" },
  { slug: "json", state: '{"next":"/inbox?a=1&b=2","n":[1,null]}', words: "of JSON" },
  { slug: "emoji", state: "📬👩‍💻", words: "of emoji" },
  { slug: "base64", state: "c3RhdGU+L2E9PQ==", words: "in base64 with padding" },
  { slug: "surrounding-spaces", state: "  x  ", words: "with spaces around it" },
  { slug: "html-entity", state: "&amp;&lt;x&gt;", words: "that looks HTML-escaped already" },
].map(({ slug, state, words }) =>
  check({
    id: `AUTHZ-10/${slug}`,
    claim: `A state ${words} comes back unchanged.`,
    needs: ["human"],
    async act(target) {
      const client = await authorizingClient(target);
      target.spend("grants");
      return attempt(target, authorizationRequest(target, client, { state }));
    },
    assert: (seen) => expectEqual(responseParameter(expectCodeRedirect(seen), "state"), state, "state"),
  }),
);

const issuer = check({
  id: "AUTHZ-13/success",
  claim: "iss of the response equals {auth_url}.",
  needs: ["human"],
  act: successfulAttempt,
  assert: (seen) => expectEqual(responseParameter(expectCodeRedirect(seen), "iss"), seen.issuer, "iss"),
});

const foreignHost = "evil.example";

const spoofedHost = [
  { slug: "host", header: "Host" },
  { slug: "forwarded-host", header: "X-Forwarded-Host" },
].map(({ slug, header }) =>
  check({
    id: `AUTHZ-13/${slug}`,
    claim: `iss of the response equals {auth_url} when every request names another host in ${header}, if such requests are served at all.`,
    needs: ["human"],
    async act(target) {
      const client = await authorizingClient(target);
      target.spend("grants");
      return attempt(namingHost(target, header), authorizationRequest(target, client));
    },
    assert(seen): Finding | undefined {
      const { end } = seen;
      if (codeIn(end) === undefined || end.kind !== "redirect")
        return observation(`no code for requests with ${header}: ${foreignHost}: ${reasonOf(seen)}`);
      expectEqual(responseParameter(end.location, "iss"), seen.issuer, "iss");
      return undefined;
    },
  }),
);

/** The target, with a header of that name on all that is sent to the authorization server. */
function namingHost(target: Target, header: string): Target {
  return target.changing((outgoing) =>
    outgoing.url.startsWith(`${target.authUrl}/`)
      ? { ...outgoing, headers: [...(outgoing.headers ?? []), [header, foreignHost]] }
      : outgoing,
  );
}

function reasonOf({ end }: Attempt): string {
  if (end.kind === "answer") return end.reason;
  return `redirect with error ${shown(responseParameter(end.location, "error"))}`;
}

const narrowed = check({
  id: "AUTHZ-14",
  claim: "A person who is asked for both scopes can grant mail.read alone, and the token response says so.",
  needs: ["human"],
  act: (target) => freshGrant(target, { decision: "approve read-only" }),
  assert: ({ tokens }) =>
    expectStringSet(
      tokens.scope.split(" ").filter((name) => name !== ""),
      ["mail.read"],
      "scope",
    ),
});

const noDefaultInbox = check({
  id: "AUTHZ-15",
  claim:
    "What a JMAP request without the account header is answered, a default inbox having been chosen, is recorded.",
  needs: ["human"],
  act: async (target) =>
    postJmap(target, {
      headers: [bearer(await sharedAccessToken(target)), jsonContentType],
      body: inboxQuery,
    }),
  assert: (exchange) => observation(summary(exchange)),
});

const reusedChallenge = check({
  id: "B-AUTHZ-22",
  claim: "What becomes of a second request with the code_challenge of an earlier one is recorded.",
  needs: ["human"],
  async act(target) {
    const earlier = await successfulAttempt(target);
    const client = await authorizingClient(target);
    const challenge = valueOf(earlier.parameters, "code_challenge") ?? "";
    const { parameters } = authorizationRequest(target, client);
    target.spend("grants");
    return attempt(target, { client, parameters: replacing(parameters, "code_challenge", challenge) });
  },
  assert: (seen) => observation(codeIn(seen.end) === undefined ? reasonOf(seen) : "a code as well"),
});

export const responseChecks = [
  shape,
  ...states,
  issuer,
  ...spoofedHost,
  narrowed,
  noDefaultInbox,
  reusedChallenge,
];
