import { attempt, codeIn } from "../support/actors/authorization.ts";
import { authorizationRequest, postRegister } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { isRefusalStatus } from "../support/judging/expect.ts";
import { registrationMetadata } from "../support/material/clients.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { BlockedError, Violation } from "../support/verdict.ts";
import { jsonMembers } from "../support/wire/exchange.ts";

const withDefaultPort = "https://cb.example.test:443/port";

/** Whoever appends the response with a URL parser leaves the default port out, which leads to the same place. */
function isSamePlace(location: string): boolean {
  const [to, registered] = [URL.parse(location), URL.parse(withDefaultPort)];
  return to !== null && to.origin === registered?.origin && to.pathname === registered.pathname;
}

/** What was registered is compared, not what a URL parser makes of it. Document, "Endpoints", authorize parameters. */
export const registeredSpellingChecks = [
  check({
    id: "REDIR-01/default-port",
    claim:
      "A registered `redirect_uri` that spells out its default port gets a code there, unless the registration refuses or respells it.",
    needs: ["human"],
    async act(target) {
      if (target.profile.clients.registration !== "dynamic")
        throw new BlockedError("needs dynamic registration (clients.registration in the profile)");
      const registration = await postRegister(
        target,
        registrationMetadata({ redirect_uris: [withDefaultPort], token_endpoint_auth_method: "none" }),
      );
      const { client_id: clientId, redirect_uris: registered } = jsonMembers(registration);
      if (isRefusalStatus(registration.response.status)) return undefined;
      if (typeof clientId !== "string")
        throw controlRefused("registering a client", "201 or a refusal with 4xx", registration, "DCR-01");
      // RFC 7591 §3.2.1 lets a server register other values than it was sent, if it says so.
      const isRespelled = Array.isArray(registered) && !registered.includes(withDefaultPort);
      if (isRespelled) return undefined;
      const client = { client_id: clientId, redirect_uris: [withDefaultPort] };
      target.spend("grants");
      return attempt(target, authorizationRequest(target, client));
    },
    assert(seen) {
      if (seen === undefined) return;
      const { end } = seen;
      const isThere = end.kind === "redirect" && isSamePlace(end.location);
      if (isThere && codeIn(end) !== undefined) return;
      throw new Violation(
        `a code at ${withDefaultPort}`,
        end.kind === "redirect" ? "a redirect elsewhere, or without a code" : end.reason,
        { exchange: end.exchange, explainedBy: "AUTHZ-09/code" },
      );
    },
  }),
];
