import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { missingPostgres, startPostgres } from "../fixtures/service/store/postgres/test-server.ts";
import { missingCyrus, startCyrus } from "../fixtures/test-servers/cyrus.ts";
import { type Run, runVerdicts } from "../reports/run-format.ts";
import known from "./conformance/cyrus-results.json" with { type: "json" };
import { exitCodes } from "./exit-codes.ts";

const usage = `npm run conformance:stores [-- --suite NAME]…

Judges the reference service with all checks on each of its stores, one after the other, and prints a table.
Another option is one of conformance. Servers that are not installed are named.

Exit codes: 0 all conform, but for what is known of Cyrus IMAP · 1 one does not · 3 one could not be tried
`;

/** A way to keep state, with what it needs. */
interface Place {
  readonly name: string;
  /** Why it cannot be tried here. */
  readonly missing?: string | undefined;
  /** Results that are not defects of the service. */
  readonly known?: Readonly<Record<string, string>>;
  open(): Promise<{ readonly flags: readonly string[]; close(): Promise<void> }>;
}

async function openPostgres(...more: string[]): ReturnType<Place["open"]> {
  const server = await startPostgres();
  return {
    flags: ["--database", await server.createDatabase(), ...more],
    close: () => server.stop(),
  };
}

const places: readonly Place[] = [
  { name: "memory", open: () => Promise.resolve({ flags: [], close: () => Promise.resolve() }) },
  {
    name: "SQLite",
    open() {
      const directory = mkdtempSync(join(tmpdir(), "mailproof-sqlite-"));
      const close = (): Promise<void> => Promise.resolve(rmSync(directory, { recursive: true }));
      return Promise.resolve({ flags: ["--data", directory], close });
    },
  },
  { name: "PostgreSQL", missing: missingPostgres(), open: () => openPostgres() },
  { name: "PostgreSQL, two nodes", missing: missingPostgres(), open: () => openPostgres("--nodes", "2") },
  {
    name: "memory, mail in Cyrus IMAP",
    missing: missingCyrus(),
    known,
    async open() {
      const cyrus = await startCyrus();
      const { url, keyFile, lmtp, submissionPort } = cyrus.store;
      const flags = [
        `--mail-store=${url}`,
        `--mail-store-key=${keyFile}`,
        `--mail-store-lmtp=${lmtp}`,
        `--port-submission=${submissionPort}`,
      ];
      return { flags, close: () => cyrus.close() };
    },
  },
];

const heads = ["seconds", "checks", ...runVerdicts, "known"];
const nameWidth = Math.max(...places.map(({ name }) => name.length));

/** One line of the table. */
interface Line {
  readonly name: string;
  readonly cells: readonly string[];
  readonly exitCode: number;
}

if (isHelpAsked()) process.stdout.write(usage);
else {
  const codes: number[] = [];
  console.log(row("", heads));
  for (const place of places) {
    const { name, cells, exitCode } = await judge(place, process.argv.slice(2));
    console.log(row(name, cells));
    codes.push(exitCode);
  }
  process.exitCode = Math.max(...codes);
}

function isHelpAsked(): boolean {
  return (
    parseArgs({ strict: false, options: { help: { type: "boolean", short: "h" } } }).values.help === true
  );
}

async function judge(
  { name, missing, known: knownResults = {}, open }: Place,
  args: string[],
): Promise<Line> {
  if (missing !== undefined)
    return { name, cells: [`not judged: ${missing}`], exitCode: exitCodes.incomplete };
  const out = mkdtempSync(join(tmpdir(), "mailproof-stores-"));
  const { flags, close } = await open();
  try {
    const reporting = ["--reporter", "json", "--no-repeat", "--out", out];
    const exitCode = await conformance([...flags, ...reporting, ...args]);
    const [folder] = readdirSync(out);
    if (folder === undefined)
      return { name, cells: ["no run was written"], exitCode: exitCode || exitCodes.defect };
    const run = JSON.parse(readFileSync(join(out, folder, "run.json"), "utf8")) as Run;
    return lineOf(name, run, knownResults, exitCode);
  } finally {
    await close();
    rmSync(out, { recursive: true });
  }
}

function conformance(args: readonly string[]): Promise<number> {
  const program = fileURLToPath(new URL("mailproof.cjs", import.meta.url));
  const child = spawn(process.execPath, [program, "conformance", ...args], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return new Promise((resolve) => child.once("exit", (code) => resolve(code ?? exitCodes.defect)));
}

function lineOf(name: string, run: Run, knownResults: Readonly<Record<string, string>>, code: number): Line {
  const others = run.checks.filter(({ verdict }) => verdict !== "pass" && verdict !== "observed");
  const unknown = others.filter(({ id }) => !Object.hasOwn(knownResults, id));
  for (const { id, verdict } of unknown) process.stderr.write(`${name}: ${id}: ${verdict}\n`);
  const isAsKnown = others.length > 0 && unknown.length === 0;
  const cells = [
    (run.durationMs / 1000).toFixed(0),
    String(run.checks.length),
    ...runVerdicts.map((verdict) => String(run.counts[verdict])),
    `${others.length - unknown.length}`,
  ];
  return { name, cells, exitCode: isAsKnown ? exitCodes.conforms : code };
}

function row(name: string, cells: readonly string[]): string {
  return `${name.padEnd(nameWidth)}${cells.map((cell, at) => `  ${cell.padStart(heads[at]?.length ?? 0)}`).join("")}`;
}
