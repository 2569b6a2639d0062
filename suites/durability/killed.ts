import type { AuthorizationCode, Client } from "../support/actors/oauth-client.ts";
import { revokeOnDashboard } from "../support/actors/operator.ts";
import { clientFor } from "../support/material/clients.ts";
import { processOf } from "../support/target/process-of.ts";
import type { Target } from "../support/target/target.ts";
import { isDisturbance } from "../support/wire/disturbance.ts";
import {
  type AgentsBefore,
  clientBefore,
  codeBefore,
  grantBefore,
  grantForDashboard,
  type GrantsBefore,
  newAgent,
  newDraft,
  type OpenDraftBox,
  openDraftBox,
  publishedKeys,
  redeem,
  revoke,
  rotate,
  sessionOf,
  type Solved,
  solved,
  spend,
} from "./before.ts";
import { type HeldGrant, type Prepared, prepared } from "./lives.ts";
import type { Before } from "./restarted.ts";

const bursts = 3;

// An engine takes some time to kill a container; nobody writes for ever.
const mostLastWrites = 400;

/**
 * Writes in every way at once and kills the target right after an acknowledgement, with more writes under way: once for all
 * checks of a run.
 */
export function killed(target: Target): Promise<Before> {
  return target.setup.once("durability:killed", async (recording) => {
    const process = processOf(recording);
    const writing = recording.changing((outgoing) => ({ ...outgoing, mayBeLost: true }));
    const agents = await prepared(() => agentWriter(recording, writing));
    // Codes live for a short time, so they are issued last.
    const grants = await prepared(() => grantWriter(recording, writing));
    const failure = await prepared(async () => {
      for (let burst = 0; burst < bursts; burst += 1) {
        // A proof takes the target a while to verify; what follows is acknowledged right before the end.
        if ("part" in agents) await agents.part.logIn();
        await Promise.all(["part" in agents && agents.part.write(), "part" in grants && grants.part.write()]);
      }
      let hasEnded = false;
      const ended = process.kill().finally(() => {
        hasEnded = true;
      });
      await Promise.all([
        ended,
        "part" in agents && agents.part.writeUntil(() => hasEnded),
        "part" in grants && grants.part.writeUntil(() => hasEnded),
      ]);
      await process.startAgain();
    });
    if ("error" in failure) return { grants: failure, agents: failure };
    return { grants: written(grants), agents: written(agents) };
  });
}

interface Writer<Part> {
  /** One write of each kind. */
  write(): Promise<void>;
  /** Writes until the target has ended; what it does not answer is not noted. */
  writeUntil(hasEnded: () => boolean): Promise<void>;
  acknowledged(): Part;
}

function written<Part>(writer: Prepared<Writer<Part>>): Prepared<Part> {
  return "error" in writer ? writer : { part: writer.part.acknowledged() };
}

async function untilLost(hasEnded: () => boolean, write: () => Promise<void>): Promise<void> {
  try {
    for (let count = 0; count < mostLastWrites && !hasEnded(); count += 1) await write();
  } catch (error) {
    if (!isDisturbance(error)) throw error;
  }
}

async function several<Item>(make: (at: number) => Promise<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for (let at = 0; at < bursts; at += 1) items.push(await make(at));
  return items;
}

async function grantWriter(target: Target, writing: Target): Promise<Writer<GrantsBefore>> {
  const client = await clientBefore(target, "killed", "client");
  const grantFor = (purpose: string): Promise<HeldGrant[]> =>
    several((at) => grantBefore(target, "killed", `${purpose}-${at}`));
  let rotating = await grantFor("rotated");
  const idle = await grantFor("current");
  const ending = await grantFor("revoked");
  const onDashboard = (await several((at) => grantForDashboard(target, "killed", `${at}`))).filter(
    (grant) => grant !== undefined,
  );
  const keysBefore = await publishedKeys(target);
  const codes = await several((at) => codeBefore(target, "killed", `code-${at}`));
  const noted = {
    newClients: [] as Client[],
    spentCodes: [] as AuthorizationCode[],
    current: [] as HeldGrant[],
    revoked: [] as HeldGrant[],
    revokedOnDashboard: [] as HeldGrant[],
  };
  const superseded: (string | undefined)[] = [];

  async function rotateAll(): Promise<void> {
    await Promise.all(
      rotating.map(async (grant, at) => {
        const next = await rotate(writing, grant);
        superseded[at] = grant.tokens.refresh_token;
        rotating = rotating.with(at, next);
      }),
    );
  }

  return {
    async write() {
      const at = noted.spentCodes.length;
      await Promise.all([
        rotateAll(),
        clientFor(target, "public", `durability:killed:new-${at}`).then((made) =>
          noted.newClients.push(made),
        ),
        ...take(codes, at, async (code) => {
          await redeem(writing, code);
          noted.spentCodes.push(code);
        }),
        ...take(idle, at, async (grant) => noted.current.push(await rotate(writing, grant))),
        ...take(ending, at, async (grant) => noted.revoked.push(await revoke(writing, grant))),
        ...take(onDashboard, at, async (grant) => {
          await revokeOnDashboard(target, grant.client);
          noted.revokedOnDashboard.push(grant);
        }),
      ]);
    },
    writeUntil: (hasEnded) => untilLost(hasEnded, rotateAll),
    acknowledged: () => ({
      client,
      keysBefore,
      ...noted,
      rotated: rotating.flatMap((grant, at) => {
        const token = superseded[at];
        return token === undefined ? [] : [{ ...grant, superseded: token }];
      }),
    }),
  };
}

function take<Item>(
  items: readonly Item[],
  at: number,
  write: (item: Item) => Promise<unknown>,
): Promise<unknown>[] {
  return items.slice(at, at + 1).map(write);
}

interface AgentWriter extends Writer<AgentsBefore> {
  /** Spends a challenge. */
  logIn(): Promise<void>;
}

async function agentWriter(target: Target, writing: Target): Promise<AgentWriter> {
  const agent = await newAgent(target);
  const { apiKey } = agent;
  const sessionJwt = await sessionOf(target, apiKey);
  const box: OpenDraftBox = await openDraftBox(target, sessionJwt, agent);
  const challenges: Solved[] = await several(() => solved(target));
  const spent: Solved[] = [];
  const newApiKeys: string[] = [];
  const emailIds: string[] = [];
  const writeDraft = async (): Promise<void> => void emailIds.push(await newDraft(writing, box));
  return {
    async logIn() {
      const next = challenges[spent.length];
      if (next !== undefined) {
        await spend(writing, apiKey, next);
        spent.push(next);
      }
      if (spent.length === bursts) newApiKeys.push((await newAgent(target)).apiKey);
    },
    write: writeDraft,
    writeUntil: (hasEnded) => untilLost(hasEnded, writeDraft),
    acknowledged: () => ({ apiKey, sessionJwt, newApiKeys, spent, emailIds }),
  };
}
