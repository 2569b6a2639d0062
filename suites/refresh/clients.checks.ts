import { postToken, refreshExchange, secretOf } from "../support/actors/oauth-client.ts";
import { check, observe } from "../support/judging/check.ts";
import {
  expectOAuthError,
  expectStatus,
  expectTokenRefused,
  missingSecretErrors,
} from "../support/judging/expect.ts";
import { expectRefreshRefused, presentRefreshToken } from "../support/judging/refresh-token-use.ts";
import { type ClientKind, secondConfidential, sharedClient } from "../support/material/clients.ts";
import { refreshableGrant } from "../support/material/controls.ts";
import type { Grant } from "../support/material/grants.ts";
import {
  inOtherCase,
  withCharacterAdded,
  withCharacterChanged,
  withEndChanged,
} from "../support/material/mutations.ts";
import type { Target } from "../support/target/target.ts";
import type { Unlock } from "../support/target/unlocks.ts";
import { type Warning, InconclusiveError, warning } from "../support/verdict.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import { adding, type Parameters, replacing, without } from "../support/wire/parameters.ts";

/** One flaw in how an otherwise valid refresh names or authenticates its client. */
interface Flaw {
  readonly slug: string;
  /** Reads after "A refresh". */
  readonly words: string;
  readonly client: ClientKind;
  readonly apply: (fields: Parameters, target: Target) => Parameters | Promise<Parameters>;
  readonly errors: readonly string[];
  /** Judges by itself why the refresh succeeded. */
  readonly explainedBy?: string;
  /** What an accepted refresh means, where that is tolerated with a warning. */
  readonly tolerated?: string;
  readonly unlockedBy?: Unlock;
}

const naming = { client: "public" } as const;

const withoutClientId: Flaw = {
  ...naming,
  slug: "missing",
  words: "without `client_id`",
  apply: (fields) => without(fields, "client_id"),
  errors: ["invalid_request", "invalid_client"],
};

const foreignErrors = ["invalid_grant", "invalid_client", "invalid_request"];

const otherClients: readonly [Flaw, Flaw] = [
  {
    ...naming,
    slug: "other-public-client",
    words: "with the `client_id` of another public client",
    apply: async (fields, target) =>
      replacing(fields, "client_id", (await sharedClient(target, "other")).client_id),
    errors: foreignErrors,
  },
  {
    ...naming,
    slug: "other-confidential-client",
    words: "with the id and secret of a confidential client",
    async apply(fields, target) {
      const { client_id: id, client_secret: secret = "" } = await sharedClient(target, "confidential");
      return adding(replacing(fields, "client_id", id), ["client_secret", secret]);
    },
    errors: foreignErrors,
  },
];

const namingFlaws: readonly Flaw[] = [
  withoutClientId,
  {
    ...withoutClientId,
    slug: "empty",
    words: "with an empty `client_id`",
    apply: (fields) => replacing(fields, "client_id", ""),
  },
  ...otherClients,
  {
    ...naming,
    slug: "operators-client",
    words: "in the name of a client that the operator registered",
    async apply(fields, target) {
      const other = await sharedClient(target, "operator");
      return adding(replacing(fields, "client_id", other.client_id), ...secretOf(other));
    },
    errors: foreignErrors,
    explainedBy: "REFRESH-11/other-confidential-client",
    unlockedBy: "operator_client",
  },
  {
    slug: "confidential-clients",
    words: "of a confidential client with the `client_id` and `client_secret` of another",
    client: "confidential",
    async apply(fields, target) {
      const { client_id: id, client_secret: secret = "" } = await secondConfidential(target);
      return replacing(replacing(fields, "client_id", id), "client_secret", secret);
    },
    errors: foreignErrors,
    explainedBy: "REFRESH-11/other-public-client",
  },
  {
    slug: "confidential-clients-at-public",
    words: "of a confidential client with the `client_id` of a public one and no secret",
    client: "confidential",
    apply: async (fields, target) =>
      without(
        replacing(fields, "client_id", (await sharedClient(target, "public")).client_id),
        "client_secret",
      ),
    errors: foreignErrors,
    explainedBy: "REFRESH-11/other-public-client",
  },
  ...otherClients.map((flaw): Flaw => ({
    ...flaw,
    slug: `operators-at-${flaw.slug}`,
    words: `of the operator's client ${flaw.words}`,
    client: "operator",
    apply: (fields, target) => flaw.apply(without(fields, "client_secret"), target),
    explainedBy: `REFRESH-11/${flaw.slug}`,
    unlockedBy: "operator_client",
  })),
];

