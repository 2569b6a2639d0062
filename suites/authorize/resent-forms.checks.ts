import { endInWords } from "../support/judging/expected-code.ts";
import { randomUUID } from "node:crypto";
import { attempt, codeIn } from "../support/actors/authorization.ts";
import { authorizationRequest } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { clientFor } from "../support/material/clients.ts";
import { listedInboxes } from "../support/material/inboxes.ts";
import { InconclusiveError, NotApplicableError } from "../support/verdict.ts";
import { type Exchange, summary } from "../support/wire/exchange.ts";
import { isGatewayStatus } from "../support/wire/disturbance.ts";
import type { Outgoing } from "../support/wire/outgoing.ts";
import { endOf, isAtServer, postedForm, sendingFields } from "../support/material/forged-forms.ts";

/** A gateway's 5xx is not the service's. */
function expectNoOwnError(exchange: Exchange): void {
  const { status } = exchange.response;
  const isOwnError = status >= 500 && !isGatewayStatus(status);
  expectThat(!isOwnError, "no 5xx", summary(exchange), exchange);
}

const sentAgain = check({
  id: "ERR-11/approval-sent-again",
  claim: "The request of the browser that led to a code is not answered with 5xx when it is sent again.",
  needs: ["human", "pages"],
  async act(target) {
    // Whom the person has approved before may be asked nothing.
    const client = await clientFor(target, "public", "approval-sent-again");
    target.spend("grants");
    let last: Outgoing | undefined;
    const watched = target.changing((outgoing) => {
      if (isAtServer(target, outgoing.url)) last = outgoing;
      return outgoing;
    });
    const seen = await attempt(watched, authorizationRequest(target, client));
    if (codeIn(seen.end) === undefined || last === undefined)
      throw new InconclusiveError(
        "control-refused",
        `a valid request that the person approves: expected a redirect with a code, got ${endInWords(seen)}`,
        { exchange: seen.end.exchange, explainedBy: "AUTHZ-09/code" },
      );
    return target.send(last);
  },
  assert: expectNoOwnError,
});

const unknownInbox = check({
  id: "ERR-11/unknown-inbox-in-form",
  claim: "A consent form that names an inbox that nobody has is not answered with 5xx.",
  needs: ["human", "pages"],
  async act(target) {
    const own = (await listedInboxes(target)).map(({ accountId }) => accountId);
    const client = await authorizingClient(target);
    target.spend("grants");
    const nobodys = randomUUID();
    const posted = new Set<unknown>();
    const forged = target.changing((outgoing) => {
      const form = postedForm(target, outgoing);
      if (form === undefined || !form.fields.some(([, value]) => own.includes(value))) return outgoing;
      const fields = form.fields.map(
        ([name, value]) => [name, own.includes(value) ? nobodys : value] as const,
      );
      const changed = sendingFields(outgoing, form, fields);
      posted.add(changed.body);
      return changed;
    });
    await endOf(target, () => attempt(forged, authorizationRequest(target, client), { forged: true }));
    if (posted.size === 0)
      throw new NotApplicableError("no form that the person posted names an inbox by its accountId");
    return target.runExchanges().filter(({ request }) => posted.has(request.body));
  },
  assert(exchanges) {
    for (const exchange of exchanges) expectNoOwnError(exchange);
  },
});

/** Browsers send forms again, and change them: after "back", a double click, or a page that was open for long. */
export const resentFormChecks = [sentAgain, unknownInbox];
