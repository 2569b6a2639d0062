import * as oauth from "oauth4webapi";
import { authorizationRequest, jmapResource, registeredRedirectUri } from "../support/actors/oauth-client.ts";
import { attempt } from "../support/actors/authorization.ts";
import { check, recommend } from "../support/judging/check.ts";
import { sharedClient } from "../support/material/clients.ts";
import { publishedKey } from "../support/material/published-key.ts";
import { valueOf } from "../support/wire/parameters.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError, Violation } from "../support/verdict.ts";
import type { Exchange } from "../support/wire/exchange.ts";

/** How far oauth4webapi, a strict client that is not ours, got, and what stopped it. */
interface Walk {
  readonly passed: readonly string[];
  readonly stopped?: { readonly step: string; readonly reason: string };
  /** Its last exchange. */
  readonly last: Exchange | undefined;
  /** What it looked at last, where it came so far. */
  readonly accessToken?: string;
}

/** Sends a request of oauth4webapi through the target, so that it is recorded like every other. */
function recordingFetch(target: Target, onExchange: (exchange: Exchange) => void) {
  return async (
    url: string,
    { method, headers, body }: oauth.CustomFetchOptions<string, URLSearchParams | undefined>,
  ): Promise<Response> => {
    const exchange = await target.send({
      method,
      url,
      headers: Object.entries(headers),
      ...(body !== undefined && body !== null && { body: String(body) }),
    });
    onExchange(exchange);
    return asFetched(exchange);
  };
}

function asFetched({ response }: Exchange): Response {
  const hasBody = ![204, 205, 304].includes(response.status);
  return new Response(hasBody ? withoutIdToken(response.body) : null, {
    status: response.status,
    headers: response.headers.map(([name, value]): [string, string] => [
      name,
      // Its case means nothing (RFC 9110 §8.3.1), but the client compares it.
      name.toLowerCase() === "content-type" ? value.toLowerCase() : value,
    ]),
  });
}

/** OpenID Connect is not part of the document: an `id_token`, null too, is an unknown member that a client must ignore. */
function withoutIdToken(body: string): string {
  if (!body.includes('"id_token"')) return body;
  try {
    return JSON.stringify(
      JSON.parse(body, (name, value: unknown) => (name === "id_token" ? undefined : value)),
    );
  } catch {
    // The client says what is wrong with it.
    return body;
  }
}

async function walk(target: Target): Promise<Walk> {
  const passed: string[] = [];
  let last: Exchange | undefined;
  let accessToken: string | undefined;
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
    await visit(target, step, {
      onExchange: (exchange) => (last = exchange),
      onAccessToken: (token) => (accessToken = token),
    });
    return { passed, last };
  } catch (error) {
    if (error instanceof Stopped)
      return {
        passed,
        stopped: { step: error.step, reason: error.message },
        last,
        ...(accessToken !== undefined && { accessToken }),
      };
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

interface Seen {
  onExchange(exchange: Exchange): void;
  onAccessToken(token: string): void;
}

async function visit(target: Target, step: Step, { onExchange, onAccessToken }: Seen): Promise<void> {
  const options = {
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: recordingFetch(target, onExchange),
  };
  const issuer = new URL(target.authUrl);
  // At the document's address, which differs from the client's where the issuer has a path (C-95).
  const metadata = await target.send({
    method: "GET",
    url: `${target.authUrl}/.well-known/oauth-authorization-server`,
    headers: [["Accept", "application/json"]],
  });
  onExchange(metadata);
  const server = await step("discovery (RFC 8414)", () =>
    oauth.processDiscoveryResponse(issuer, asFetched(metadata)),
  );
  const registered = await sharedClient(target, "public");
  const client = { client_id: registered.client_id };
  const request = authorizationRequest(target, registered);
  target.spend("grants");
  const { end } = await attempt(target, request);
  if (end.kind !== "redirect")
    throw controlRefused("a valid authorization request", "a redirect", end.exchange, "AUTHZ-09");
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
  onAccessToken(refreshed.access_token);
  const resource = jmapResource(target);
  const presented = new Request(resource, {
    headers: { authorization: `Bearer ${refreshed.access_token}` },
  });
  await step(validation, () => oauth.validateJwtAccessToken(server, presented, resource, options));
}

const sharedWalk = (target: Target): Promise<Walk> => target.once("token:strict-client", walk);

const flow = check({
  id: "VER-02/strict-client",
  claim: "`oauth4webapi`, a strict client, completes discovery, authorization, a refresh and a revocation.",
  needs: ["human"],
  act: sharedWalk,
  assert({ passed, stopped, last }) {
    // What it says of the claims of a token is judged by B-AT-01: the document shows none of them.
    if (stopped === undefined || stopped.step === validation) return;
    throw new Violation(
      "every step of oauth4webapi to succeed",
      `${stopped.step}: ${stopped.reason}; passed before: ${passed.join(", ") || "nothing"}`,
      { exchange: last },
    );
  },
});

/** @throws {NotApplicableError} when the token is signed on a curve that oauth4webapi does not know, such as Ed448 (RFC 8037) */
async function requireKnownCurve(target: Target, token: string): Promise<void> {
  const { jwkText } = await publishedKey(target, token);
  const { crv } = JSON.parse(jwkText) as { readonly crv?: unknown };
  if (crv !== "Ed25519") throw new NotApplicableError(`oauth4webapi does not know the curve ${String(crv)}`);
}

const accessToken = recommend({
  id: "B-AT-01/strict-client",
  claim: "`oauth4webapi` accepts an access token for JMAP as one of RFC 9068.",
  needs: ["human"],
  async act(target) {
    const walked = await sharedWalk(target);
    if (walked.stopped?.step === validation && walked.accessToken !== undefined)
      await requireKnownCurve(target, walked.accessToken);
    return walked;
  },
  assert({ stopped, last }) {
    if (stopped === undefined) return;
    const reason = `${stopped.step}: ${stopped.reason}`;
    if (stopped.step === validation)
      throw new Violation("oauth4webapi to accept the access token", reason, { exchange: last });
    throw new InconclusiveError("precondition-missing", `needs a refreshed access token; ${reason}`, {
      exchange: last,
      explainedBy: "VER-02",
    });
  },
});

export const strictClientChecks = [flow, accessToken];
