import { capabilityRequest, postCapability, requireBearer } from "../support/actors/agent.ts";
import { bearer } from "../support/actors/jmap.ts";
import { documentRequest } from "../support/actors/mail-session.ts";
import { check } from "../support/judging/check.ts";
import { shown } from "../support/judging/expect.ts";
import { freshCapability, sharedSession } from "../support/material/agents.ts";
import { answeredOrDropped } from "../support/target/unserved-host.ts";
import { NotApplicableError, type Warning, warning } from "../support/verdict.ts";
import { isJsonObject, isSuccess, jsonMembers } from "../support/wire/exchange.ts";
import { requiredDocument } from "./capabilities.checks.ts";

const foreignHost = "evil.example";

const spoofable = ["Host", "X-Forwarded-Host"];

const docsUrls = spoofable.map((header) =>
  check({
    id: `POW-54/${header.toLowerCase()}`,
    claim: `A refused capability request does not take the host of its \`docs_url\` from the header \`${header}\`.`,
    async act(target) {
      const session = await sharedSession(target);
      requireBearer(await postCapability(target.control, session), "minting a capability", "POW-48");
      const { headers: _session, ...request } = capabilityRequest(target, "");
      return answeredOrDropped(
        target,
        () => target.send({ ...request, headers: [[header, foreignHost]], mayBeLost: true }),
        () => target.control.send(request),
      );
    },
    assert(exchange): Warning | undefined {
      // Another site may answer for the host that the request names.
      if (isSuccess(exchange)) throw new NotApplicableError("the request is not refused");
      // That errors have the address is judged by POW-54.
      const { error } = jsonMembers(exchange);
      const { docs_url: address } = isJsonObject(error) ? error : {};
      if (typeof address !== "string" || URL.parse(address)?.hostname !== foreignHost) return undefined;
      return warning(`docs_url ${shown(address)} is at the host that the request names`);
    },
  }),
);

const apiUrls = spoofable.map((header) =>
  check({
    id: `POW-61/${header.toLowerCase()}`,
    claim: `The session document does not take the host of its \`apiUrl\` from the header \`${header}\` of the request.`,
    async act(target) {
      const own = bearer(await freshCapability(target));
      const spoofed = documentRequest(target, [own, [header, foreignHost]]);
      return answeredOrDropped(
        target,
        () => target.send({ ...spoofed, mayBeLost: true }),
        () => requiredDocument(target.control),
      );
    },
    assert(exchange): Warning | undefined {
      // A target that serves no such request names no other host.
      const { apiUrl } = jsonMembers(exchange);
      if (!isSuccess(exchange) || typeof apiUrl !== "string") return undefined;
      if (URL.parse(apiUrl)?.hostname !== foreignHost) return undefined;
      // Nothing says that the address is configured: a target may serve several hosts.
      return warning(`apiUrl ${shown(apiUrl)} is at the host that the request names`);
    },
  }),
);

/** Where a request is told to go is not said by a header that anybody can send. Document, "Resources", session document and error body. */
export const spoofedHostChecks = [...apiUrls, ...docsUrls];
