import type { RunExchange } from "../run-format.ts";
import { splitUrl } from "../split-url.ts";

/** One thing that a request says. */
export interface RequestPart {
  /** `note`: a header line that mailproof adds for the logs of the target. */
  readonly group: "line" | "query" | "header" | "note" | "body";
  readonly name: string;
  readonly value: string;
  /** The same for parts of two requests that say the same thing: the group, the name, and which of several. */
  readonly key: string;
}

type Part = Omit<RequestPart, "key">;

const mostBodyParts = 80;

/** A request taken apart, so that two can be laid side by side. Values are spelled as they were sent. */
export function requestParts({ method, url, headers, body }: RunExchange["request"]): RequestPart[] {
  const { origin, target } = splitUrl(url);
  const [path = "", ...query] = target.split("?");
  const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  return keyed([
    { group: "line", name: "Request", value: `${method} ${origin}${path}` },
    ...pairs(query.join("?"), "query"),
    ...headers.map(([name, value]): Part => ({ group: isNote(name) ? "note" : "header", name, value })),
    ...bodyParts(body, type),
  ]);
}

function isNote(name: string): boolean {
  return name.toLowerCase() === "x-conformance-check";
}

function bodyParts(body: string, type: string): Part[] {
  if (body === "") return [];
  const isForm = type.includes("x-www-form-urlencoded");
  // A check may send one under the media type of the other.
  const parts = jsonParts(body) ?? (isForm ? pairs(body, "body") : undefined);
  return parts === undefined || parts.length > mostBodyParts
    ? [{ group: "body", name: "Body", value: body }]
    : parts;
}

function pairs(text: string, group: "query" | "body"): Part[] {
  if (text === "") return [];
  return text.split("&").map((pair) => {
    const at = pair.indexOf("=");
    return at === -1
      ? { group, name: pair, value: "" }
      : { group, name: pair.slice(0, at), value: pair.slice(at + 1) };
  });
}

function jsonParts(body: string): Part[] | undefined {
  try {
    const content: unknown = JSON.parse(body);
    return typeof content === "object" && content !== null ? leaves(content, "") : undefined;
  } catch {
    // Not JSON: it is shown as it is.
    return undefined;
  }
}

function leaves(content: unknown, path: string): Part[] {
  if (typeof content !== "object" || content === null || Object.keys(content).length === 0)
    return [{ group: "body", name: path, value: JSON.stringify(content) }];
  return Object.entries(content).flatMap(([name, value]) => {
    const step = Array.isArray(content) ? `[${name}]` : path === "" ? name : `.${name}`;
    return leaves(value, path + step);
  });
}

function keyed(parts: readonly Part[]): RequestPart[] {
  const seen = new Map<string, number>();
  return parts.map((part) => {
    const name = part.group === "header" || part.group === "note" ? part.name.toLowerCase() : part.name;
    const base = `${part.group} ${name}`;
    const count = (seen.get(base) ?? 0) + 1;
    seen.set(base, count);
    return { ...part, key: `${base} ${count}` };
  });
}
