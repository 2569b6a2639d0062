import { endInWords } from "../support/judging/expected-code.ts";
import { attemptSignedIn, type Attempt, codeIn, obtainCode } from "../support/actors/authorization.ts";
import { isPage } from "../support/actors/consent/responses.ts";
import { callHook, firstUsername } from "../support/actors/operator.ts";
import {
  type AuthorizationRequest,
  authorizationRequest,
  codeExchange,
  postToken,
  registeredRedirectUri,
  requireTokens,
} from "../support/actors/oauth-client.ts";
import { check, type Check, type Need } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { pollUntilRefreshRefused } from "../support/judging/refresh-token-use.ts";
import { clientFor, requireDynamicRegistration } from "../support/material/clients.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, type Warning, warning } from "../support/verdict.ts";
import { type Exchange, isRedirect, isSuccess, jsonMembers } from "../support/wire/exchange.ts";
import { adding } from "../support/wire/parameters.ts";
import { grantsSending } from "../support/judging/token-responses.ts";

/** A request in a browser that the person is signed in with, and what its code gave where nobody was asked. */
interface Asked {
  readonly seen: Attempt;
  readonly unasked: boolean;
  /** The exchange of a code that came without a page. */
  readonly exchange?: Exchange;
}

interface Choice {
  readonly scope: string;
  readonly human?: "first" | "second";
  readonly decision?: "approve read-only";
  readonly prompt?: string;
}

/** @throws {BlockedError} where clients cannot be registered: those of the profile may have been approved before */
async function requestOf(target: Target, purpose: string, { scope }: Choice): Promise<AuthorizationRequest> {
  requireDynamicRegistration(target, "a client that nobody has approved");
  return authorizationRequest(target, await clientFor(target, "public", purpose), { scope });
}

/** Nothing but redirects between the request and its code is certain: the words of a page are open. */
async function ask(target: Target, purpose: string, choice: Choice): Promise<Asked> {
  const request = await requestOf(target, purpose, choice);
  const { client, verifier, parameters } = request;
  const { human = "first", decision = "approve", prompt } = choice;
  // A person who has to sign in first is shown a page anyway.
  await sharedAccessToken(target.setup, { human });
  target.spend("grants");
  const seen = await attemptSignedIn(
    target,
    { client, parameters: prompt === undefined ? parameters : adding(parameters, ["prompt", prompt]) },
    { human, decision },
  );
  const code = codeIn(seen.end);
  const unasked = code !== undefined && !seen.hops().some((hop) => isPage(hop) && !isRedirect(hop));
  if (code === undefined) return { seen, unasked };
  const fields = codeExchange({ code, client, verifier, redirect_uri: registeredRedirectUri(client) });
  // What a target remembers may be the grant, and not the consent alone.
  const exchange = await postToken(unasked ? target : target.setup, fields);
  return unasked ? { seen, unasked, exchange } : { seen, unasked };
}

/** @throws {InconclusiveError} control-refused, when a person who was asked and approved got no code */
function requireApproved({ seen }: Asked): void {
  if (codeIn(seen.end) !== undefined) return;
  throw new InconclusiveError(
    "control-refused",
    `a valid request that the person approves: expected a redirect with a code, got ${endInWords(seen)}`,
    { exchange: seen.end.exchange, explainedBy: "AUTHZ-09/code" },
  );
}

// Each of these is asked once a run, and those after it have it behind them.
const withoutPrompt = (target: Target): Promise<Asked> =>
  target.once("authorize:prompt-none", (recording) =>
    ask(recording, "prompt-none", { scope: "mail.read", prompt: "none" }),
  );

const newClient = (target: Target): Promise<Asked> =>
  target.once("authorize:new-client", (recording) => ask(recording, "new-client", { scope: "mail.read" }));

async function approvedClient(target: Target): Promise<void> {
  requireApproved(await newClient(target.setup));
}

const secondPerson = (target: Target): Promise<Asked> =>
  target.once("authorize:second-person", async (recording) => {
    await approvedClient(recording);
    return ask(recording, "new-client", { scope: "mail.read", human: "second" });
  });

const furtherScope = (target: Target): Promise<Asked> =>
  target.once("authorize:further-scope", async (recording) => {
    await approvedClient(recording);
    return ask(recording, "new-client", { scope: "mail.read mail.send" });
  });