/** A refresh of a confidential client with what `change` makes of its secret. */
function withSecret(change: (secret: string) => string): Pick<Flaw, "client" | "apply" | "errors"> {
  return {
    client: "confidential",
    async apply(fields, target) {
      const { client_secret: secret = "" } = await sharedClient(target, "confidential");
      return replacing(fields, "client_secret", change(secret));
    },
    errors: ["invalid_client"],
  };
}

const unsentSecrets: readonly Flaw[] = [
  {
    ...withSecret((secret) => secret),
    slug: "omitted",
    words: "without `client_secret`",
    apply: (fields) => without(fields, "client_secret"),
    errors: missingSecretErrors,
  },
  {
    ...withSecret(() => ""),
    slug: "empty",
    words: "with an empty `client_secret`",
    explainedBy: "REFRESH-12/omitted",
    errors: missingSecretErrors,
  },
];

const wrongSecret: Flaw = {
  ...withSecret((secret) => withCharacterChanged(secret, "client secrets")),
  slug: "wrong",
  words: "with a wrong `client_secret`",
};

const secretFlaws: readonly Flaw[] = [
  ...unsentSecrets,
  wrongSecret,
  {
    ...withSecret((secret) => secret.slice(0, secret.length / 2)),
    slug: "first-half",
    words: "with the first half of its `client_secret`",
    explainedBy: "REFRESH-12/wrong",
  },
  {
    ...withSecret((secret) => withEndChanged(secret, "client secrets")),
    slug: "other-end",
    words: "with the last characters of its `client_secret` changed",
    explainedBy: "REFRESH-12/wrong",
  },
  {
    ...withSecret((secret) => withCharacterAdded(secret, "client secrets")),
    slug: "longer",
    words: "with characters added to its `client_secret`",
    explainedBy: "REFRESH-12/wrong",
  },
  {
    ...withSecret((secret) => secret),
    slug: "other-clients",
    words: "with the `client_secret` of another client",
    async apply(fields, target) {
      const { client_secret: secret = "" } = await secondConfidential(target);
      return replacing(fields, "client_secret", secret);
    },
    explainedBy: "REFRESH-12/wrong",
  },
  {
    ...withSecret((secret) => `${secret} `),
    slug: "trailing-space",
    words: "with a trailing space in its `client_secret`",
    tolerated: "a `client_secret` with a trailing space is accepted",
  },
];

async function flawedRefresh(
  target: Target,
  { client, apply }: Flaw,
): Promise<{ grant: Grant; refused: Exchange }> {
  const grant = await refreshableGrant(target, { client });
  const fields = refreshExchange(grant.client, grant.tokens.refresh_token);
  return { grant, refused: await postToken(target, await apply(fields, target)) };
}

function expectRefused(exchange: Exchange, { errors, tolerated, explainedBy }: Flaw): Warning | undefined {
  if (isSuccess(exchange) && tolerated !== undefined) return warning(tolerated);
  expectRefreshRefused(exchange, explainedBy);
  expectOAuthError(exchange, errors);
  return undefined;
}

function inCode(errors: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "disjunction" }).format(errors.map((error) => `\`${error}\``));
}

const misnamed = namingFlaws.map((flaw) =>
  check({
    id: `REFRESH-11/${flaw.slug}`,
    claim: `A refresh ${flaw.words} is refused with ${inCode(flaw.errors)}.`,
    needs: ["human"],
    ...(flaw.unlockedBy !== undefined && { unlockedBy: flaw.unlockedBy }),
    act: async (target) => (await flawedRefresh(target, flaw)).refused,
    assert: (exchange) => expectRefused(exchange, flaw),
  }),
);

