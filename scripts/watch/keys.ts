import { emitKeypressEvents } from "node:readline";

/** What a person asks for, with the letters of vitest. */
export type Wish =
  | { readonly kind: "all" | "failed" | "again" | "quit" | "interrupt" | "help" }
  /** Checks whose ids contain a text. */
  | { readonly kind: "ids"; readonly text: string }
  /** A suite. */
  | { readonly kind: "suite"; readonly text: string };

export const keyHelp = `  a   judge everything that is selected
  f   only what failed or is undecided
  r   the same again; Enter too
  t   checks whose ids contain a text
  p   one suite
  q   quit; Ctrl-C too`;

const wishes: Readonly<Record<string, Wish>> = {
  a: { kind: "all" },
  f: { kind: "failed" },
  r: { kind: "again" },
  return: { kind: "again" },
  enter: { kind: "again" },
  q: { kind: "quit" },
  h: { kind: "help" },
};

const prompts = {
  t: { kind: "ids", asks: "ids that contain: " },
  p: { kind: "suite", asks: "suite: " },
} as const;

interface Key {
  readonly name?: string;
  readonly ctrl?: boolean;
  readonly sequence?: string;
}

export interface Keys {
  close(): void;
}

export type KeyInput = NodeJS.ReadableStream & {
  readonly isTTY?: boolean;
  setRawMode?: (isRaw: boolean) => unknown;
};

/** Reads single keys of a terminal; nothing where there is none. */
export function readKeys(input: KeyInput, output: NodeJS.WritableStream, onWish: (wish: Wish) => void): Keys {
  if (!input.isTTY || input.setRawMode === undefined) return { close: () => {} };
  let typed: { readonly kind: "ids" | "suite"; text: string } | undefined;

  function press(_text: string | undefined, { name = "", ctrl = false, sequence = "" }: Key): void {
    // The terminal leaves Ctrl-C to whoever reads single keys.
    if (ctrl && (name === "c" || name === "d")) onWish({ kind: "interrupt" });
    else if (typed !== undefined) type(typed, name, sequence);
    else if (name === "t" || name === "p") {
      typed = { kind: prompts[name].kind, text: "" };
      output.write(prompts[name].asks);
    } else {
      const wish = wishes[name];
      if (wish !== undefined && !ctrl) onWish(wish);
    }
  }

  function type(
    line: { readonly kind: "ids" | "suite"; text: string },
    name: string,
    sequence: string,
  ): void {
    if (name === "return" || name === "enter" || name === "escape") {
      typed = undefined;
      output.write("\n");
      if (name !== "escape" && line.text !== "") onWish(line);
    } else if (name === "backspace") {
      if (line.text !== "") output.write("\b \b");
      line.text = line.text.slice(0, -1);
    } else if (/^[ -~]$/u.test(sequence)) {
      line.text += sequence;
      output.write(sequence);
    }
  }

  emitKeypressEvents(input);
  input.setRawMode(true);
  input.on("keypress", press);
  input.resume();
  return {
    close() {
      input.off("keypress", press);
      input.setRawMode?.(false);
      input.pause();
    },
  };
}
