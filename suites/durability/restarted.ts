import { revokeOnDashboard } from "../support/actors/operator.ts";
import { processOf } from "../support/target/process-of.ts";
import type { Target } from "../support/target/target.ts";
import {
  type AgentsBefore,
  clientBefore,
  codeBefore,
  grantBefore,
  grantForDashboard,
  type GrantsBefore,
  newAgent,
  newDraft,
  openDraftBox,
  publishedKeys,
  redeem,
  revoke,
  rotate,
  sessionOf,
  solved,
  spend,
} from "./before.ts";
import { type Prepared, prepared } from "./lives.ts";

/** What the target acknowledged before it ended. */
export interface Before {
  readonly grants: Prepared<GrantsBefore>;
  readonly agents: Prepared<AgentsBefore>;
}

/** Prepares one of everything and restarts the target: once for all checks of a run. */
export function restarted(target: Target): Promise<Before> {
  return target.setup.once("durability:restarted", async (recording) => {
    const process = processOf(recording);
    const before = {
      grants: await prepared(() => prepareGrants(recording)),
      agents: await prepared(() => prepareAgents(recording)),
    };
    const failure = await prepared(() => process.restart());
    return "error" in failure ? { grants: failure, agents: failure } : before;
  });
}

async function prepareGrants(target: Target): Promise<GrantsBefore> {
  const client = await clientBefore(target, "restarted", "client");
  const rotating = await grantBefore(target, "restarted", "rotated");
  const rotated = await rotate(target, rotating);
  const code = await codeBefore(target, "restarted", "code");
  await redeem(target, code);
  const onDashboard = await grantForDashboard(target, "restarted", "one");
  if (onDashboard !== undefined) await revokeOnDashboard(target, onDashboard.client);
  return {
    client,
    newClients: [client],
    spentCodes: [code],
    rotated: [{ ...rotated, superseded: rotating.tokens.refresh_token }],
    current: [await grantBefore(target, "restarted", "current")],
    keysBefore: await publishedKeys(target),
    revoked: [await revoke(target, await grantBefore(target, "restarted", "revoked"))],
    revokedOnDashboard: onDashboard === undefined ? [] : [onDashboard],
  };
}

async function prepareAgents(target: Target): Promise<AgentsBefore> {
  const agent = await newAgent(target);
  const { apiKey } = agent;
  const spent = await solved(target);
  await spend(target, apiKey, spent);
  const sessionJwt = await sessionOf(target, apiKey);
  const emailId = await newDraft(target, await openDraftBox(target, sessionJwt, agent));
  return { apiKey, newApiKeys: [apiKey], spent: [spent], emailIds: [emailId], sessionJwt };
}
