import { postToken, refreshExchange, type Tokens } from "../support/actors/oauth-client.ts";
import { responseParameter } from "../support/actors/authorization.ts";
import { check } from "../support/judging/check.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import {
  expectEqual,
  expectNoTokens,
  expectThat,
  expectTokenRefused,
  shown,
} from "../support/judging/expect.ts";
import {
  freshGrant,
  type Grant,
  type GrantSpec,
  refreshed,
  sharedGrant,
} from "../support/material/grants.ts";
import { jmapAs, jmapBody, type MethodCall } from "../support/actors/jmap.ts";
import { adding } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";
import { type Finding, InconclusiveError, Violation, warning } from "../support/verdict.ts";
import { expectSendRefused, readOnlyTrial, type SendAttempt, trySending } from "./send-attempts.ts";
import { askingFor, type Outcome } from "./requests.ts";
import { sendCall } from "./submissions.ts";
import { scopesIn } from "./tokens.ts";

/** @throws {Violation} when the request was refused, or led to no tokens */
function scopeGranted({ seen: { end }, exchange }: Outcome): string {
  if (exchange === undefined) {
    const observed =
      end.kind === "redirect"
        ? `a redirect with error ${shown(responseParameter(end.location, "error"))}`
        : end.reason;
    throw new Violation("a code", observed);
  }
  const { scope } = jsonMembers(exchange);
  if (!isSuccess(exchange) || typeof scope !== "string")
    throw new Violation("a token response with scope", `${summary(exchange)} with scope ${shown(scope)}`);
  return scope;
}

const readOnly = check({
  id: "SCOPE-02",
  claim: "A request for mail.read alone is granted mail.read and nothing else.",
  needs: ["human"],
  act: async (target) => askingFor(target, "mail.read"),
  assert: (outcome) => expectEqual(scopeGranted(outcome), "mail.read", "scope"),
});

const sendOnly = check({
  id: "SCOPE-03",
  claim: "A request for mail.send alone is granted mail.send.",
  needs: ["human"],
  act: async (target) => askingFor(target, "mail.send"),
  assert(outcome): Finding | undefined {
    const scope = scopeGranted(outcome);
    const granted = scopesIn(scope);
    const isWhole = granted.length > 0 && granted.every((name) => name === "mail.send");
    if (isWhole) return undefined;
    if (granted.toSorted().join(" ") === "mail.read mail.send")
      return warning("mail.read is granted besides, which was not asked for");
    throw new Violation("scope mail.send", shown(scope));
  },
});

const anyOrder = check({
  id: "SCOPE-04",
  claim: "Both scopes are granted as the same set in whichever order they are asked for.",
  needs: ["human"],
  act: async (target) => [
    await askingFor(target, "mail.read mail.send"),
    await askingFor(target, "mail.send mail.read"),
  ],
  assert(outcomes) {
    for (const outcome of outcomes)
      expectEqual(
        scopesIn(scopeGranted(outcome)).toSorted().join(" "),
        "mail.read mail.send",
        "the set of scopes",
      );
  },
});

const requests: readonly { slug: string; words: string; spec: GrantSpec; requested: readonly string[] }[] = [
  { slug: "mail-read", words: "mail.read", spec: { scope: "mail.read" }, requested: ["mail.read"] },
  { slug: "both", words: "both scopes", spec: {}, requested: ["mail.read", "mail.send"] },
];

const form = requests.map(({ slug, words, spec, requested }) =>
  check({
    id: `SCOPE-05/${slug}`,
    claim: `For a request for ${words}, scope in the token response is space separated, without repetition, and holds nothing else.`,
    needs: ["human"],
    act: async (target) => (await sharedGrant(target, spec)).response,
    assert(exchange) {
      const { scope } = jsonMembers(exchange);
      const granted = typeof scope === "string" ? scope.split(" ") : [];
      const isSubset = granted.length > 0 && granted.every((name) => requested.includes(name));
      expectThat(
        isSubset && new Set(granted).size === granted.length,
        `scope among ${requested.join(" ")}`,
        shown(scope),
      );
    },
  }),
);

/** A grant that the person narrowed to read-only although both scopes were asked for. */
const narrowed: GrantSpec = { decision: "approve read-only" };

