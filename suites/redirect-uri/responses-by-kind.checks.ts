import { attempt, type AttemptEnd, codeIn } from "../support/actors/authorization.ts";
import { responseParameter } from "../support/actors/client-redirects.ts";
import { authorizationRequest, type Client, unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { withUndecidedClient } from "../support/material/clients.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { triedOnLoopback } from "../support/material/loopback-policy.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { clientWith, privateUse } from "./client-with.ts";

interface Kind {
  readonly slug: string;
  /** Reads after "to a `redirect_uri`". */
  readonly words: string;
  /** Decides about a client of that kind. @throws {NotApplicableError} where no client can have such a `redirect_uri` */
  readonly decided: (target: Target, decide: (client: Client) => Promise<Answered>) => Promise<Answered>;
}

interface Answered {
  readonly state: string;
  readonly end: AttemptEnd;
}

const kinds: readonly Kind[] = [
  {
    slug: "loopback",
    words: "on a loopback address",
    decided: (target, decide) =>
      triedOnLoopback(target, async () =>
        withUndecidedClient(target, "native", await authorizingClient(target, "native"), decide),
      ),
  },
  {
    slug: "private-use-scheme",
    words: "of a private-use scheme",
    decided: async (target, decide) => decide(await clientWith(target, privateUse)),
  },
];

// What is decoded twice or written without encoding comes back otherwise.
const telling = "a b+c&d=%2B";

async function answered(target: Target, { decided }: Kind, decision: "approve" | "deny"): Promise<Answered> {
  return decided(target, async (client) => {
    const state = `${telling}${unguessable()}`;
    if (decision === "approve") target.spend("grants");
    const { end } = await attempt(target, authorizationRequest(target, client, { state }), { decision });
    return { state, end };
  });
}

/** @throws {NotApplicableError} without a redirect: a target may lead to apps with a page of its own */
function requireRedirect(seen: Answered): Answered {
  if (seen.end.kind !== "redirect") throw new NotApplicableError("no redirect leads to such a redirect_uri");
  return seen;
}

function expectState({ state, end }: Answered, likewise: string): void {
  if (end.kind !== "redirect") return;
  const returned = responseParameter(end.location, "state");
  explained(likewise, () =>
    expectThat(returned === state, `state ${shown(state)}`, shown(returned), end.exchange),
  );
}

const approved = kinds.map((kind) =>
  check({
    id: `AUTHZ-10/${kind.slug}`,
    claim: `A \`state\` of characters that URLs reserve is returned unchanged with the code to a \`redirect_uri\` ${kind.words}.`,
    needs: ["human"],
    async act(target) {
      const seen = requireRedirect(await answered(target, kind, "approve"));
      if (codeIn(seen.end) === undefined)
        throw new NotApplicableError("no redirect to such a redirect_uri has a code in its query");
      return seen;
    },
    assert: (seen) => expectState(seen, "AUTHZ-10/reserved-characters"),
  }),
);

const declined = kinds.map((kind) =>
  check({
    id: `AUTHZ-10/declined-${kind.slug}`,
    claim: `A denial that is answered by a redirect to a \`redirect_uri\` ${kind.words} returns \`state\` unchanged.`,
    needs: ["human"],
    act: async (target) => requireRedirect(await answered(target, kind, "deny")),
    assert: (seen) => expectState(seen, "AUTHZ-10/declined"),
  }),
);

const codeInQuery = check({
  id: "AUTHZ-09/private-use-scheme",
  claim:
    "A redirect with a `code` to a `redirect_uri` of a private-use scheme has it in the query, and not in the fragment.",
  needs: ["human"],
  async act(target) {
    const client = await clientWith(target, privateUse);
    target.spend("grants");
    const { end } = await attempt(target, authorizationRequest(target, client));
    if (end.kind === "redirect") return end;
    throw new NotApplicableError(`no redirect leads to ${privateUse}`);
  },
  assert({ location, exchange }) {
    const isInFragment = /#(?:.*&)?code=/u.test(location);
    explained("AUTHZ-09/code", () =>
      expectThat(!isInFragment, "a code in the query", "a code in the fragment", exchange),
    );
  },
});

/** What is said of the response holds for every kind of `redirect_uri`. Document, "GET /oauth/authorize", result. */
export const responseByKindChecks = [...approved, ...declined, codeInQuery];
