import { spawn, spawnSync, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";

const solverUrl = new URL("./solver.ts", import.meta.url).href;

type Program = ChildProcessByStdio<null, Readable, Readable>;

/**
 * Runs a program in a process group of its own. Its `endless()` search prints `computing` after each batch. The solver process
 * inherits standard error, which therefore ends once both processes are gone.
 */
function startProgram(source: string): Program {
  const program = `
    import { createSolver } from ${JSON.stringify(solverUrl)};
    const solver = createSolver({ workers: 1 });
    const challenge = { jti: "j", saltHexText: "00" };
    const endless = (signal) => solver.search({
      ...challenge, signal, accept: { kind: "at-least", bits: 513 }, onProgress: () => console.log("computing"),
    });
    ${source}`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  // The whole group, which includes a solver process that outlived its program.
  onTestFinished(() => void spawnSync("kill", ["-s", "KILL", "--", `-${child.pid}`]));
  return child;
}

/** Waits until both the program and its solver process are gone. */
async function endOf(program: Program): Promise<{ code: number | null; signal: string | null; err: string }> {
  let err = "";
  program.stderr.on("data", (part: Buffer) => (err += part.toString()));
  const [code, signal] = (await once(program, "close")) as [number | null, NodeJS.Signals | null];
  return { code, signal, err };
}

test.for(["SIGINT", "SIGTERM", "SIGKILL"] as const)(
  "%s to a program ends its solver process too",
  async (signal) => {
    const program = startProgram("await endless();");
    await once(program.stdout, "data");
    const end = endOf(program);
    program.kill(signal);
    expect(await end).toEqual({ code: null, signal, err: "" });
  },
);

test("a program that exits while its solver process starts leaves no process behind", async () => {
  const program = startProgram("void endless(); setTimeout(() => process.exit(7));");
  expect(await endOf(program)).toEqual({ code: 7, signal: null, err: "" });
});

test("a program waits for its searches but not for an idle solver, whose process ends with it", async () => {
  const program = startProgram(`
    for (const from of [0, 1]) {
      const { nonce } = await solver.search({ ...challenge, from, accept: { kind: "at-least", bits: 0 } });
      console.error(nonce);
    }`);
  program.stdout.resume();
  expect(await endOf(program)).toEqual({ code: 0, signal: null, err: "0\n1\n" });
});

test("Ctrl-C is left to the program: its solver process continues until the search is aborted", async () => {
  const program = startProgram(`
    const abort = new AbortController();
    process.once("SIGINT", () => {
      console.log("interrupted");
      process.once("SIGINT", () => abort.abort(new Error("enough")));
    });
    await endless(abort.signal).catch((error) => console.error(error.message));
    await solver.close();`);
  const lines = program.stdout.setEncoding("utf8")[Symbol.asyncIterator]();
  const end = endOf(program);
  // To the whole group, like a terminal.
  const interrupt = (): void => void (program.pid !== undefined && process.kill(-program.pid, "SIGINT"));
  const readUntil = async (text: string): Promise<void> => {
    for (;;) {
      const { value, done } = (await lines.next()) as IteratorResult<string, undefined>;
      if (done || value.includes(text)) return;
    }
  };
  await readUntil("computing");
  interrupt();
  await readUntil("interrupted");
  await readUntil("computing");
  await readUntil("computing");
  interrupt();
  expect(await end).toEqual({ code: 0, signal: null, err: "enough\n" });
});