const furtherScopeSilently = (target: Target): Promise<Asked> =>
  target.once("authorize:further-scope-silently", async (recording) => {
    // Not the client that is asked for both scopes without it: a page that is shown nevertheless is approved.
    await withoutPrompt(recording.setup);
    requireApproved(await ask(recording.setup, "prompt-none", { scope: "mail.read" }));
    return ask(recording, "prompt-none", { scope: "mail.read mail.send", prompt: "none" });
  });

const afterNarrowing = (target: Target): Promise<Asked> =>
  target.once("authorize:after-narrowing", async (recording) => {
    const both = { scope: "mail.read mail.send" };
    const narrowed = await ask(recording.setup, "narrowed", { ...both, decision: "approve read-only" });
    requireApproved(narrowed);
    return ask(recording, "narrowed", both);
  });

const neverApproved = [
  {
    slug: "new-client",
    words: "of a client that nobody has approved",
    needs: [],
    act: newClient,
  },
  {
    slug: "prompt-none",
    words: "with `prompt=none` of a client that nobody has approved",
    needs: [],
    act: withoutPrompt,
  },
  {
    slug: "second-person",
    words: "of a client that another person has approved",
    needs: ["second-human"],
    act: secondPerson,
  },
] as const satisfies readonly {
  slug: string;
  words: string;
  needs: readonly Need[];
  act: (target: Target) => Promise<Asked>;
}[];

const asksFirst: readonly Check[] = neverApproved.map(({ slug, words, needs, act }) =>
  check({
    id: `AUTHZ-18/${slug}`,
    claim: `A signed-in person's request ${words} yields no code before the person is shown a page.`,
    needs: ["human", "pages", ...needs],
    act,
    assert({ unasked, seen: { end } }) {
      expectThat(!unasked, "a page, or no code", "a code by redirects alone", end.exchange);
    },
  }),
);

const approvedForLess = [
  {
    id: "SCOPE-02/further-scope",
    claim:
      "When a person has approved `mail.read`, a request of the same client for both scopes grants no `mail.send` before a page is shown.",
    act: furtherScope,
  },
  {
    id: "SCOPE-02/further-scope-prompt-none",
    claim:
      "When a person has approved `mail.read`, a request of the same client for both scopes with `prompt=none` grants no `mail.send` before a page is shown.",
    act: furtherScopeSilently,
  },
  {
    id: "SCOPE-06/asked-again",
    claim:
      "When a person has narrowed a request to read-only, the same request again grants no `mail.send` before a page is shown.",
    act: afterNarrowing,
  },
];

const asksForMore: readonly Check[] = approvedForLess.map(({ id, claim, act }) =>
  check({
    id,
    claim,
    needs: ["human", "pages"],
    act,
    assert({ exchange }) {
      if (exchange === undefined) return;
      const { scope } = jsonMembers(exchange);
      expectThat(!grantsSending(exchange), "no mail.send without asking", `scope ${shown(scope)}`, exchange);
    },
  }),
);

/** A grant that the person has taken back, and how the same request of the client went afterwards. */
async function afterDashboard(target: Target): Promise<Asked> {
  const choice = { scope: "mail.read" };
  const request = await requestOf(target, "taken-back", choice);
  const response = await postToken(target.setup, codeExchange(await obtainCode(target, request)));
  const tokens = requireTokens(response, "a valid code exchange");
  const { client } = request;
  await callHook(target, "revoke_grants", {
    username: firstUsername(target),
    client_id: client.client_id,
  });
  const refresh = await pollUntilRefreshRefused(target.setup, { client }, tokens);
  if (isSuccess(refresh))
    throw new InconclusiveError(
      "precondition-missing",
      "needs a dashboard that ends a grant; its refresh token still works",
      { exchange: refresh, explainedBy: "REVOKE-14/refresh-token" },
    );
  return ask(target, "taken-back", choice);
}

const takenBack = check({
  id: "AUTHZ-18/taken-back",
  claim:
    "After a person has revoked a client on the dashboard, its next request yields no code before the person is shown a page; one that does warns.",
  needs: ["human", "pages"],
  unlockedBy: "revoke_grants_hook",
  act: afterDashboard,
  // The document has the dashboard end grants, and does not say what of an approval that is remembered (C-101).
  assert: ({ unasked }): Warning | undefined =>
    unasked ? warning("a code by redirects alone, as if the person had revoked nothing") : undefined,
});

/** The person approves, each client and each scope. Document, "GET /oauth/authorize", result. */
export const askedFirstChecks = [...asksFirst, ...asksForMore, takenBack];
