import * as oauth from "oauth4webapi";
import { authorizationRequest, jmapResource, registeredRedirectUri } from "../support/actors/oauth-client.ts";
import { attempt } from "../support/actors/authorization.ts";
import { check } from "../support/judging/check.ts";
import { sharedClient } from "../support/material/clients.ts";
import { expectThat } from "../support/judging/expect.ts";
import { valueOf } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";
import { type Finding, InconclusiveError, warning } from "../support/verdict.ts";

/** How far a strict OAuth client that no one here wrote got, and what stopped it. */
interface Walk {
  readonly passed: readonly string[];
  readonly stopped?: { readonly step: string; readonly reason: string };
}

/** Sends a request of oauth4webapi through the target, so that it is recorded like every other. */
function recordingFetch(target: Target) {
  return async (
    url: string,
    { method, headers, body }: oauth.CustomFetchOptions<string, URLSearchParams | undefined>,
  ): Promise<Response> => {
    const { response } = await target.send({
      method,
      url,
      headers: Object.entries(headers),
      ...(body !== undefined && body !== null && { body: String(body) }),
    });
    const hasBody = ![204, 205, 304].includes(response.status);
    return new Response(hasBody ? response.body : null, {
      status: response.status,
      headers: response.headers.map(([name, value]): [string, string] => [name, value]),
    });
  };
}

async function walk(target: Target): Promise<Walk> {
  const passed: string[] = [];
  const step = async <Result>(name: string, work: () => Result | Promise<Result>): Promise<Result> => {
    try {
      const result = await work();
      passed.push(name);
      return result;
    } catch (error) {
      if (error instanceof InconclusiveError) throw error;
      throw new Stopped(name, error instanceof Error ? error.message : String(error));
    }
  };
  try {
    await visit(target, step);
    return { passed };
  } catch (error) {
    if (error instanceof Stopped) return { passed, stopped: { step: error.step, reason: error.message } };
    throw error;
  }
}

class Stopped extends Error {
  override readonly name = "Stopped";
  readonly step: string;
  constructor(step: string, reason: string) {
    super(reason);
    this.step = step;
  }
}

const validation = "access token validation (RFC 9068)";

type Step = <Result>(name: string, work: () => Result | Promise<Result>) => Promise<Result>;

async function visit(target: Target, step: Step): Promise<void> {
  const options = { [oauth.allowInsecureRequests]: true, [oauth.customFetch]: recordingFetch(target) };
  const issuer = new URL(target.authUrl);
  const server = await step("discovery (RFC 8414)", async () =>
    oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...options }),
    ),
  );
  const registered = await sharedClient(target, "public");
  const client = { client_id: registered.client_id };
  const request = authorizationRequest(target, registered);
  target.spend("grants");
  const { end } = await attempt(target, request);
  if (end.kind !== "redirect")
    throw new InconclusiveError("control-refused", `a valid authorization request: ${end.reason}`);
  const state = valueOf(request.parameters, "state") ?? "";
  const answer = await step("authorization response (RFC 9207)", () =>
    oauth.validateAuthResponse(server, client, new URL(end.location), state),
  );
  const tokens = await step("code exchange (RFC 6749, 7636)", async () =>
    oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        answer,
        registeredRedirectUri(registered),
        request.verifier,
        options,
      ),
    ),
  );
  const refreshed = await step("refresh (RFC 6749)", async () =>
    oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, oauth.None(), tokens.refresh_token ?? "", options),
    ),
  );
  await step("revocation (RFC 7009)", async () =>
    oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, oauth.None(), refreshed.access_token, options),
    ),
  );
  const resource = jmapResource(target);
  const presented = new Request(resource, {
    headers: { authorization: `Bearer ${refreshed.access_token}` },
  });
  await step(validation, () => oauth.validateJwtAccessToken(server, presented, resource, options));
}

const memoisedWalk = (target: Target): Promise<Walk> => target.once("token:strict-client", walk);

const flow = check({
  id: "VER-02/strict-client",
  claim:
    "oauth4webapi, a strict client, gets from discovery through authorization to tokens, a refresh and a revocation.",
  needs: ["human"],
  act: memoisedWalk,
  assert({ passed, stopped }): void {
    // What it says of the claims of a token is judged by B-AT-01: the document shows none of them.
    if (stopped === undefined || stopped.step === validation) return;
    expectThat(
      false,
      "oauth4webapi to get through",
      `${passed.join(", ")}; ${stopped.step}: ${stopped.reason}`,
    );
  },
});

const accessToken = check({
  id: "B-AT-01/strict-client",
  claim: "oauth4webapi accepts an access token as one of RFC 9068 for JMAP.",
  needs: ["human"],
  act: memoisedWalk,
  assert: ({ stopped }): Finding | undefined =>
    stopped === undefined ? undefined : warning(`${stopped.step}: ${stopped.reason}`),
});

export const strictClientChecks = [flow, accessToken];
