import { jmapResource } from "../support/actors/oauth-client.ts";
import type { Attempt } from "../support/actors/authorization.ts";
import { check } from "../support/judging/check.ts";
import { type ClientKind, sharedClient } from "../support/material/clients.ts";
import { replacing, without } from "../support/wire/parameters.ts";
import { expectAuthorizationRefused } from "../support/judging/refusals.ts";
import { type Finding, observation } from "../support/verdict.ts";
import { type NearMiss, pieces } from "./near-miss.ts";
import { originNearMisses } from "./origin-near-misses.ts";
import { pathNearMisses } from "./path-near-misses.ts";
import {
  addressesOf,
  attemptChanged,
  attemptResource,
  isAccepted,
  mismatch,
  mismatchOfTheRfc,
} from "./requests.ts";
import { valueNearMisses } from "./value-near-misses.ts";

function refusal(
  id: string,
  { words, sent }: NearMiss,
  kind: ClientKind = "public",
): ReturnType<typeof check<Attempt | undefined>> {
  return check({
    id,
    claim: `The JMAP resource ${words} is refused with invalid_request${kind === "public" ? "" : ` for a ${kind} client`}.`,
    async act(target): Promise<Attempt | undefined> {
      const { client_id: clientId } = await sharedClient(target, kind);
      const value = sent(pieces(jmapResource(target)), addressesOf(target, clientId));
      return isAccepted(target, value) ? undefined : attemptResource(target, value, kind);
    },
    assert(seen): Finding | undefined {
      // Where addresses have an origin in common, the near miss of one may be the other.
      if (seen === undefined)
        return observation("of this target's addresses, that makes an accepted resource");
      return expectAuthorizationRefused(seen, mismatch, mismatchOfTheRfc);
    },
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
    claim: `A request of a ${kind} client without resource is refused with 400 invalid_request.`,
    async act(target) {
      const change = { client: kind, resource: jmapResource(target) };
      return attemptChanged(target, { ...change, change: (parameters) => without(parameters, "resource") });
    },
    assert: ({ seen }) => expectAuthorizationRefused(seen, mismatch),
  }),
);

const empty = [
  { slug: "empty", words: "an empty resource", value: "" },
  { slug: "space", words: "a resource of one space", value: " " },
].map(({ slug, words, value }) =>
  check({
    id: `RES-05/${slug}`,
    claim: `A request with ${words} is refused with 400 invalid_request.`,
    act: async (target) =>
      attemptChanged(target, {
        resource: jmapResource(target),
        change: (parameters) => replacing(parameters, "resource", value),
      }),
    assert: ({ seen }) => expectAuthorizationRefused(seen, mismatch, mismatchOfTheRfc),
  }),
);

const errorCode = check({
  id: "RES-26",
  claim: "The error of a resource that is not accepted is invalid_request; invalid_target is RFC 8707's.",
  act: async (target) => attemptResource(target, "https://evil.test/jmap"),
  assert: (seen) => expectAuthorizationRefused(seen, mismatch, mismatchOfTheRfc),
});

export const refusedValueChecks = [...absent, ...empty, ...nearMisses, errorCode, ...everyKindOfClient];
