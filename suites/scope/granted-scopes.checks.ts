import {
  agentResource,
  codeExchange,
  mcpResource,
  postToken,
  refreshExchange,
  requireTokens,
  type Tokens,
} from "../support/actors/oauth-client.ts";
import { redeemableCode } from "../support/material/controls.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { explained } from "../support/judging/explained.ts";
import { check } from "../support/judging/check.ts";
import { isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectThat, expectTokenRefused, isRefusal, shown } from "../support/judging/expect.ts";
import {
  freshGrant,
  type Grant,
  type GrantSpec,
  refreshed,
  sharedGrant,
} from "../support/material/grants.ts";
import { expectAuthorizationRefused } from "../support/judging/refusals.ts";
import { adding } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";
import { type Warning, Violation, warning } from "../support/verdict.ts";
import { askingFor, expectGranted, grantFor } from "./authorizations.ts";
import {
  expectReadOnlyAgain,
  expectReadOnlyScope,
  type Refreshed,
  triedAfter,
  trySendingWith,
} from "./read-only-again.ts";
import { requireReadOnly } from "./scoped-tokens.ts";
import { expectSendRefused } from "./send-attempts.ts";

const readOnly = check({
  id: "SCOPE-02",
  claim: "A request for `mail.read` alone is granted `mail.read` and nothing else.",
  needs: ["human"],
  act: async (target) => grantFor(target, "mail.read"),
  assert(grant) {
    const granted = expectGranted(grant);
    expectThat(granted.join() === "mail.read", "scope mail.read", shown(granted.join(" ")), grant.exchange);
  },
});

const sendOnly = check({
  id: "SCOPE-03",
  claim: "A request for `mail.send` alone is granted `mail.send`.",
  needs: ["human"],
  act: async (target) => grantFor(target, "mail.send"),
  assert(grant): Warning | undefined {
    const granted = expectGranted(grant).toSorted().join(" ");
    if (granted === "mail.send") return undefined;
    // C-64.
    if (granted === "mail.read mail.send")
      return warning("mail.read is granted too, which was not requested");
    throw new Violation("scope mail.send", shown(granted), { exchange: grant.exchange });
  },
});

const anyOrder = check({
  id: "SCOPE-04",
  claim: "A request for both scopes is granted both, in whichever order it names them.",
  needs: ["human"],
  act: async (target) => [
    await grantFor(target, "mail.read mail.send"),
    await grantFor(target, "mail.send mail.read"),
  ],
  assert(grants) {
    for (const grant of grants) {
      const granted = expectGranted(grant).toSorted().join(" ");
      expectThat(granted === "mail.read mail.send", "both scopes", shown(granted), grant.exchange);
    }
  },
});

const requests: readonly { slug: string; words: string; spec: GrantSpec; requested: readonly string[] }[] = [
  { slug: "mail-read", words: "`mail.read`", spec: { scope: "mail.read" }, requested: ["mail.read"] },
  { slug: "both", words: "both scopes", spec: {}, requested: ["mail.read", "mail.send"] },
];

const form = requests.map(({ slug, words, spec, requested }) =>
  check({
    id: `SCOPE-05/${slug}`,
    claim: `\`scope\` of the token response to a request for ${words} is a space-separated subset of it, without repetition.`,
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
        exchange,
      );
    },
  }),
);

const repeated = check({
  id: "SCOPE-05/repeated",
  claim: "A request that names `mail.read` twice is refused, or granted `mail.read` alone.",
  needs: ["human"],
  act: async (target) => askingFor(target, "mail.read mail.read"),
  assert({ seen, exchange }) {
    if (exchange === undefined) return expectAuthorizationRefused(seen, ["invalid_scope", "invalid_request"]);
    const granted = isSuccess(exchange) ? expectGranted({ exchange, refusal: undefined }) : [];
    const isRefused = isRefusal(exchange);
    expectThat(
      isRefused || (granted.length > 0 && granted.every((name) => name === "mail.read")),
      "a refusal, or mail.read alone",
      isSuccess(exchange) ? shown(granted.join(" ")) : summary(exchange),
      exchange,
    );
    return undefined;
  },
});

