import { postToken, refreshExchange } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { type ClientKind, sharedClient } from "../support/material/clients.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectThat, expectTokenRefused } from "../support/judging/expect.ts";
import type { Grant } from "../support/material/grants.ts";
import { adding, type Parameters, replacing, without } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError, type Finding, InconclusiveError, warning } from "../support/verdict.ts";
import { present, refreshableGrant } from "./rotated-grants.ts";

/** One flaw in how an otherwise valid refresh names or authenticates its client. */
interface Flaw {
  readonly slug: string;
  /** Reads after "A refresh". */
  readonly words: string;
  readonly client: ClientKind;
  readonly apply: (fields: Parameters, target: Target) => Parameters | Promise<Parameters>;
}

const namingFlaws: readonly Flaw[] = [
  {
    slug: "missing",
    words: "without client_id",
    client: "public",
    apply: (fields) => without(fields, "client_id"),
  },
  {
    slug: "empty",
    words: "with an empty client_id",
    client: "public",
    apply: (fields) => replacing(fields, "client_id", ""),
  },
  {
    slug: "other-public-client",
    words: "with the client_id of another public client",
    client: "public",
    apply: async (fields, target) =>
      replacing(fields, "client_id", (await sharedClient(target, "other")).client_id),
  },
  {
    slug: "other-confidential-client",
    words: "with the client_id and client_secret of another, confidential client",
    client: "public",
    async apply(fields, target) {
      const { client_id: id, client_secret: secret = "" } = await sharedClient(target, "confidential");
      return adding(replacing(fields, "client_id", id), ["client_secret", secret]);
    },
  },
];

const secretFlaws: readonly Flaw[] = [
  {
    slug: "omitted",
    words: "without client_secret",
    client: "confidential",
    apply: (fields) => without(fields, "client_secret"),
  },
  { slug: "empty", words: "with an empty client_secret", ...spelling(() => "") },
  { slug: "wrong", words: "with another client_secret", ...spelling((secret) => `x${secret.slice(1)}y`) },
  {
    slug: "first-half",
    words: "with half its client_secret",
    ...spelling((secret) => secret.slice(0, secret.length / 2)),
  },
  {
    slug: "trailing-space",
    words: "with a space behind its client_secret",
    ...spelling((secret) => `${secret} `),
  },
  { slug: "other-case", words: "with its client_secret in the other case", ...spelling(otherCase) },
];

function spelling(change: (secret: string) => string): Pick<Flaw, "client" | "apply"> {
  return {
    client: "confidential",
    async apply(fields, target) {
      const { client_secret: secret = "" } = await sharedClient(target, "confidential");
      return replacing(fields, "client_secret", change(secret));
    },
  };
}

function otherCase(secret: string): string {
  const changed = secret === secret.toUpperCase() ? secret.toLowerCase() : secret.toUpperCase();
  if (changed === secret) throw new BlockedError("needs a client_secret with letters; the client's has none");
  return changed;
}

async function flawedRefresh(
  target: Target,
  { client, apply }: Flaw,
): Promise<{ grant: Grant; refused: Exchange }> {
  const grant = await refreshableGrant(target, { client });
  const fields = refreshExchange(grant.client, grant.tokens.refresh_token);
  return { grant, refused: await postToken(target, await apply(fields, target)) };
}

const misnamed = namingFlaws.map((flaw) =>
  check({
    id: `REFRESH-11/${flaw.slug}`,
    claim: `A refresh ${flaw.words} is refused with 400 and yields no tokens.`,
    needs: ["human"],
    act: async (target) => (await flawedRefresh(target, flaw)).refused,
    assert: (exchange) =>
      expectTokenRefused(exchange, ["invalid_request", "invalid_client", "invalid_grant"]),
  }),
);

const unauthenticated = secretFlaws.map((flaw) =>
  check({
    id: `REFRESH-12/${flaw.slug}`,
    claim: `A refresh of a confidential client ${flaw.words} is refused with invalid_client and yields no tokens.`,
    needs: ["human"],
    act: async (target) => (await flawedRefresh(target, flaw)).refused,
    assert: (exchange) => expectTokenRefused(exchange, ["invalid_client"]),
  }),
);

/** What the rightful client gets with the refresh token after someone's refused attempt. */
async function afterRefusal(target: Target, flaw: Flaw): Promise<Exchange> {
  const { grant, refused } = await flawedRefresh(target, flaw);
  if ("access_token" in jsonMembers(refused)) {
    throw new InconclusiveError(
      "precondition-missing",
      `needs a refused refresh ${flaw.words}; it was accepted (${summary(refused)})`,
    );
  }
  return present(target, grant, grant.tokens);
}

const notRotated = [...namingFlaws.slice(0, 1), ...secretFlaws.slice(0, 3)].map((flaw) =>
  check({
    id: `REFRESH-13/${flaw.client === "public" ? "client-id-missing" : `secret-${flaw.slug}`}`,
    claim: `A refused refresh ${flaw.words} leaves the refresh token as it was: its client still refreshes with it.`,
    needs: ["human"],
    act: (target) => afterRefusal(target, flaw),
    assert: (exchange) => expectThat(exchange.response.status === 200, "200", summary(exchange)),
  }),
);

const strangers = namingFlaws.slice(2).map((flaw) =>
  check({
    id: `REFRESH-13/${flaw.slug}`,
    claim: `After a refused refresh ${flaw.words}, the rightful client still refreshes.`,
    needs: ["human"],
    act: (target) => afterRefusal(target, flaw),
    // Ending the grant is a choice; rotating it is not, but the two look alike from here.
    assert: (exchange): Finding | undefined =>
      isSuccess(exchange)
        ? undefined
        : warning(`another client locked the rightful one out: ${summary(exchange)}`),
  }),
);

export const clientChecks = [...misnamed, ...unauthenticated, ...notRotated, ...strangers];
