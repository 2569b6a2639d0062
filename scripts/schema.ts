import { parseArgs } from "node:util";
import { profileJsonSchema } from "../suites/support/target/profile.ts";
import { exitCodes } from "./exit-codes.ts";

const usage = `mailproof schema

Prints the JSON Schema of profiles, for "$schema" and editors.`;

/** Prints the JSON Schema of profile files, for `$schema` and editors. */
export async function schema(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { help: { type: "boolean", short: "h", default: false } },
  });
  if (values.help) {
    console.log(usage);
    return exitCodes.conforms;
  }
  console.log(JSON.stringify(profileJsonSchema(), undefined, 2));
  return exitCodes.conforms;
}
