import { z } from "zod";
import { type Check, requirementOf } from "../../suites/support/judging/check.ts";
import { unlocks, type Unlock } from "../../suites/support/target/unlocks.ts";
import { UsageError } from "../usage-error.ts";
import { type Catalogue, type CataloguedRequirement, checkIds } from "./catalogue.ts";
import type { OwnSuite } from "./own-suite.ts";

/** A module that `--checks` named. */
export interface LoadedModule {
  /** As the user wrote it. */
  readonly path: string;
  /** What the module exports as its default. */
  readonly exported: unknown;
  /** Of the suite when the module exports checks alone. */
  readonly fallbackName: string;
}

const text = z.string().min(1);
const idPart = /^[A-Za-z0-9][\w.-]*$/u;
const functionValue = z.custom<unknown>((value) => typeof value === "function", "expected a function");
const experiment = {
  id: z.string().regex(/^[A-Za-z0-9][\w.-]*(?:\/[\w.-]+)?$/u, 'expected an id such as "ACME-01/slug"'),
  needs: z.array(z.enum(["human", "second-human", "pages"])),
  unlockedBy: z.enum(Object.keys(unlocks) as [Unlock, ...Unlock[]]).optional(),
  waitSeconds: z.number().min(0).optional(),
  last: z.literal(true).optional(),
  act: functionValue,
};
const checkShape = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.enum(["check", "recommend"]), ...experiment, claim: text, assert: functionValue }),
  z.strictObject({ kind: z.literal("observe"), ...experiment, question: text, answer: functionValue }),
]);
const suiteShape = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]*$/u, 'expected a name such as "acme"'),
  requirements: z
    .record(
      z.string().regex(idPart, 'expected an id such as "ACME-01"'),
      z.strictObject({
        level: z.enum(["MUST", "MUST NOT", "SHOULD", "MAY"]),
        section: text,
        statement: text,
      }),
    )
    .default({}),
  checks: z.array(z.unknown()).min(1, "expected at least one check"),
});

/**
 * Adds suites of one's own behind those that are there.
 *
 * @throws {UsageError} naming the module, when it exports no suite, or one that does not go together with the others
 */
export function withOwnSuites(base: Catalogue, modules: readonly LoadedModule[]): Catalogue {
  return modules.reduce(withModule, base);
}

function withModule(base: Catalogue, module: LoadedModule): Catalogue {
  const { name, requirements, checks } = readSuite(module);
  const refuse = (problem: string): never => {
    throw new UsageError(`--checks ${module.path}: ${problem}`);
  };
  if (base.suites.some((suite) => suite.name === name))
    refuse(`there is a suite ${name} already; give this one another name`);
  const own = Object.entries(requirements).map(
    ([id, requirement]) => [id, { id, source: "own", ...requirement }] as const,
  );
  const known = new Map<string, CataloguedRequirement>(base.requirements);
  for (const [id, requirement] of own) {
    if (known.has(id)) refuse(`there is a requirement ${id} already; give this one another id`);
    known.set(id, requirement);
  }
  const taken = new Set(checkIds(base));
  for (const { id } of checks) {
    if (taken.has(id)) refuse(`there is a check ${id} already; give this one another id`);
    taken.add(id);
    if (!known.has(requirementOf(id)))
      refuse(
        `check ${id} is about the requirement ${requirementOf(id)}, which does not exist; begin its id with one that \`mailproof list\` shows, or describe ${requirementOf(id)} in the suite's "requirements"`,
      );
  }
  const unchecked = own.find(([id]) => !checks.some((check) => requirementOf(check.id) === id));
  if (unchecked !== undefined)
    refuse(`no check is about the requirement ${unchecked[0]}; add one, or leave the requirement out`);
  return { suites: [...base.suites, { name, checks }], requirements: known };
}

function readSuite({ path, exported, fallbackName }: LoadedModule): Required<OwnSuite> {
  const shaped = Array.isArray(exported) ? { name: fallbackName, checks: exported as unknown[] } : exported;
  if (typeof shaped !== "object" || shaped === null)
    throw new UsageError(
      `--checks ${path}: expected the default export to be an array of checks, or a suite { name, requirements, checks }; got ${exported === undefined ? "no default export" : typeof exported}`,
    );
  const suite = parsed(suiteShape, shaped, path, "the suite");
  suite.checks.forEach((check, at) =>
    parsed(
      checkShape,
      check,
      path,
      `checks[${at}]${idOf(check)}`,
      '; make it with check(), recommend() or observe() from "mailproof"',
    ),
  );
  // The shape was parsed; what its functions take and return is between them.
  return { ...suite, checks: suite.checks as Check[] };
}

function parsed<Value>(
  schema: z.ZodType<Value>,
  value: unknown,
  path: string,
  what: string,
  advice = "",
): Value {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? what : `${what}: ${issue.path.join(".")}`;
  throw new UsageError(`--checks ${path}: ${place}: ${issue?.message ?? "cannot be used"}${advice}`);
}

function idOf(value: unknown): string {
  const id: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "id") : undefined;
  return typeof id === "string" ? ` (${id})` : "";
}
