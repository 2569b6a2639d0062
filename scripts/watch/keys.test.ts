import { PassThrough } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { type KeyInput, readKeys, type Wish } from "./keys.ts";

async function wishesOf(
  typed: string,
  isTTY = true,
): Promise<{ wishes: Wish[]; shown: string; modes: boolean[] }> {
  const input = new PassThrough();
  const output = new PassThrough();
  const wishes: Wish[] = [];
  const modes: boolean[] = [];
  const terminal = Object.assign(input, { isTTY, setRawMode: (isRaw: boolean) => modes.push(isRaw) });
  const keys = readKeys(terminal as KeyInput, output, (wish) => wishes.push(wish));
  input.write(typed);
  await nextTurn();
  await nextTurn();
  keys.close();
  return { wishes, shown: String(output.read() ?? ""), modes };
}

test.for([
  { typed: "a", wish: { kind: "all" } },
  { typed: "f", wish: { kind: "failed" } },
  { typed: "r", wish: { kind: "again" } },
  { typed: "\r", wish: { kind: "again" } },
  { typed: "h", wish: { kind: "help" } },
  { typed: "q", wish: { kind: "quit" } },
  { typed: "\u0003", wish: { kind: "interrupt" } },
  { typed: "tREDIR\r", wish: { kind: "ids", text: "REDIR" } },
  { typed: "pkkce\u007f\u007f\u007fce\r", wish: { kind: "suite", text: "kce" } },
])("$typed asks for $wish.kind", async ({ typed, wish }) => {
  expect((await wishesOf(typed)).wishes).toEqual([wish]);
});

test("a letter that means nothing, and an empty text, ask for nothing", async () => {
  expect((await wishesOf("xzt\r")).wishes).toEqual([]);
});

test("what is typed is shown, and the terminal is left as it was", async () => {
  const { shown, modes } = await wishesOf("tREDIR\r");
  expect(shown).toBe("ids that contain: REDIR\n");
  expect(modes).toEqual([true, false]);
});

test("keys are read on a terminal only", async () => {
  expect(await wishesOf("a", false)).toEqual({ wishes: [], shown: "", modes: [] });
});
