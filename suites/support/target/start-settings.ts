import { existsSync } from "node:fs";
import { z } from "zod";
import { line, secretOrText } from "./profile-values.ts";

const ways = ["command", "image", "compose"] as const;

const existingFile = line((path) =>
  existsSync(path) ? undefined : `names the file ${path}, which is not there`,
);

const pattern = line((source) => {
  try {
    void new RegExp(source, "mu");
    return undefined;
  } catch (cause) {
    return `is not a regular expression: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
});

/** How mailproof starts a target, when it is to. */
export const startSettings = z
  .strictObject({
    command: line()
      .optional()
      .describe("A command line that starts the target, run by sh; the target ends with its process group."),
    image: line().optional().describe("A container image that is the target."),
    compose: existingFile.optional().describe("A compose file that describes the target."),
    arguments: z.array(z.string()).optional().describe("Arguments of the image, in place of its own."),
    ports: z
      .record(z.string().regex(/^[a-z][a-z0-9_]*$/u), z.number().int().min(0).max(65535))
      .default({})
      .describe(
        "Ports in the container: auth, api and mcp, and others under names of your own; 0, the same port as on this machine, when left out.",
      ),
    environment: z
      .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/u), secretOrText)
      .default({})
      .describe("Environment variables; values may be references to secrets."),
    files: z
      .record(z.string().startsWith("/"), existingFile)
      .default({})
      .describe("Path in the container to a file of this machine, which is copied there."),
    ready: z
      .strictObject({
        http: line().optional().describe("An address that answers 2xx."),
        log: pattern.optional().describe("A regular expression that its output matches."),
        ports: z.literal(true).optional().describe("The addresses take connections."),
        seconds: z.number().positive().max(3600).default(60),
      })
      .prefault({})
      .describe("When it is ready: all that is given; without, when all three addresses answer."),
    stop_seconds: z
      .number()
      .min(0)
      .max(600)
      .default(10)
      .describe("How long it may take to end after SIGTERM."),
    restart: z
      .boolean()
      .default(false)
      .describe("Whether it keeps its state, so that the checks may restart it, and kill it under writes."),
  })
  .superRefine((settings, context) => {
    const given = ways.filter((way) => settings[way] !== undefined);
    if (given.length < 2) return;
    const message = `stands beside ${given.slice(1).join(" and ")}; give one of them`;
    context.addIssue({ code: "custom", path: [given[0] ?? ""], message });
  });

export type StartSettings = z.output<typeof startSettings>;

/** Whether there is something to start. */
export function namesTarget(settings: StartSettings | undefined): settings is StartSettings {
  return settings !== undefined && ways.some((way) => settings[way] !== undefined);
}

/** The variables that a target is given, secrets included. */
export function environmentOf({ environment }: StartSettings): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).map(([name, { text }]) => [name, text]));
}