/** A grant that the person narrowed to read-only although both scopes were asked for. */
const narrowed: GrantSpec = { decision: "approve read-only" };

const narrowedResponse = check({
  id: "SCOPE-06/response",
  claim:
    "When the person narrows a request for both scopes to read-only, the token response says `mail.read`.",
  needs: ["human"],
  act: async (target) => (await sharedGrant(target, narrowed)).response,
  assert: expectReadOnlyScope,
});

const narrowedByOther = check({
  id: "SCOPE-06/second-person",
  claim:
    "When another person narrows a request for both scopes to read-only, the token response says `mail.read`.",
  needs: ["human", "second-human"],
  act: async (target) => (await sharedGrant(target, { ...narrowed, human: "second" })).response,
  assert: (response) => explained("SCOPE-06/response", () => expectReadOnlyScope(response)),
});

const narrowedSend = check({
  id: "SCOPE-06/send",
  claim: "A send with a token of a grant narrowed to read-only is refused with `insufficient_scope`.",
  needs: ["human"],
  act: async (target) => trySendingWith(target, (await sharedGrant(target, narrowed)).tokens),
  assert: expectSendRefused,
});

const narrowedRefresh = check({
  id: "SCOPE-06/refresh",
  claim: "A refresh of a grant narrowed to read-only says `mail.read`, and its new token sends nothing.",
  needs: ["human"],
  async act(target): Promise<Refreshed> {
    const { response, tokens } = await refreshed(target, await freshGrant(target, narrowed));
    return { response, send: await trySendingWith(target, tokens) };
  },
  assert: expectReadOnlyAgain,
});

async function readOnlyGrant(target: Target): Promise<Grant> {
  return requireReadOnly(await freshGrant(target, { scope: "mail.read" }));
}

async function refreshedAsControl(
  target: Target,
  { client, tokens }: Pick<Grant, "client" | "tokens">,
): Promise<Tokens> {
  const control = await postToken(target.control, refreshExchange(client, tokens.refresh_token));
  return requireTokens(control, "the same refresh without scope", "REFRESH-01");
}

const askedAtExchange = [
  {
    id: "SCOPE-25/code-exchange",
    words: "A code of `mail.read`",
    spec: { scope: "mail.read" },
    likewise: "SCOPE-02",
  },
  {
    id: "SCOPE-06/exchange-asking-for-both",
    words: "The code of a grant narrowed to read-only",
    spec: narrowed,
    likewise: "SCOPE-25/code-exchange",
  },
].map(({ id, words, spec, likewise }) =>
  check({
    id,
    claim: `${words} that is exchanged with both scopes in \`scope\` gives \`mail.read\` alone, or nothing.`,
    needs: ["human"],
    async act(target) {
      const code = await redeemableCode(target, spec);
      const asking = adding(codeExchange(code), ["scope", "mail.read mail.send"]);
      return triedAfter(target, await postToken(target, asking));
    },
    assert(tried) {
      const { response } = tried;
      if (isSuccess(response)) explained(likewise, () => expectReadOnlyAgain(tried));
      else expectTokenRefused(response, ["invalid_scope", "invalid_request", "invalid_grant"]);
    },
  }),
);

const plainRefresh = check({
  id: "SCOPE-27/plain",
  claim: "A `mail.read` grant that is refreshed twice stays `mail.read`, and its newest token sends nothing.",
  needs: ["human"],
  async act(target): Promise<Refreshed> {
    const once = await refreshed(target, await readOnlyGrant(target));
    const { response, tokens } = await refreshed(target, once);
    return { response, send: await trySendingWith(target, tokens) };
  },
  assert: expectReadOnlyAgain,
});

const manyRefreshes = 5;

