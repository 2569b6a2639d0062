import { mergeConfiguration } from "../../fixtures/service/configuration-override.ts";
import { startNodes } from "../../fixtures/service/nodes/node-group.ts";
import { startService } from "../../fixtures/service/service.ts";
import { postgresPrograms, startPostgres } from "../../fixtures/service/store/postgres/test-server.ts";
import { startFrontedService } from "../../fixtures/test-servers/fronted-service.ts";
import { browserFetch } from "./browser-fetch.ts";

/** The sandbox as clients find it. */
export interface Sandbox {
  readonly auth_url: string;
  readonly api_url: string;
  readonly mcp_url: string;
  /** What a client sends its requests with. */
  readonly fetch: typeof fetch;
  close(): Promise<void>;
}

export interface Setting {
  /** Completes "with the sandbox …". */
  readonly name: string;
  open(): Promise<Sandbox>;
}

/** Whatever the global one is replaced with. */
const networkFetch = fetch;
const pageOrigin = "https://app.example.test";
const configuration = { pow: { difficultyBits: 0 } };

async function startAlone(
  more: Parameters<typeof mergeConfiguration>[0] = {},
): Promise<Omit<Sandbox, "fetch">> {
  const service = await startService({ configuration: { ...configuration, ...more } });
  const { authUrl, apiUrl, mcpUrl } = service.addresses;
  return { auth_url: authUrl, api_url: apiUrl, mcp_url: mcpUrl, close: () => service.close() };
}

async function startTwoNodes(): Promise<Sandbox> {
  const database = await startPostgres();
  const group = await startNodes(2, {
    configuration: mergeConfiguration(configuration),
    storage: { dataDirectory: null, databaseUrl: await database.createDatabase() },
  });
  const { authUrl, apiUrl, mcpUrl } = group.addresses;
  return {
    auth_url: authUrl,
    api_url: apiUrl,
    mcp_url: mcpUrl,
    // A connection of its own each, so that requests go to the nodes by turns.
    fetch(input, init) {
      const request = new Request(input, init);
      request.headers.set("connection", "close");
      return networkFetch(request);
    },
    async close() {
      await group.close();
      await database.stop();
    },
  };
}

const twoNodes: Setting = { name: "of two nodes on PostgreSQL", open: startTwoNodes };

/** Those that can be had here. */
export const settings: readonly Setting[] = [
  { name: "alone", open: async () => ({ ...(await startAlone()), fetch: networkFetch }) },
  {
    name: "behind a proxy that has its public addresses",
    async open() {
      const { addresses, close } = await startFrontedService({ configuration });
      return { ...addresses, fetch: networkFetch, close };
    },
  },
  {
    name: "from a web page of a listed origin",
    async open() {
      const sandbox = await startAlone({ browserOrigins: [pageOrigin] });
      return { ...sandbox, fetch: browserFetch(pageOrigin) };
    },
  },
  ...(postgresPrograms() === null ? [] : [twoNodes]),
];
