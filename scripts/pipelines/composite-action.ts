import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { data, Evaluator, Lexer, Parser } from "@actions/expressions";
import { parse } from "yaml";
import { z } from "zod";
import { type Finished, runToEnd } from "../package/installed-package.ts";

const text = z.record(z.string(), z.string());
const actionFile = z.object({
  inputs: z.record(z.string(), z.object({ default: z.string().optional() })),
  runs: z.object({
    steps: z.array(z.object({ run: z.string().optional(), env: text.default({}) })),
  }),
});

export interface FinishedAction {
  /** Of the first step that failed; 0 when none did. */
  readonly code: number;
  readonly log: string;
  /** What the steps wrote to `GITHUB_OUTPUT`. */
  readonly outputs: string;
  /** What they wrote to `GITHUB_STEP_SUMMARY`, in Markdown. */
  readonly summary: string;
}

/**
 * Runs the commands of a composite action as a runner of GitHub does, for tests. Steps that use another action, such as the
 * upload of artifacts, are left out.
 *
 * @param path - of `action.yaml`
 * @param workspace - the caller's checkout
 * @param secrets - environment that the caller's step gives
 */
export async function runCompositeAction(
  path: string,
  inputs: Readonly<Record<string, string>>,
  workspace: string,
  secrets: Readonly<Record<string, string>>,
): Promise<FinishedAction> {
  const action = actionFile.parse(parse(readFileSync(path, "utf8")));
  const given = { ...defaultsOf(action.inputs), ...inputs };
  const [outputPath, summaryPath] = ["github-output", "github-summary"].map((name) => {
    const file = join(workspace, name);
    writeFileSync(file, "");
    return file;
  }) as [string, string];
  const runner = {
    CI: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_ACTION_PATH: dirname(path),
    GITHUB_OUTPUT: outputPath,
    GITHUB_STEP_SUMMARY: summaryPath,
    GITHUB_WORKSPACE: workspace,
  };
  let code = 0;
  let log = "";
  for (const { run, env } of action.runs.steps) {
    if (run === undefined || code !== 0) continue;
    const ownEnv = Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name, evaluated(value, given)]),
    );
    const step = await runBash(evaluated(run, given), workspace, { ...secrets, ...runner, ...ownEnv });
    ({ code } = step);
    log += step.out + step.err;
  }
  return {
    code,
    log,
    outputs: readFileSync(outputPath, "utf8"),
    summary: readFileSync(summaryPath, "utf8"),
  };
}

function defaultsOf(
  inputs: Readonly<Record<string, { readonly default?: string | undefined }>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.default ?? ""]));
}

/** Replaces each `${{ … }}` by its value. */
function evaluated(template: string, inputs: Readonly<Record<string, string>>): string {
  const values = Object.entries(inputs).map(([key, value]) => ({ key, value: new data.StringData(value) }));
  const context = new data.Dictionary({ key: "inputs", value: new data.Dictionary(...values) });
  return template.replaceAll(/\$\{\{(.*?)\}\}/gu, (_, expression: string) => {
    const { tokens } = new Lexer(expression.trim()).lex();
    return new Evaluator(new Parser(tokens, ["inputs"], []).parse(), context).evaluate().coerceString();
  });
}

/** As `shell: bash` runs a step: it ends at the first command that fails. */
function runBash(script: string, folder: string, env: Readonly<Record<string, string>>): Promise<Finished> {
  const args = ["--noprofile", "--norc", "-eo", "pipefail", "-c", script];
  return runToEnd("bash", args, folder, { ...process.env, ...env });
}
