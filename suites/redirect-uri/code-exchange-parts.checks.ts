import { codeExchange, postToken } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectTokenRefused } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { requireRegistered, sharedClient } from "../support/material/clients.ts";
import { redirectUris } from "../support/material/registrations.ts";
import { redeemableCode } from "../support/material/controls.ts";
import { triedOnLoopback } from "../support/material/loopback-policy.ts";
import { type Warning, warning } from "../support/verdict.ts";
import { isSuccess } from "../support/wire/exchange.ts";
import { replacing } from "../support/wire/parameters.ts";

interface OtherPart {
  readonly slug: string;
  /** Reads after "A code exchange". */
  readonly words: string;
  readonly spelling: (uri: string) => string;
}

const otherQueries: readonly OtherPart[] = [
  {
    slug: "query-value",
    words: "with another value in the query of its `redirect_uri`",
    spelling: (uri) => uri.replace("tenant=7", "tenant=8"),
  },
  {
    slug: "parameter-added",
    words: "with a parameter added to the query of its `redirect_uri`",
    spelling: (uri) => `${uri}&x=1`,
  },
  {
    slug: "query-left-out",
    words: "without the query of its `redirect_uri`",
    spelling: (uri) => uri.replace(/\?.*$/u, ""),
  },
];

const queries = otherQueries.map(({ slug, words, spelling }) =>
  check({
    id: `REDIR-29/${slug}`,
    claim: `A code exchange ${words} is refused with \`invalid_grant\`.`,
    needs: ["human"],
    async act(target) {
      const uri = requireRegistered(await sharedClient(target, "public"), redirectUris.withQuery);
      const code = await redeemableCode(target, { redirect_uri: uri });
      return postToken(target, replacing(codeExchange(code), "redirect_uri", spelling(uri)));
    },
    assert: (exchange) =>
      explained("REDIR-29/foreign", () => expectTokenRefused(exchange, ["invalid_grant"])),
  }),
);

const otherPorts: readonly OtherPart[] = [
  {
    slug: "loopback-port",
    words: "with another port in its loopback `redirect_uri`",
    spelling: (uri) => uri.replace(/:\d+\//u, ":9999/"),
  },
  {
    slug: "loopback-without-port",
    words: "without the port of its loopback `redirect_uri`",
    spelling: (uri) => uri.replace(/:\d+\//u, "/"),
  },
];

const ports = otherPorts.map(({ slug, words, spelling }) =>
  check({
    id: `REDIR-29/${slug}`,
    claim: `A code exchange ${words} is refused with \`invalid_grant\`.`,
    needs: ["human"],
    async act(target) {
      const exchange = await triedOnLoopback(target, async () => {
        const code = await redeemableCode(target, { client: "native" });
        return postToken(target, replacing(codeExchange(code), "redirect_uri", spelling(code.redirect_uri)));
      });
      return { exchange, isTolerated: target.profile.tolerate.loopback_any_port };
    },
    assert({ exchange, isTolerated }): Warning | undefined {
      if (isTolerated && isSuccess(exchange))
        return warning("any port is accepted (RFC 8252 §7.3), which the profile tolerates");
      explained("REDIR-29/foreign", () => expectTokenRefused(exchange, ["invalid_grant"]));
      return undefined;
    },
  }),
);

const loopbackName = check({
  id: "REDIR-29/localhost",
  claim:
    "A code exchange with `localhost` for the `127.0.0.1` of its loopback `redirect_uri` is refused with `invalid_grant`.",
  needs: ["human"],
  act: (target) =>
    triedOnLoopback(target, async () => {
      const code = await redeemableCode(target, { client: "native" });
      const named = code.redirect_uri.replace("127.0.0.1", "localhost");
      return postToken(target, replacing(codeExchange(code), "redirect_uri", named));
    }),
  assert: (exchange) => explained("REDIR-29/foreign", () => expectTokenRefused(exchange, ["invalid_grant"])),
});

/** Parts of `redirect_uri` that a comparison at the token endpoint may leave out. Document, "Endpoints", `POST /oauth/token`. */
export const codeExchangePartChecks = [...queries, ...ports, loopbackName];
