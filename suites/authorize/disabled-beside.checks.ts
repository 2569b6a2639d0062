import {
  type Attempt,
  attempt,
  codeIn,
  endedClients,
  obtainCode,
  provenRequests,
  requireFetchedDocument,
} from "../support/actors/authorization.ts";
import {
  authorizationRequest,
  type Client,
  postToken,
  refreshExchange,
  unguessable,
} from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectStatus, expectThat } from "../support/judging/expect.ts";
import { clientFor } from "../support/material/clients.ts";
import { grantTo } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError } from "../support/verdict.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import { valueOf } from "../support/wire/parameters.ts";
import { disable, pollUntilRefused } from "./disabling.ts";

/** What a client gets after another one of its host was disabled. */
interface Beside {
  readonly authorization: Attempt;
  readonly refresh: Exchange;
}

/** Disables one of two clients whose documents are at one host, and lets the other try: once for both checks. */
function besideDisabled(target: Target): Promise<Beside> {
  return target.once("authorize:beside-disabled", async (recording) => {
    const { setup, control } = recording;
    const beside = await clientFor(setup, "document", `beside-disabled:${unguessable()}`);
    const client = await clientFor(setup, "document", `disabled-beside:${unguessable()}`);
    if (hostOf(client) !== hostOf(beside))
      throw new NotApplicableError("each document is published at a host of its own");
    await obtainCode(setup, authorizationRequest(setup, client));
    const { tokens } = await grantTo(control, beside);
    setup.note(endedClients, client.client_id);
    await disable(setup, "document", client);
    const { end } = await pollUntilRefused(setup, client);
    if (codeIn(end) !== undefined)
      throw new InconclusiveError("precondition-missing", "needs a client that was disabled", {
        exchange: end.exchange,
        explainedBy: "AUTHZ-07/disabled-document",
      });
    const authorization = await attempt(recording, authorizationRequest(recording, beside));
    if (codeIn(authorization.end) === undefined) {
      requireFetchedDocument(recording, beside.client_id);
      noteAllEnded(recording, hostOf(beside));
    }
    return {
      authorization,
      refresh: await postToken(recording, refreshExchange(beside, tokens.refresh_token)),
    };
  });
}

/** Clients of the host that were authorized in this run: that they are refused now tells of no restart. */
function noteAllEnded(target: Target, host: string): void {
  for (const { parameters } of target.noted(provenRequests)) {
    const client_id = valueOf(parameters, "client_id") ?? "";
    if (URL.canParse(client_id) && hostOf({ client_id }) === host) target.note(endedClients, client_id);
  }
}

function hostOf({ client_id }: Pick<Client, "client_id">): string {
  return new URL(client_id).host;
}

// Last: what a target disables beside it, other checks could need.
const experiment = {
  needs: ["human"],
  unlockedBy: "disable_document_client",
  last: true,
} as const;

/** The operator disables a client and not its host. Document, "Errors": invalid_client is for a disabled `client_id`. */
export const besideDisabledChecks = [
  check({
    id: "AUTHZ-07/beside-document",
    claim:
      "A client with a URL as `client_id` is still given a code after another one of its host was disabled.",
    ...experiment,
    act: async (target) => (await besideDisabled(target)).authorization,
    assert: ({ end }) =>
      expectThat(
        codeIn(end) !== undefined,
        "a redirect with a code",
        end.kind === "answer" ? end.reason : "a redirect without a code",
        end.exchange,
      ),
  }),
  check({
    id: "AUTHZ-07/refresh-beside-document",
    claim:
      "A grant of a client with a URL as `client_id` is still refreshed after another one of its host was disabled.",
    ...experiment,
    act: async (target) => (await besideDisabled(target)).refresh,
    assert: (refresh) => expectStatus(refresh, 200),
  }),
];
