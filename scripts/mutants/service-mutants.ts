import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import { z } from "zod";
import { type Change, openChoiceOf } from "./open-choices.ts";

/** One small change of the service's code, made by machine. */
export interface Mutant extends Change {
  /** A running number, other after every edit of the service. */
  readonly id: string;
  /** Stays the same as long as the file has the same text at this place. */
  readonly key: string;
  /** From 1. */
  readonly line: number;
  readonly replacement: string;
  /** Why the document leaves the change open, so that it is not judged; undefined for one that a check has to notice. */
  readonly open: string | undefined;
}

/**
 * What the suites are to notice changes in: the parts that answer, and what they decide by. Not the identity provider, which
 * stands for a third party; not the start of the process, which no target shares; and not the store on disk, which the
 * contract of the store and the kills of the process prove.
 */
const mutated =
  /^(api|equal-in-constant-time|inbox-directory|json-object|mail|mcp|oauth|pow|signing-keys|store\/memory)(\/|\.ts)/u;
const testSupport = /(-under-test|\/test-[a-z]+|\/error-shapes)\.ts$/u;

const source = fileURLToPath(new URL("../../fixtures/service/", import.meta.url));
const output = fileURLToPath(new URL("../../.mutants/service/", import.meta.url));

/** The module of the instrumented service: as `fixtures/service/service.ts`, with every mutant in it and none active. */
export const instrumentedService: string = join(output, "service.ts");

/**
 * Writes the service with all mutants in it to `.mutants`; at most one is active at a time. Each call makes the same mutants
 * with the same numbers while the service stays the same.
 */
export async function instrumentService(): Promise<readonly Mutant[]> {
  await addNumberMutator();
  const names = await readdir(source, { recursive: true });
  const files = await Promise.all(
    names
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .toSorted()
      .map(async (name) => ({
        name,
        mutate: isMutated(name),
        content: await readFile(join(source, name), "utf8"),
      })),
  );
  const result = await new Instrumenter(silentLogger).instrument(files, {
    plugins: null,
    ignorers: [],
    excludedMutations: [],
    noHeader: false,
  });
  await rm(output, { recursive: true, force: true });
  for (const { name, content } of result.files) {
    await mkdir(dirname(join(output, name)), { recursive: true });
    await writeFile(join(output, name), content);
  }
  const texts = new Map(files.map(({ name, content }) => [name, content.split("\n")]));
  return withKeys(
    result.mutants.map(({ id, fileName, location, mutatorName, replacement }) => ({
      id,
      file: fileName,
      line: location.start.line + 1,
      kind: mutatorName,
      original: textAt(texts.get(fileName) ?? [], location),
      replacement: replacement ?? "",
    })),
  );
}

function isMutated(name: string): boolean {
  return mutated.test(name) && !testSupport.test(name);
}

interface Location {
  readonly start: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
}

function textAt(lines: readonly string[], { start, end }: Location): string {
  return lines
    .slice(start.line, end.line + 1)
    .map((line, at, all) =>
      line.slice(at === 0 ? start.column : 0, at === all.length - 1 ? end.column : undefined),
    )
    .join("\n");
}

/** The same change of the same text may be possible several times in a file: they are counted. */
function withKeys(mutants: readonly Omit<Mutant, "key" | "open">[]): Mutant[] {
  const seen = new Map<string, number>();
  return mutants.map((mutant) => {
    const { file, kind, original, replacement } = mutant;
    const digest = createHash("sha256").update(JSON.stringify([kind, original, replacement]));
    const base = `${file}#${digest.digest("hex").slice(0, 10)}`;
    const count = (seen.get(base) ?? 0) + 1;
    seen.set(base, count);
    return { ...mutant, key: count === 1 ? base : `${base}-${count}`, open: openChoiceOf(mutant) };
  });
}

const silentLogger = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace() {},
  debug() {},
  info() {},
  warn() {},
  error() {},
  fatal() {},
};

interface NodePath {
  isNumericLiteral(): boolean;
  readonly node: { readonly value?: unknown };
}

interface Mutator {
  readonly name: string;
  mutate(path: NodePath): Iterable<object>;
}

// The very array of the instrumenter, not a copy.
const mutatorList = z.object({ allMutators: z.custom<Mutator[]>(Array.isArray) });

/**
 * Limits and lifetimes are numbers, which the instrumenter leaves alone. A large number is doubled, since hardly any limit is
 * exact to one; a small one grows by one.
 */
async function addNumberMutator(): Promise<void> {
  const name = "NumericLiteral";
  const list = new URL("mutators/mutate.js", import.meta.resolve("@stryker-mutator/instrumenter"));
  const { allMutators } = mutatorList.parse(await import(list.href));
  if (allMutators.some((mutator) => mutator.name === name)) return;
  allMutators.push({
    name,
    *mutate(path) {
      const { value } = path.node;
      if (!path.isNumericLiteral() || typeof value !== "number") return;
      yield { type: "NumericLiteral", value: value < 10 ? value + 1 : value * 2 };
    },
  });
}