const unauthenticated = secretFlaws.map((flaw) =>
  check({
    id: `REFRESH-12/${flaw.slug}`,
    claim: `A refresh of a confidential client ${flaw.words} is refused with ${inCode(flaw.errors)}.`,
    needs: ["human"],
    act: async (target) => (await flawedRefresh(target, flaw)).refused,
    assert: (exchange) => expectRefused(exchange, flaw),
  }),
);

const [otherPublicClient] = otherClients;

const again = [
  { id: "REFRESH-11/second-attempt", flaw: otherPublicClient, explainedBy: "REFRESH-11/other-public-client" },
  { id: "REFRESH-12/second-attempt", flaw: wrongSecret, explainedBy: "REFRESH-12/wrong" },
].map(({ id, flaw, explainedBy }) =>
  check({
    id,
    claim: `A second refresh ${flaw.words} is refused like the first, with ${inCode(flaw.errors)}.`,
    needs: ["human"],
    async act(target) {
      const grant = await refreshableGrant(target, { client: flaw.client });
      const fields = refreshExchange(grant.client, grant.tokens.refresh_token);
      const flawed = await flaw.apply(fields, target);
      await postToken(target.setup, flawed);
      return postToken(target, flawed);
    },
    assert: (exchange) => expectRefused(exchange, { ...flaw, explainedBy }),
  }),
);

const otherCaseSecret = observe({
  id: "REFRESH-12/other-case",
  question: "Is a refresh accepted with the case of the letters of its `client_secret` swapped?",
  needs: ["human"],
  act: async (target) =>
    (
      await flawedRefresh(target, {
        ...withSecret((secret) => inOtherCase(secret, "client secrets")),
        slug: "other-case",
        words: "in other case",
      })
    ).refused,
  answer: (exchange) => (isSuccess(exchange) ? "yes" : `no: ${summary(exchange)}`),
});

/**
 * What the rightful client gets with its refresh token after someone's refused attempt.
 *
 * @throws {InconclusiveError} precondition-missing, when the attempt succeeded
 */
async function afterRefusal(target: Target, flaw: Flaw): Promise<Exchange> {
  const { grant, refused } = await flawedRefresh(target, flaw);
  if (isSuccess(refused)) {
    throw new InconclusiveError(
      "precondition-missing",
      `needs a refused refresh ${flaw.words}; it was answered ${summary(refused)}`,
      { exchange: refused, explainedBy: flaw.client === "public" ? "REFRESH-11" : "REFRESH-12" },
    );
  }
  return presentRefreshToken(target, grant, grant.tokens);
}

const ownAttempts = [
  { slug: "client-id-missing", flaw: withoutClientId },
  ...[...unsentSecrets, wrongSecret].map((flaw) => ({ slug: `secret-${flaw.slug}`, flaw })),
];

const stillUsable = ownAttempts.map(({ slug, flaw }) =>
  check({
    id: `REFRESH-13/${slug}`,
    claim: `A refresh token is still usable after a refused refresh ${flaw.words}.`,
    needs: ["human"],
    act: (target) => afterRefusal(target, flaw),
    assert: (exchange) => expectStatus(exchange, 200),
  }),
);

// A target may end a grant whose refresh token another client presents: then its own client is told so.
const usableOrEnded = otherClients.map((flaw) =>
  check({
    id: `REFRESH-13/${flaw.slug}`,
    claim: `After a refused refresh ${flaw.words}, the rightful client still refreshes or gets \`invalid_grant\`.`,
    needs: ["human"],
    act: (target) => afterRefusal(target, flaw),
    assert(exchange): Warning | undefined {
      if (exchange.response.status === 200) return undefined;
      expectTokenRefused(exchange, ["invalid_grant"]);
      return warning("the attempt of another client ended the grant, which locks the rightful client out");
    },
  }),
);

export const clientChecks = [
  ...misnamed,
  ...unauthenticated,
  ...again,
  otherCaseSecret,
  ...stillUsable,
  ...usableOrEnded,
];
