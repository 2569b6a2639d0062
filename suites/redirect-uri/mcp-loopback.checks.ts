import { attempt, codeIn } from "../support/actors/authorization.ts";
import { authorizationRequest, mcpResource } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectNoRedirect } from "../support/judging/refusals.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { triedOnLoopback } from "../support/material/loopback-policy.ts";
import { type Warning, warning } from "../support/verdict.ts";

/** MCP clients like to listen on any port, but the document makes no exception for them. */
export const mcpLoopbackChecks = [
  check({
    id: "REDIR-25/other-port-mcp",
    claim:
      "A `redirect_uri` on a loopback address with another port is refused without a redirect for the MCP resource too.",
    async act(target) {
      const resource = mcpResource(target);
      const redirectUri = "http://127.0.0.1:9999/cb";
      return {
        seen: await triedOnLoopback(target, async () => {
          const client = await authorizingClient(target, "native", { resource });
          const { parameters } = authorizationRequest(target, client, {
            resource,
            redirect_uri: redirectUri,
          });
          return attempt(target, { client, parameters });
        }),
        isTolerated: target.profile.tolerate.loopback_any_port,
      };
    },
    assert({ seen, isTolerated }): Warning | undefined {
      if (isTolerated && codeIn(seen.end) !== undefined)
        return warning("any port is accepted (RFC 8252 §7.3), which the profile tolerates");
      return expectNoRedirect(seen);
    },
  }),
];
