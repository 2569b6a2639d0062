import { replaceIn } from "../../suites/support/target/address-templates.ts";
import { freePort } from "../../fixtures/service/free-port.ts";
import { isJsonObject, type JsonObject } from "../../suites/support/wire/exchange.ts";

/** What the command line says of how to start the target, in place of the profile. */
export interface StartFlags {
  readonly command?: string | undefined;
  readonly image?: string | undefined;
  readonly compose?: string | undefined;
  readonly restart: boolean;
}

const listeners = ["auth", "api", "mcp"];

/**
 * Completes a profile whose target is started by this run: the command line decides what is started, and a port 0 becomes a
 * free port of this machine. In a profile that starts nothing it stays, and is refused.
 *
 * @param content - a profile as parsed JSON
 */
export async function completeStart(content: unknown, flags: StartFlags): Promise<unknown> {
  if (!isJsonObject(content)) return content;
  const start = withFlags(content["start"], flags);
  if (!isJsonObject(start)) return content;
  const addresses = await Promise.all(
    listeners.map(async (name) => [`${name}_url`, await withPort(content[`${name}_url`])] as const),
  );
  const ports = await freePorts(start["ports"]);
  // What is named beside the three listeners has no address in the profile that could name its port.
  const others = Object.entries(ports).filter(([name]) => !listeners.includes(name));
  const values = new Map(others.map(([name, port]) => [`${name}_port`, String(port)]));
  const completed = {
    ...content,
    ...Object.fromEntries(addresses.filter(([, address]) => address !== undefined)),
    start: { ...start, ...(Object.keys(ports).length > 0 && { ports }) },
  };
  return replaceIn(completed, values);
}

function withFlags(start: unknown, { command, image, compose, restart }: StartFlags): unknown {
  const ways = Object.entries({ command, image, compose }).filter(([, value]) => value !== undefined);
  if (ways.length === 0 && !restart) return start;
  const given: JsonObject = isJsonObject(start) ? start : {};
  const { command: _command, image: _image, compose: _compose, ...rest } = given;
  return {
    ...(ways.length === 0 ? given : rest),
    ...Object.fromEntries(ways),
    ...(restart && { restart }),
  };
}

const portZero = /^(https?:\/\/[^/:]+|https?:\/\/\[[^\]]+\]):0(?=\/|$)/u;

async function withPort(address: unknown): Promise<unknown> {
  if (typeof address !== "string" || !portZero.test(address)) return address;
  const port = await freePort();
  return address.replace(portZero, (_, origin: string) => `${origin}:${port}`);
}

async function freePorts(ports: unknown): Promise<JsonObject> {
  if (!isJsonObject(ports)) return {};
  const chosen = Object.entries(ports).map(async ([name, port]) => {
    const isFree = port === 0 && !listeners.includes(name);
    return [name, isFree ? await freePort() : port] as const;
  });
  return Object.fromEntries(await Promise.all(chosen));
}
