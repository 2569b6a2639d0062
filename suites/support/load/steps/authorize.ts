import { authorizationRequest, authorizationUrl, type Client } from "../../actors/oauth-client.ts";
import { showsSignIn } from "../../actors/authorization.ts";
import { responseParameters } from "../../actors/client-redirects.ts";
import { sharedClient } from "../../material/clients.ts";
import { type Exchange, header, isRedirect, summary } from "../../wire/exchange.ts";
import { valueOf } from "../../wire/parameters.ts";
import { Violation } from "../../verdict.ts";
import type { LoadStep } from "../load-step.ts";

/** `GET {auth_url}/oauth/authorize` with valid parameters and without a login session: sign-in, never a code. */
export const authorize: LoadStep = {
  name: "authorize",
  scryptsPerRequest: 0,
  proofsPerRequest: 0,
  at: "auth",
  async supply(target) {
    const client = await sharedClient(target, "public");
    return {
      next() {
        const { parameters } = authorizationRequest(target, client);
        return {
          requests: [
            {
              method: "GET",
              url: authorizationUrl(target, parameters),
              headers: [["Accept", "text/html,*/*;q=0.8"]],
            },
          ],
          isExpectedStatus: (status) => status >= 200 && status < 400,
          judgesAll: true,
          judge([exchange]) {
            if (exchange !== undefined) expectSignIn(exchange, client);
          },
        };
      },
    };
  },
};

/** Expects a page or a redirect to sign-in. Of redirects to the client, only `temporarily_unavailable` (RFC 6749 §4.1.2.1). */
export function expectSignIn(
  exchange: Exchange,
  { redirect_uris: redirectUris }: Pick<Client, "redirect_uris">,
): void {
  if (showsSignIn(exchange, redirectUris)) return;
  const parameters = responseParameters(header(exchange, "location") ?? "");
  const isOverloaded = isRedirect(exchange) && valueOf(parameters, "error") === "temporarily_unavailable";
  if (isOverloaded && valueOf(parameters, "code") === undefined) return;
  throw new Violation(
    "a page or a redirect to sign-in",
    valueOf(parameters, "code") === undefined ? summary(exchange) : `${exchange.response.status} with a code`,
  );
}
