import type { Exchange, HeaderLines } from "../wire/exchange.ts";
import type { Outgoing } from "../wire/http.ts";
import type { Target } from "../target/target.ts";

/** The first message of an MCP client, whatever the credential. */
export function initializeMessage(target: Target, credential: HeaderLines): Outgoing {
  return {
    method: "POST",
    url: `${target.mcpUrl}/mcp`,
    headers: [
      ...credential,
      ["Content-Type", "application/json"],
      ["Accept", "application/json, text/event-stream"],
    ],
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "mailproof", version: "1" },
      },
    }),
  };
}

export function initializeMcp(target: Target, credential: HeaderLines): Promise<Exchange> {
  return target.send(initializeMessage(target, credential));
}
