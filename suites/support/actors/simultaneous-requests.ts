import { tokenRequest } from "./oauth-client.ts";
import type { Exchange } from "../wire/exchange.ts";
import { originOf } from "../wire/url.ts";
import type { Parameters } from "../wire/parameters.ts";
import type { Target } from "../target/target.ts";

/**
 * Posts the same form to the token endpoint many times at the same moment, each over a connection that is open already:
 * connecting would spread the requests over more time than a race needs.
 */
export async function postTokenSimultaneously(
  target: Target,
  fields: Parameters,
  count: number,
): Promise<Exchange[]> {
  const connections = Array.from({ length: count }, () => target.connect(originOf(target.authUrl)));
  try {
    const warmUp = { method: "GET", url: `${target.authUrl}/.well-known/jwks.json` };
    await Promise.all(connections.map((connection) => connection.send(warmUp)));
    const request = tokenRequest(target, fields);
    return await Promise.all(connections.map((connection) => connection.send(request)));
  } finally {
    await Promise.all(connections.map((connection) => connection.close()));
  }
}
