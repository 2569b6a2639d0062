import { unguessable } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, isRefusalStatus } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError, type Warning, warning } from "../support/verdict.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import type { Outgoing } from "../support/wire/outgoing.ts";
import { publicMetadata, requireRegistration } from "./registered-clients.ts";

function registrationAsJson(target: Target, sent: Pick<Outgoing, "headers" | "body">): Promise<Exchange> {
  requireRegistration(target);
  target.spend("registrations");
  return target.send({ method: "POST", url: `${target.authUrl}/oauth/register`, ...sent });
}

function expectClient(exchange: Exchange): void {
  const { client_id: clientId } = jsonMembers(exchange);
  explained("DCR-01", () =>
    expectThat(
      isSuccess(exchange) && typeof clientId === "string" && clientId !== "",
      "2xx with client_id",
      summary(exchange),
      exchange,
    ),
  );
}

const withCharset = check({
  id: "DCR-01/charset",
  claim: "A registration of `Content-Type: application/json; charset=utf-8` is answered with a `client_id`.",
  act: (target) =>
    registrationAsJson(target, {
      headers: [["Content-Type", "application/json; charset=utf-8"]],
      body: JSON.stringify(publicMetadata()),
    }),
  assert: expectClient,
});

const inChunks = check({
  id: "DCR-01/chunked",
  claim:
    "A registration whose body is sent in chunks is answered with a `client_id`; a target may ask for a length (411).",
  act(target) {
    const body = JSON.stringify(publicMetadata());
    const middle = Math.floor(body.length / 2);
    return registrationAsJson(target, {
      headers: [["Content-Type", "application/json"]],
      body: [body.slice(0, middle), body.slice(middle)],
    });
  },
  assert(exchange): Warning | undefined {
    const { status } = exchange.response;
    // RFC 9110 §15.5.12.
    if (status === 411) throw new NotApplicableError("the target requires Content-Length (411)");
    // How a body is framed is HTTP's (RFC 9112 §7.1), of which the document says nothing.
    if (isRefusalStatus(status)) return warning(`the body is not read: ${summary(exchange)}`);
    expectClient(exchange);
    return undefined;
  },
});

const withBearer = check({
  id: "DCR-01/with-bearer",
  claim:
    "A registration with a meaningless `Authorization: Bearer` is answered with a `client_id`; one that is refused for it passes with a warning.",
  act: (target) =>
    registrationAsJson(target, {
      headers: [
        ["Content-Type", "application/json"],
        ["Authorization", `Bearer ${unguessable()}`],
      ],
      body: JSON.stringify(publicMetadata()),
    }),
  assert(exchange): Warning | undefined {
    // Open to everybody, it needs no credential; the document does not say what a wrong one does (RFC 7591 §3).
    if ([401, 403].includes(exchange.response.status))
      return warning(`a credential that nobody asks for is refused: ${summary(exchange)}`);
    expectClient(exchange);
    return undefined;
  },
});

/** The metadata sent in other ways than most clients do. Document, "Endpoints", OAuth endpoints. */
export const registrationFormChecks = [withCharset, inChunks, withBearer];
