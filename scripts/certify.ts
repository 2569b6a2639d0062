import { printable } from "../reports/printable.ts";
import packageJson from "../package.json" with { type: "json" };
import { isReadByOthers, readPrivateKey, writeNewKey } from "./certificate/ed25519-key.ts";
import { runSuite } from "./certificate/run-suite.ts";
import { certificateName, certifyRun, pageName } from "./certify/certify-run.ts";
import { obstacles } from "./certify/obstacles.ts";
import { leavesName } from "./certificate/leaves-file.ts";
import { catalogue, checkIds } from "./conformance/catalogue.ts";
import { readRun, runName } from "./conformance/read-run.ts";
import { suiteDigests } from "./conformance/suite-digests.ts";
import { exitCodes } from "./exit-codes.ts";
import { parseOptions } from "./parse-options.ts";
import { UsageError } from "./usage-error.ts";

const usage = `mailproof certify --key FILE [--target PROFILE] [--out DIRECTORY] [--yes]
mailproof certify --key FILE --run DIRECTORY
mailproof certify --new-key FILE

Judges a target with every check that its profile allows, and signs a certificate when all of them could be judged and none
failed. Otherwise it lists what stands in the way. Without --target, certifies the reference service.

  --key FILE         the certifier's private Ed25519 key as JWK or PEM: a file, or env:NAME
  --target PROFILE   a profile file, as for conformance
  --run DIRECTORY    certify this run instead of a fresh one, such as on the machine that has the key
  --out DIRECTORY    where the run and its certificate are written (default: reports/runs)
  --yes              do not ask before the run
  --new-key FILE     make a key: FILE, which only you can read, and FILE.pub, which you publish

Exit codes: 0 certified · 1 a requirement is violated, known or not · 2 usage, key or profile, or files cannot be written ·
3 something could not be judged, was not selected, or was interrupted · 5 a defect of mailproof itself`;

/** @returns the exit code */
export async function certify(args: string[]): Promise<number> {
  const { values } = parseOptions({
    args,
    options: {
      target: { type: "string" },
      run: { type: "string" },
      key: { type: "string" },
      "new-key": { type: "string" },
      out: { type: "string", default: "reports/runs" },
      yes: { type: "boolean", short: "y", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return exitCodes.conforms;
  }
  const newKey = values["new-key"];
  if (newKey !== undefined) return makeKey(newKey);
  if (values.key === undefined)
    throw new UsageError("certify needs --key FILE; mailproof certify --new-key FILE makes one");
  // A run takes minutes: a key that cannot be used is found before it.
  const key = readPrivateKey(values.key);
  if (isReadByOthers(values.key))
    console.error(`mailproof: others can read ${values.key}: chmod 600 ${values.key}`);
  if (values.run !== undefined && values.target !== undefined)
    throw new UsageError("--run and --target exclude each other");

  const folder = values.run ?? (await freshRun(values.target, values.out, values.yes));
  if (folder === undefined) return exitCodes.incomplete;
  const run = readRun(folder);
  const inTheWay = obstacles(run, {
    version: packageJson.version,
    ...suiteDigests(catalogue),
    checks: checkIds(catalogue),
  });
  if (inTheWay.length > 0) {
    console.error(`mailproof: not certified; ${inTheWay.length} in the way:`);
    for (const line of inTheWay) console.error(`  ${printable(line)}`);
    const hasDefect = run.checks.some(({ defect }) => defect);
    const hasFailure = run.checks.some(({ verdict }) => verdict === "fail") || run.knownProblems.length > 0;
    return hasDefect ? exitCodes.defect : hasFailure ? exitCodes.violated : exitCodes.incomplete;
  }
  const keyId = certifyRun(run, folder, key);
  console.log(`certified with the key ${keyId}
written in ${folder}:
  ${certificateName}  the certificate, to publish
  ${pageName}  the same as a page that verifies itself, to publish
  ${runName}          all results with their evidence: whoever gets it can check each
  ${leavesName}       with it, single results can be shown without the others; as private as ${runName}
a third party verifies it with: mailproof verify ${certificateName} --key ${keyId}`);
  return exitCodes.conforms;
}

async function freshRun(target: string | undefined, out: string, yes: boolean): Promise<string | undefined> {
  const args = [...(target === undefined ? [] : ["--target", target]), ...(yes ? ["--yes"] : [])];
  return (await runSuite(args, out)).folder;
}

function makeKey(path: string): number {
  const { keyId, publicPath } = writeNewKey(path);
  console.log(`key ${keyId}
  ${path}  private: whoever has it can certify in your name
  ${publicPath}  public: publish it, or its id, where others know it to be yours`);
  return exitCodes.conforms;
}