const narrowedResponse = check({
  id: "SCOPE-06/response",
  claim:
    "When the person narrows a request for both scopes to read-only, scope in the token response is mail.read.",
  needs: ["human"],
  act: async (target) => (await sharedGrant(target, narrowed)).response,
  assert: (exchange) => expectEqual(jsonMembers(exchange)["scope"], "mail.read", "scope"),
});

const narrowedSend = check({
  id: "SCOPE-06/send",
  claim:
    "A send with a token of a grant that was narrowed to read-only is refused with 403 insufficient_scope.",
  needs: ["human"],
  act: async (target) => trySendingWith(target, (await sharedGrant(target, narrowed)).tokens),
  assert: expectSendRefused,
});

const narrowedRefresh = check({
  id: "SCOPE-06/refresh",
  claim: "A grant that was narrowed to read-only is refreshed to mail.read, and its new token sends nothing.",
  needs: ["human"],
  async act(target): Promise<Refreshed> {
    const { response, tokens } = await refreshed(target, await freshGrant(target, narrowed));
    return { response, send: await trySendingWith(target, tokens) };
  },
  assert: expectReadOnlyAgain,
});

interface Refreshed {
  readonly response: Exchange;
  /** With the new access token, where one was issued. */
  readonly send: SendAttempt | undefined;
}

function expectReadOnlyAgain({ response, send }: Refreshed): void {
  expectEqual(jsonMembers(response)["scope"], "mail.read", "scope");
  if (send !== undefined) expectSendRefused(send);
}

async function trySendingWith(target: Target, { access_token: token }: Tokens): Promise<SendAttempt> {
  const trial = await readOnlyTrial(target);
  const { accountId } = trial.route.from;
  const request = (call: MethodCall) => jmapAs(target, token, accountId, jmapBody([call]));
  return trySending(target, { ...trial, token, request, send: sendCall(trial.message) });
}

/** @throws {InconclusiveError} control-refused, when the grant is not read-only in the first place */
async function readOnlyGrant(target: Target): Promise<Grant> {
  const grant = await freshGrant(target, { scope: "mail.read" });
  if (grant.tokens.scope === "mail.read") return grant;
  throw new InconclusiveError(
    "control-refused",
    `a grant with the scope mail.read: the token response says ${JSON.stringify(grant.tokens.scope)}`,
  );
}

const plainRefresh = check({
  id: "SCOPE-27/plain",
  claim: "A mail.read grant is refreshed to mail.read twice, and the newest token sends nothing.",
  needs: ["human"],
  async act(target): Promise<Refreshed> {
    const once = await refreshed(target, await readOnlyGrant(target));
    const { response, tokens } = await refreshed(target, once);
    return { response, send: await trySendingWith(target, tokens) };
  },
  assert: expectReadOnlyAgain,
});

const wider = [
  { slug: "both", scope: "mail.read mail.send" },
  { slug: "send", scope: "mail.send" },
].map(({ slug, scope }) =>
  check({
    id: `SCOPE-27/asking-for-${slug}`,
    claim: `A mail.read grant refreshed with the scope ${scope} is refused with 400 invalid_scope, or gains nothing.`,
    needs: ["human"],
    async act(target): Promise<Refreshed> {
      const { client, tokens } = await refreshed(target, await readOnlyGrant(target));
      const fields = adding(refreshExchange(client, tokens.refresh_token), ["scope", scope]);
      const response = await postToken(target, fields);
      const { access_token: token } = jsonMembers(response);
      const send =
        typeof token === "string"
          ? await trySendingWith(target, { ...tokens, access_token: token })
          : undefined;
      return { response, send };
    },
    assert(evidence) {
      if (isSuccess(evidence.response)) return expectReadOnlyAgain(evidence);
      expectNoTokens(evidence.response);
      return expectTokenRefused(evidence.response, ["invalid_scope"]);
    },
  }),
);

export const grantedScopeChecks = [
  readOnly,
  sendOnly,
  anyOrder,
  ...form,
  narrowedResponse,
  narrowedSend,
  narrowedRefresh,
  plainRefresh,
  ...wider,
];
