import { parseArgs, type ParseArgsConfig } from "node:util";
import { nearestName } from "./nearest-name.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Parses the arguments of a command.
 *
 * @throws {UsageError} for an option that there is not, naming the nearest
 * @throws {TypeError} of Node.js, with a code that begins with `ERR_PARSE_ARGS`, for any other mistake
 */
export function parseOptions<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const unknown = unknownOption(error);
    if (unknown === undefined) throw error;
    const near = nearestName(unknown.replace(/^-+/u, ""), Object.keys(config.options ?? {}));
    const advice = near === undefined ? "--help shows those that there are" : `did you mean --${near}?`;
    throw new UsageError(`there is no option ${unknown}; ${advice}`, { cause: error });
  }
}

function unknownOption(error: unknown): string | undefined {
  if (!(error instanceof TypeError) || Reflect.get(error, "code") !== "ERR_PARSE_ARGS_UNKNOWN_OPTION")
    return undefined;
  return /'(-[^']*)'/u.exec(error.message)?.[1];
}
