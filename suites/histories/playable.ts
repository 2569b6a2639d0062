import { z } from "zod";
import type { PlayableStory, StoryStep } from "../support/verdict.ts";
import type { AgentStep } from "./agent-model.ts";
import type { Step } from "./grants.ts";
import { isRequest, type Request } from "./requests.ts";

type Numbered = Step | AgentStep;

/** A life as data. */
export function playableLife(kind: "grants" | "agents", steps: readonly Numbered[]): PlayableStory {
  return { kind, steps: steps.map(countedIn(steps)) };
}

/** A burst as data. */
export function playableBurst(before: readonly Step[], together: readonly Request[]): PlayableStory {
  const counted = countedIn([...before, ...together]);
  return { kind: "burst", steps: before.map(counted), together: together.map(counted) };
}

const references: ReadonlySet<string> = new Set(["code", "tokens", "challenge", "session", "capability"]);

/** Steps without their numbers, which name one another by where they stand. */
function countedIn(all: readonly Numbered[]): (step: Numbered) => StoryStep {
  const places = new Map(all.map(({ number }, at) => [number, at + 1]));
  return (step) =>
    Object.fromEntries(
      Object.entries(step).flatMap(([name, value]) => {
        if (name === "number") return [];
        return [[name, references.has(name) ? (places.get(Number(value)) ?? 0) : value]];
      }),
    );
}

const client = z.enum(["public", "other", "confidential"]);
const human = z.enum(["first", "second"]);
const number = z.int().positive();

const step = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("authorize"),
    number,
    client,
    human,
    isNarrowed: z.boolean(),
    resource: z.enum(["JMAP", "MCP"]).exactOptional(),
  }),
  z.strictObject({ kind: z.literal("deny"), number, client, human }),
  z.strictObject({ kind: z.literal("exchange"), number, code: number, by: client }),
  z.strictObject({
    kind: z.literal("refresh"),
    number,
    tokens: number,
    by: client,
    isWidening: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal("revoke"),
    number,
    tokens: number,
    token: z.enum(["access", "refresh"]),
    by: client,
  }),
  z.strictObject({ kind: z.literal("use"), number, tokens: number }),
  z.strictObject({ kind: z.literal("wait"), number, seconds: z.number().positive() }),
  z.strictObject({
    kind: z.literal("restart"),
    number,
    isKill: z.boolean(),
    ofNode: z.literal(true).exactOptional(),
  }),
]) satisfies z.ZodType<Step>;

const agentStep = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("challenge"), number }),
  z.strictObject({ kind: z.literal("signup"), number, challenge: number }),
  z.strictObject({
    kind: z.literal("login"),
    number,
    challenge: number,
    agent: z.enum(["first", "second", "new"]),
    flaw: z.enum(["none", "key", "proof"]),
  }),
  z.strictObject({ kind: z.literal("capability"), number, session: number }),
  z.strictObject({ kind: z.literal("use"), number, capability: number }),
  z.strictObject({ kind: z.literal("wait"), number, seconds: z.number().positive() }),
]) satisfies z.ZodType<AgentStep>;

/** A story whose steps have their numbers again. */
export type Story =
  | { readonly kind: "grants"; readonly steps: readonly Step[] }
  | { readonly kind: "agents"; readonly steps: readonly AgentStep[] }
  | { readonly kind: "burst"; readonly steps: readonly Step[]; readonly together: readonly Request[] };

/** @throws {TypeError} naming the step that is none */
export function storyFrom({ kind, steps, together = [] }: PlayableStory): Story {
  switch (kind) {
    case "grants":
      return { kind, steps: steps.map((one, at) => parsed(step, one, at + 1)) };
    case "agents":
      return { kind, steps: steps.map((one, at) => parsed(agentStep, one, at + 1)) };
    case "burst":
      return {
        kind,
        steps: steps.map((one, at) => parsed(step, one, at + 1)),
        together: together.map((one, at) => requestFrom(one, steps.length + at + 1)),
      };
  }
}

function requestFrom(one: StoryStep, place: number): Request {
  const request = parsed(step, one, place);
  if (isRequest(request)) return request;
  throw new TypeError(`step ${place} of the story is none that can be sent together with others`);
}

function parsed<Parsed>(schema: z.ZodType<Parsed>, one: StoryStep, place: number): Parsed {
  const result = schema.safeParse({ ...one, number: place });
  if (result.success) return result.data;
  throw new TypeError(`step ${place} of the story: ${z.prettifyError(result.error)}`);
}
