import { createInterface } from "node:readline";
import { baseUrl } from "../../suites/support/target/profile-values.ts";
import { UsageError } from "../usage-error.ts";

export interface Addresses {
  readonly auth_url: string;
  readonly api_url: string;
  readonly mcp_url: string;
}

const questions = [
  { key: "auth_url", flag: "auth", what: "authorization service" },
  { key: "api_url", flag: "api", what: "mail API" },
  { key: "mcp_url", flag: "mcp", what: "remote MCP server" },
] as const;

/** What the options of the command line give. */
export type GivenAddresses = Readonly<
  Partial<Record<(typeof questions)[number]["flag"], string | undefined>>
>;

/**
 * The three addresses: as given, and the others asked for at a terminal.
 *
 * @throws {UsageError} when one cannot be used, or is neither given nor can be asked for
 */
export async function addressesFrom(
  given: GivenAddresses,
  terminal: { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream } | undefined,
): Promise<Addresses> {
  for (const { flag } of questions) {
    const value = given[flag];
    const problem = value === undefined ? undefined : problemOf(value);
    if (problem !== undefined) throw new UsageError(`--${flag} ${problem}`);
  }
  const missing = questions.filter(({ flag }) => given[flag] === undefined);
  if (missing.length > 0 && terminal === undefined)
    throw new UsageError(
      `there is no terminal to ask at; give ${missing.map(({ flag }) => `--${flag} URL`).join(" ")}`,
    );
  const found: Partial<Record<keyof Addresses, string>> = {};
  const reader = missing.length > 0 && terminal !== undefined ? createInterface(terminal) : undefined;
  // Lines that come before their question, as when several are pasted, are kept.
  const lines = reader?.[Symbol.asyncIterator]();
  const answerTo = async (question: string): Promise<string | undefined> => {
    terminal?.output.write(question);
    const line = await lines?.next();
    return line === undefined || line.done === true ? undefined : line.value.trim();
  };
  try {
    for (const { key, flag, what } of questions)
      found[key] = given[flag] ?? (await asked(`Base address of the ${what}: `, answerTo));
  } finally {
    reader?.close();
  }
  const { auth_url = "", api_url = "", mcp_url = "" } = found;
  return { auth_url, api_url, mcp_url };
}

/** Asks until the answer can be used. */
async function asked(
  question: string,
  answerTo: (question: string) => Promise<string | undefined>,
): Promise<string> {
  let problem = "";
  for (;;) {
    const answer = await answerTo(problem + question);
    if (answer === undefined) throw new UsageError("the input ended before all addresses were given");
    const found = problemOf(answer);
    if (found === undefined) return answer;
    problem = `  ${found}\n`;
  }
}

function problemOf(text: string): string | undefined {
  return baseUrl.safeParse(text).error?.issues[0]?.message;
}
