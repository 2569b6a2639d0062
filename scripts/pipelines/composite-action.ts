import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { data, Evaluator, Lexer, Parser } from "@actions/expressions";
import { parse } from "yaml";
import { z } from "zod";

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
    log += step.log;
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
async function runBash(
  script: string,
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<{ code: number; log: string }> {
  const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
  try {
    const { stdout, stderr } = await promisify(execFile)(
      "bash",
      ["--noprofile", "--norc", "-eo", "pipefail", "-c", script],
      options,
    );
    return { code: 0, log: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: unknown; stdout: string; stderr: string };
    if (typeof code !== "number") throw error;
    return { code, log: stdout + stderr };
  }
}
