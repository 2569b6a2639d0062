import { parseArgs } from "node:util";
import { profileJsonSchema } from "../suites/support/target/profile.ts";
import { exitCodes } from "./exit-codes.ts";

/** Prints the JSON Schema of profile files, for `$schema` and editors. */
export async function schema(args: string[]): Promise<number> {
  parseArgs({ args, options: {} });
  console.log(JSON.stringify(profileJsonSchema(), undefined, 2));
  return exitCodes.conforms;
}