const oftenRefreshed = check({
  id: "SCOPE-27/fifth-refresh",
  claim: `A \`mail.read\` grant that is refreshed ${manyRefreshes} times stays \`mail.read\`, and its newest token sends nothing.`,
  needs: ["human"],
  async act(target) {
    let grant = await readOnlyGrant(target);
    for (let refreshes = 0; refreshes < manyRefreshes; refreshes += 1) grant = await refreshed(target, grant);
    return triedAfter(target, grant.response);
  },
  assert: (tried) => explained("SCOPE-27/plain", () => expectReadOnlyAgain(tried)),
});

// The document's refresh has no scope: a target may refuse the parameter itself.
const refusedScopes = ["invalid_scope", "invalid_request"];

const wider = [
  {
    id: "SCOPE-27/asking-for-both",
    words: "a `mail.read` grant that asks for both scopes",
    grant: readOnlyGrant,
    scope: "mail.read mail.send",
  },
  {
    id: "SCOPE-27/asking-for-send",
    words: "a `mail.read` grant that asks for `mail.send`",
    grant: readOnlyGrant,
    scope: "mail.send",
  },
  {
    id: "SCOPE-06/refresh-asking-for-both",
    words: "a grant narrowed to read-only that asks for both scopes",
    grant: async (target: Target) => requireReadOnly(await freshGrant(target, narrowed)),
    scope: "mail.read mail.send",
  },
].map(({ id, words, grant, scope }) =>
  check({
    id,
    claim: `A refresh of ${words} is refused, or grants no further scope.`,
    needs: ["human"],
    async act(target): Promise<Refreshed> {
      const { client, tokens } = await grant(target);
      const current = await refreshedAsControl(target, { client, tokens });
      const fields = adding(refreshExchange(client, current.refresh_token), ["scope", scope]);
      return triedAfter(target, await postToken(target, fields));
    },
    assert(evidence) {
      if (isSuccess(evidence.response)) return expectReadOnlyAgain(evidence);
      return expectTokenRefused(evidence.response, refusedScopes);
    },
  }),
);

interface OtherGrant {
  readonly slug: string;
  readonly words: string;
  readonly spec: (target: Target) => GrantSpec | Promise<GrantSpec>;
}

const otherGrants: readonly OtherGrant[] = [
  {
    slug: "inbox",
    words: "for a single inbox",
    spec: async (target) => ({ resource: agentResource(target, await inboxOf(target)) }),
  },
  { slug: "mcp", words: "for the MCP resource", spec: (target) => ({ resource: mcpResource(target) }) },
  { slug: "confidential", words: "of a confidential client", spec: () => ({ client: "confidential" }) },
];

/** Neither resource nor client gives back what a grant lacks; what the token then does is judged elsewhere. */
const widerElsewhere = otherGrants.map(({ slug, words, spec }) =>
  check({
    id: `SCOPE-27/asking-for-both-${slug}`,
    claim: `A refresh of a \`mail.read\` grant ${words} that asks for both scopes is refused, or gives \`mail.read\`.`,
    needs: ["human"],
    async act(target) {
      const grant = await freshGrant(target, { ...(await spec(target)), scope: "mail.read" });
      const { client, tokens } = requireReadOnly(grant);
      const current = await refreshedAsControl(target, { client, tokens });
      const fields = adding(refreshExchange(client, current.refresh_token), ["scope", "mail.read mail.send"]);
      return postToken(target, fields);
    },
    assert: (response) =>
      explained("SCOPE-27/asking-for-both", () =>
        isSuccess(response) ? expectReadOnlyScope(response) : expectTokenRefused(response, refusedScopes),
      ),
  }),
);

/** Which scopes a grant has, and keeps. Document, "Authentication", OAuth 2.0 path 7. */
export const grantedScopeChecks = [
  readOnly,
  sendOnly,
  anyOrder,
  ...form,
  repeated,
  narrowedResponse,
  narrowedByOther,
  narrowedSend,
  narrowedRefresh,
  ...askedAtExchange,
  plainRefresh,
  oftenRefreshed,
  ...wider,
  ...widerElsewhere,
];
