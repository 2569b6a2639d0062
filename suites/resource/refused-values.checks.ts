import { authorizationRequest, jmapResource } from "../support/actors/oauth-client.ts";
import { type Attempt, attemptSignedIn } from "../support/actors/authorization.ts";
import { check } from "../support/judging/check.ts";
import { type ClientKind, sharedClient } from "../support/material/clients.ts";
import { explained } from "../support/judging/explained.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { replacing, without } from "../support/wire/parameters.ts";
import { expectAuthorizationRefused } from "../support/judging/refusals.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { type NearMiss, pieces } from "./near-miss.ts";
import { originNearMisses } from "./origin-near-misses.ts";
import { pathNearMisses } from "./path-near-misses.ts";
import {
  addressesOf,
  attemptChanged,
  attemptResource,
  expectResourceRefused,
  isAccepted,
  isRefusedAsResource,
  mismatch,
  mismatchOfTheRfc,
} from "./requests.ts";
import { valueNearMisses } from "./value-near-misses.ts";

function refusal(
  id: string,
  { words, sent }: NearMiss,
  kind: ClientKind = "public",
): ReturnType<typeof check<Attempt>> {
  const whose = kind === "public" ? "" : ` for a ${kind} client`;
  return check({
    id,
    claim: `The JMAP resource ${words} ${isRefusedAsResource}${whose}.`,
    async act(target) {
      const { client_id: clientId } = await sharedClient(target, kind);
      const value = sent(pieces(jmapResource(target)), addressesOf(target, clientId));
      // Where addresses have an origin in common, the near miss of one may be the other.
      if (isAccepted(target, value))
        throw new NotApplicableError(`${value} is another address of this target, and accepted`);
      return attemptResource(target, value, kind);
    },
    assert: expectResourceRefused,
  });
}

const values = [...pathNearMisses, ...originNearMisses, ...valueNearMisses];

const nearMisses = values.map((nearMiss) => refusal(`${nearMiss.requirement}/${nearMiss.slug}`, nearMiss));

const everyKindOfClient = values
  .filter(({ requirement, slug }) =>
    ["RES-06/one-slash", "RES-18/foreign-url"].includes(`${requirement}/${slug}`),
  )
  .map((nearMiss) => refusal(`RES-28/confidential-${nearMiss.slug}`, nearMiss, "confidential"));

const absent = (["public", "confidential"] as const).map((kind) =>
  check({
    id: `RES-04/${kind}`,
    claim: `An authorization request of a ${kind} client without \`resource\` is refused with \`invalid_request\`.`,
    async act(target) {
      const { seen } = await attemptChanged(target, {
        client: kind,
        resource: jmapResource(target),
        change: (parameters) => without(parameters, "resource"),
      });
      return seen;
    },
    assert: (seen) => expectAuthorizationRefused(seen, mismatch),
  }),
);

const empty = [
  { slug: "empty", words: "an empty `resource`", value: "" },
  { slug: "space", words: "a `resource` of one space", value: " " },
].map(({ slug, words, value }) =>
  check({
    id: `RES-05/${slug}`,
    claim: `An authorization request with ${words} ${isRefusedAsResource}.`,
    act: (target) => attemptResource(target, value),
    assert: expectResourceRefused,
  }),
);

const errorCode = check({
  id: "RES-26",
  claim: "The error of a foreign `resource` is `invalid_request`.",
  act: async (target) => attemptResource(target, "https://evil.test/jmap"),
  assert: (seen) => expectAuthorizationRefused(seen, mismatch, mismatchOfTheRfc),
});

const errorCodeSignedIn = check({
  id: "RES-26/signed-in",
  claim: "The error of a foreign `resource` is `invalid_request` for a person who is already signed in.",
  needs: ["human", "pages"],
  async act(target) {
    const client = await authorizingClient(target);
    const { parameters } = authorizationRequest(target, client);
    const sent = replacing(parameters, "resource", "https://evil.test/jmap");
    return attemptSignedIn(target, { client, parameters: sent });
  },
  assert: (seen) => explained("RES-26", () => expectAuthorizationRefused(seen, mismatch, mismatchOfTheRfc)),
});

export const refusedValueChecks = [
  ...absent,
  ...empty,
  ...nearMisses,
  errorCode,
  errorCodeSignedIn,
  ...everyKindOfClient,
];
