import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { NodeFault } from "../../fixtures/faults/nodes/node-fault.ts";
import { defaultConfiguration } from "../../fixtures/service/configuration.ts";
import { mergeConfiguration } from "../../fixtures/service/configuration-override.ts";
import { type BalancedNode, startBalancer } from "../../fixtures/service/nodes/balancer.ts";
import { startService, type RunningService } from "../../fixtures/service/service.ts";
import { createMemoryStore } from "../../fixtures/service/store/memory/memory-store.ts";
import { createTables } from "../../fixtures/service/store/memory/tables.ts";
import type { Check } from "../../suites/support/judging/check.ts";
import type { CheckResult } from "../../suites/support/judging/judge.ts";
import { runChecks } from "../../suites/support/judging/run.ts";
import type { NodeAddress } from "../../suites/support/target/node-settings.ts";
import { embeddedProfile } from "../embedded-service.ts";
import { createUnlockingKeys } from "../unlocking-keys.ts";
import { defaultDifficultyBits } from "./judge-service.ts";
import { sharedSolver } from "./shared-solver.ts";

/** How nodes are defective; they are sound when all of it is left out. */
type Nodes = Partial<Omit<NodeFault, "id" | "defect" | "caughtBy">> & {
  /** What the death of a node does, besides that it no longer serves. */
  readonly onDeath?: (at: number) => void;
};

export interface JudgedNodes {
  readonly count: number;
  /** The profile lists the address of each, so that nothing is left to chance. */
  readonly isListed?: boolean;
  /** The profile says how to kill one, for as long as another serves. */
  readonly mayDie?: boolean;
}

/** Judges nodes of the reference service, in this process and with one store in memory, behind one address for each listener. */
export async function judgeNodes(
  { count, isListed = false, mayDie = false }: JudgedNodes,
  { storeOf, rulesOf, stepsOf, configuration = {}, onStarted, onDeath }: Nodes,
  checks: readonly Check[],
): Promise<readonly CheckResult[]> {
  const keys = createUnlockingKeys();
  const tables = createTables();
  const shared = createMemoryStore(tables);
  const balancer = await startBalancer(defaultConfiguration, null);
  const services: RunningService[] = [];
  const balanced: BalancedNode[] = [];
  let dead = 0;

  /** The oldest that lives. */
  async function killOne(): Promise<void> {
    const [node, service] = [balanced[dead], services[dead]];
    if (node === undefined || service === undefined || dead + 1 >= count)
      throw new RangeError("no node may be killed, since no other serves");
    dead += 1;
    balancer.remove(node);
    onDeath?.(dead - 1);
    await service.close();
  }
  const killer = createServer((_, response) => {
    killOne().then(
      () => response.writeHead(204).end(),
      (cause: unknown) => response.writeHead(500).end(String(cause)),
    );
  });
  try {
    // One after another, so that the first makes what all share.
    for (let at = 0; at < count; at += 1) {
      const settings = mergeConfiguration(
        configuration,
        mergeConfiguration({ ...keys.configuration, publicUrls: balancer.urls }),
      );
      const service = await startService({
        configuration: { ...settings, pow: { difficultyBits: defaultDifficultyBits } },
        store: storeOf?.(shared, tables, at) ?? shared,
        rules: rulesOf?.(at) ?? {},
        steps: stepsOf?.(at) ?? [],
        isNode: true,
      });
      services.push(service);
      const node: BalancedNode = {
        async accept(listener, socket) {
          service.accept(listener, socket);
          return true;
        },
      };
      balanced.push(node);
      balancer.add(node);
    }
    await onStarted?.(services);
    const { auth: auth_url, api: api_url, mcp: mcp_url } = balancer.urls;
    const { humans } = mergeConfiguration({});
    const profile = embeddedProfile({ addresses: { auth_url, api_url, mcp_url }, humans, keys });
    const addressesOf = (listener: "auth" | "api"): NodeAddress[] =>
      isListed ? services.map(({ ports }) => ({ host: "127.0.0.1", port: ports[listener] })) : [];
    const nodes = { count, addresses: { auth: addressesOf("auth"), api: addressesOf("api") } };
    // What they share is in one memory.
    const settings = {
      nodes,
      revocation_propagation_seconds: 1,
      ...(mayDie && { hooks: { ...profile.hooks, kill_node: { url: await listening(killer) } } }),
    };
    return (await runChecks(checks, { ...profile, ...settings }, { solver: sharedSolver })).results;
  } finally {
    killer.close();
    balancer.close();
    await Promise.all(services.slice(dead).map((service) => service.close()));
    keys.remove();
  }
}

async function listening(server: Server): Promise<string> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("expected a port");
  return `http://127.0.0.1:${address.port}/kill-node`;
}
