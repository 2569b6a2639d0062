import { isJsonObject } from "../wire/exchange.ts";

/** Keys of a profile in whose texts `{auth_url}`, `{api_port}` and the like stand for the target's addresses. */
const keysWithTemplates = ["clock", "hooks", "internal_urls", "start"];

const listeners = ["auth", "api", "mcp"];

/**
 * Puts a profile's addresses in the place of `{auth_url}`, `{auth_port}` and so on, so that they are written once.
 *
 * @param content - a profile as parsed JSON
 */
export function withAddresses(content: unknown): unknown {
  if (!isJsonObject(content)) return content;
  const values = new Map<string, string>();
  for (const name of listeners) {
    const address = content[`${name}_url`];
    const url = typeof address === "string" ? URL.parse(address) : null;
    if (typeof address !== "string" || url === null) continue;
    values.set(`${name}_url`, address);
    values.set(`${name}_port`, portOf(url));
  }
  return Object.fromEntries(
    Object.entries(content).map(([key, value]) => [
      key,
      keysWithTemplates.includes(key) ? replaceIn(value, values) : value,
    ]),
  );
}

/** The port that a URL leads to, as text. */
export function portOf({ port, protocol }: URL): string {
  if (port !== "") return port;
  return protocol === "https:" ? "443" : "80";
}

/** Replaces `{name}` in every text of a JSON value; names without a value stay as they are. */
export function replaceIn(value: unknown, values: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string")
    return value.replaceAll(/\{(\w+)\}/gu, (template, name: string) => values.get(name) ?? template);
  if (Array.isArray(value)) return value.map((item: unknown) => replaceIn(item, values));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceIn(item, values)]));
}
