import { UsageError } from "../usage-error.ts";

const maxCharacters = 65_536;
const timeoutSeconds = 60;

/**
 * All of standard input.
 *
 * @throws {UsageError} on a terminal, where it would wait without a prompt; after a minute; and for more than 65,536 characters
 */
export async function readStandardInput(): Promise<string> {
  if (process.stdin.isTTY) {
    throw new UsageError("expected --jti, --salt and --difficulty, or a challenge JWT on standard input");
  }
  const timeout = setTimeout(() => {
    process.stdin.destroy(
      new UsageError(
        `standard input did not end within ${timeoutSeconds} s: expected a challenge JWT, or --jti`,
      ),
    );
  }, timeoutSeconds * 1000);
  let text = "";
  try {
    for await (const part of process.stdin.setEncoding("utf8")) {
      text += String(part);
      if (text.length > maxCharacters) {
        throw new UsageError(`standard input has more than ${maxCharacters} characters: not a challenge JWT`);
      }
    }
  } finally {
    clearTimeout(timeout);
  }
  return text;
}
