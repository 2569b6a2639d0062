import { UsageError } from "../usage-error.ts";

const mostLetters = 65_536;
const patienceSeconds = 60;

/**
 * All of standard input.
 *
 * @throws {UsageError} on a terminal, where nobody would know that it waits; after a minute; and past 65,536 letters
 */
export async function readStandardInput(): Promise<string> {
  if (process.stdin.isTTY) {
    throw new UsageError("give --jti, --salt and --difficulty, or a challenge JWT on standard input");
  }
  const patience = setTimeout(() => {
    process.stdin.destroy(
      new UsageError(
        `no end of standard input within ${patienceSeconds} s: expected a challenge JWT there, or --jti`,
      ),
    );
  }, patienceSeconds * 1000);
  let text = "";
  try {
    for await (const part of process.stdin.setEncoding("utf8")) {
      text += String(part);
      if (text.length > mostLetters) {
        throw new UsageError(`standard input goes on past ${mostLetters} letters: that is no challenge JWT`);
      }
    }
  } finally {
    clearTimeout(patience);
  }
  return text;
}
