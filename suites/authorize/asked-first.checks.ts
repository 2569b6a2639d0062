import { attemptSignedIn, type Attempt, codeIn } from "../support/actors/authorization.ts";
import { isPage } from "../support/actors/consent/responses.ts";
import {
  type AuthorizationRequest,
  authorizationRequest,
  codeExchange,
  postToken,
  registeredRedirectUri,
} from "../support/actors/oauth-client.ts";
import { check, type Check, type Need } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { clientFor } from "../support/material/clients.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError, InconclusiveError } from "../support/verdict.ts";
import { type Exchange, isRedirect, jsonMembers } from "../support/wire/exchange.ts";
import { adding } from "../support/wire/parameters.ts";
import { grantsSending } from "../support/judging/token-responses.ts";
import { endInWords } from "./requests.ts";

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
  if (target.profile.clients.registration !== "dynamic")
    throw new BlockedError(
      "needs a client that nobody has approved; allow dynamic registration in the profile",
    );
  return authorizationRequest(target, await clientFor(target, "public", purpose), { scope });
}

/** Nothing but redirects between the request and its code is certain: the words of a page are open. */
async function ask(target: Target, purpose: string, choice: Choice): Promise<Asked> {
  const request = await requestOf(target, purpose, choice);
  const { client, verifier, parameters } = request;
  const { human = "first", decision = "approve", prompt } = choice;
  // Who has to sign in first is shown a page anyway.
  await sharedAccessToken(target.setup, { human });
  target.spend("grants");
  const seen = await attemptSignedIn(
    target,
    { client, parameters: prompt === undefined ? parameters : adding(parameters, ["prompt", prompt]) },
    { human, decision },
  );
  const code = codeIn(seen.end);
  const unasked = code !== undefined && !seen.hops().some((hop) => isPage(hop) && !isRedirect(hop));
  if (code === undefined || !unasked) return { seen, unasked };
  const fields = codeExchange({ code, client, verifier, redirect_uri: registeredRedirectUri(client) });
  return { seen, unasked, exchange: await postToken(target, fields) };
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

/** The person approves, each client and each scope. Document, "GET /oauth/authorize", result. */
export const askedFirstChecks = [...asksFirst, ...asksForMore];
