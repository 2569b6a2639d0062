import type { WhichHuman } from "../support/actors/human.ts";
import { bearer, getAgents, inboxQuery, jmapAs, methodResponses } from "../support/actors/jmap.ts";
import { initializeMcp } from "../support/actors/mcp.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { type Exchange, isSuccess, jsonMembers } from "../support/wire/exchange.ts";
import type { Place } from "./grants.ts";

/** Uses an access token at one of the places that take one. @param human - whose inbox is asked for at JMAP */
export async function usedAt(
  place: Place,
  target: Target,
  accessToken: string,
  human: WhichHuman,
): Promise<Exchange> {
  switch (place) {
    case "JMAP":
      return jmapAs(target, accessToken, await inboxOf(target, human), inboxQuery);
    case "the inbox list":
      return getAgents(target, [bearer(accessToken)]);
    case "the MCP endpoint":
      return initializeMcp(target, [bearer(accessToken)]);
  }
}

export function isServedAt(place: Place, exchange: Exchange): boolean {
  if (place === "JMAP") return methodResponses(exchange) !== undefined;
  return (
    isSuccess(exchange) && (place !== "the inbox list" || Array.isArray(jsonMembers(exchange)["agents"]))
  );
}
