/** What a target that mailproof started has written. */
export interface TargetLog {
  append(text: string): void;
  /** Called before each start of the target. */
  starts(): void;
  /** What it has written since then. */
  readonly sinceStart: string;
  /** Without the oldest lines, when there are too many. */
  readonly text: string;
  /** The last lines. */
  end(lines: number): string;
}

// Kept until the run is over, since a line may hold a secret that the run learns of later.
const mostCharacters = 16 * 1024 * 1024;

export function createTargetLog(): TargetLog {
  let text = "";
  let isCut = false;
  let startsAt = 0;
  return {
    append(more) {
      text += more;
      if (text.length <= mostCharacters) return;
      isCut = true;
      const from = text.indexOf("\n", text.length - mostCharacters / 2) + 1;
      text = text.slice(from);
      startsAt = Math.max(0, startsAt - from);
    },
    starts() {
      startsAt = text.length;
    },
    get sinceStart() {
      return text.slice(startsAt);
    },
    get text() {
      return isCut ? `[earlier lines are left out]\n${text}` : text;
    },
    end: (lines) => text.trimEnd().split("\n").slice(-lines).join("\n"),
  };
}
