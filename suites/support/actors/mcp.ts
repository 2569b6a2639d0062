import type { Exchange, HeaderLines } from "../wire/exchange.ts";
import type { Outgoing } from "../wire/http.ts";
import type { Target } from "../target/target.ts";

const protocolVersion = "2025-06-18";

/** The first message of an MCP client, whatever the credential. */
export function initializeMessage(target: Target, credential: HeaderLines): Outgoing {
  return mcpMessage(target, credential, {
    id: 1,
    method: "initialize",
    params: { protocolVersion, capabilities: {}, clientInfo: { name: "mailproof", version: "1" } },
  });
}

/** A later message of a session, which any server answers. MCP specification, "Session management", and "Ping". */
export function pingMessage(target: Target, credential: HeaderLines, sessionId: string): Outgoing {
  const lines: HeaderLines = [
    ...credential,
    ["Mcp-Session-Id", sessionId],
    ["MCP-Protocol-Version", protocolVersion],
  ];
  return mcpMessage(target, lines, { id: 2, method: "ping" });
}

function mcpMessage(target: Target, lines: HeaderLines, message: object): Outgoing {
  return {
    method: "POST",
    url: `${target.mcpUrl}/mcp`,
    headers: [
      ...lines,
      ["Content-Type", "application/json"],
      ["Accept", "application/json, text/event-stream"],
    ],
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
  };
}

/** The first message of a session. MCP specification, "Initialization". @param credential - header lines, if any */
export function initializeMcp(target: Target, credential: HeaderLines): Promise<Exchange> {
  return target.send(initializeMessage(target, credential));
}
