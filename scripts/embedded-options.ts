import { readCommandLine } from "../fixtures/service/command-line.ts";
import { UsageError as ServiceUsageError } from "../fixtures/service/usage-error.ts";
import { UsageError } from "./usage-error.ts";

/** Options of `serve` that say where the embedded reference service keeps its state, and how many processes serve it. */
export const embeddedOptions = {
  data: { type: "string" },
  database: { type: "string" },
  nodes: { type: "string" },
  "mail-store": { type: "string" },
  "mail-store-key": { type: "string" },
  "mail-store-lmtp": { type: "string" },
  "port-submission": { type: "string" },
} as const;

export const embeddedUsage = `  --data DIR         keep the state of the reference service in this directory, instead of in memory
  --database URL     keep it in this PostgreSQL database, which should be empty
  --nodes N          serve the database with N processes
  --mail-store URL   keep mail in this JMAP server; needs --mail-store-key, --mail-store-lmtp and --port-submission`;

type EmbeddedValues = { readonly [Name in keyof typeof embeddedOptions]?: string | undefined };

/**
 * @returns the options that were given, as `serve` takes them
 * @throws {UsageError} when the service would refuse them, or a target is named too
 */
export function embeddedFlags(values: EmbeddedValues, target: string | undefined): string[] {
  const names = Object.keys(embeddedOptions) as (keyof EmbeddedValues)[];
  const given = names.flatMap((name) =>
    values[name] === undefined ? [] : ([[name, values[name]]] as const),
  );
  const [first] = given;
  if (target !== undefined && first !== undefined)
    throw new UsageError(`--${first[0]} is for the reference service, so it cannot be used with --target`);
  const flags = given.flatMap(([name, value]) => [`--${name}`, value]);
  try {
    readCommandLine(flags);
  } catch (error) {
    if (error instanceof ServiceUsageError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
  return flags;
}
