import { attempt, type Attempt, codeIn, obtainCode } from "../support/actors/authorization.ts";
import { authorizationRequest, mcpResource } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectNoRedirect } from "../support/judging/refusals.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { triedOnLoopback } from "../support/material/loopback-policy.ts";
import { type Warning, warning } from "../support/verdict.ts";
import { clientWith } from "./client-with.ts";

const registeredUri = "http://127.0.0.1:8123/cb";
const otherPort = "http://127.0.0.1:9999/cb";

interface TriedPort {
  readonly seen: Attempt;
  readonly isTolerated: boolean;
}

function expectPortRefused({ seen, isTolerated }: TriedPort): Warning | undefined {
  if (isTolerated && codeIn(seen.end) !== undefined)
    return warning("any port is accepted (RFC 8252 §7.3), which the profile tolerates");
  return expectNoRedirect(seen);
}

/** Apps and MCP clients like to listen on any port, but the document makes no exception for them. */
export const loopbackPortChecks = [
  check({
    id: "REDIR-25/other-port-mcp",
    claim:
      "A `redirect_uri` on a loopback address with another port is refused without a redirect for the MCP resource too.",
    async act(target): Promise<TriedPort> {
      const resource = mcpResource(target);
      return {
        seen: await triedOnLoopback(target, async () => {
          const client = await authorizingClient(target, "native", { resource });
          const { parameters } = authorizationRequest(target, client, { resource, redirect_uri: otherPort });
          return attempt(target, { client, parameters });
        }),
        isTolerated: target.profile.tolerate.loopback_any_port,
      };
    },
    assert: expectPortRefused,
  }),
  check({
    id: "REDIR-25/other-port-native",
    claim:
      "A `redirect_uri` on a loopback address with another port is refused without a redirect for a client that registered itself as native too.",
    needs: ["human"],
    async act(target): Promise<TriedPort> {
      await authorizingClient(target);
      // A member of OpenID Connect Dynamic Client Registration 1.0 §2, by which some libraries choose how to compare.
      const client = await clientWith(target, registeredUri, [], { application_type: "native" });
      await obtainCode(target.control, authorizationRequest(target, client));
      const { parameters } = authorizationRequest(target, client, { redirect_uri: otherPort });
      return {
        seen: await attempt(target, { client, parameters }),
        isTolerated: target.profile.tolerate.loopback_any_port,
      };
    },
    assert: expectPortRefused,
  }),
];
