import { runJsonSchema } from "../reports/run-schema.ts";
import { profileJsonSchema } from "../suites/support/target/profile.ts";
import { exitCodes } from "./exit-codes.ts";
import { parseOptions } from "./parse-options.ts";
import { UsageError } from "./usage-error.ts";

const usage = `mailproof schema [profile|run]

Prints a JSON Schema (2020-12): of profiles, for "$schema" and editors, or of run.json, for what reads it.`;

const schemas = { profile: profileJsonSchema, run: runJsonSchema };

/** Prints the JSON Schema of profile files, for `$schema` and editors, or of `run.json`. */
export async function schema(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions({
    args,
    allowPositionals: true,
    options: { help: { type: "boolean", short: "h", default: false } },
  });
  if (values.help) {
    console.log(usage);
    return exitCodes.conforms;
  }
  const [name = "profile", ...others] = positionals;
  if (!isSchema(name) || others.length > 0)
    throw new UsageError(`schema ${positionals.join(" ")}: give profile or run`);
  console.log(JSON.stringify(schemas[name](), undefined, 2));
  return exitCodes.conforms;
}

function isSchema(name: string): name is keyof typeof schemas {
  return Object.hasOwn(schemas, name);
}
