import { existsSync, readFileSync } from "node:fs";
import { certificateInPage, renderCertificatePage } from "../reports/certificate/page.ts";
import { provedSentences, unprovedSentences } from "../reports/certificate/sentences.ts";
import type { CertificateStatement, CertifierKey, Envelope } from "../reports/certificate-format.ts";
import { printable } from "../reports/printable.ts";
import packageJson from "../package.json" with { type: "json" };
import { CertificateError } from "./certificate/certificate-error.ts";
import { keyIdOf, readPublicKey } from "./certificate/ed25519-key.ts";
import { openEnvelope } from "./certificate/envelope.ts";
import { exitCodes } from "./exit-codes.ts";
import { parseOptions } from "./parse-options.ts";
import { onFileSystem } from "./run-folder/output-error.ts";
import { UsageError } from "./usage-error.ts";
import { firstOf, joined, type Outcome } from "./verify/outcome.ts";
import { parseShare } from "./verify/sample.ts";
import { showResult } from "./verify/show-result.ts";
import { verifyFile } from "./verify/verify-file.ts";

const usage = `mailproof verify CERTIFICATE [FILE]… [--key KEY] [--result CHECK [--extract FILE]]
                 [--rerun SHARE [--target PROFILE] [--out DIRECTORY] [--yes]]

Verifies a certificate, offline, and says what it proves and what it does not. CERTIFICATE is certificate.json or
certificate.html. Each FILE is compared with it: run.json, a report, or an extract.

  --key KEY          the public key that must have signed it: its id, a file as JWK or PEM, or env:NAME
  --result CHECK     show this result of the run.json, and its place in the certificate
  --extract FILE     write that result with its exchanges to a file that can be verified without the others
  --rerun SHARE      judge a new random sample again: all checks of account takeover, and a share of the rest, such as 5%
  --target PROFILE   a profile of the service; without it, the reference service
  --out DIRECTORY    where the run of the sample is written (default: reports/runs)
  --yes              do not ask before that run

Exit codes: 0 verified · 1 something is not as certified, or was not reproduced · 2 usage, key or profile · 3 a part of the
sample could not be tried · 5 a defect of mailproof itself`;

interface Opened {
  readonly statement: CertificateStatement;
  /** It came in a page that another version of mailproof made, so that the rest of the page proves nothing. */
  readonly isPageOpen: boolean;
}

/** @returns the exit code */
export async function verify(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions({
    args: withKeyIdJoined(args),
    allowPositionals: true,
    options: {
      key: { type: "string" },
      result: { type: "string" },
      extract: { type: "string" },
      rerun: { type: "string" },
      target: { type: "string" },
      out: { type: "string", default: "reports/runs" },
      yes: { type: "boolean", short: "y", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return exitCodes.conforms;
  }
  const [path, ...files] = positionals;
  if (path === undefined) throw new UsageError("verify needs a certificate, such as certificate.json");
  if (values.target !== undefined && values.rerun === undefined)
    throw new UsageError("--target needs --rerun");
  if (values.extract !== undefined && values.result === undefined)
    throw new UsageError("--extract needs --result");
  const share = values.rerun === undefined ? undefined : parseShare(values.rerun);
  const expected = values.key === undefined ? undefined : keyOf(values.key);
  const text = onFileSystem(`read ${path}`, () => readFileSync(path, "utf8"));
  requireCertificate(path, text);

  let opened: Opened;
  try {
    opened = openCertificate(text, expected);
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    console.error(`mailproof: ${path} is not a valid certificate
  ✗ ${error.part}: ${printable(error.message)}`);
    return exitCodes.violated;
  }
  const { statement, isPageOpen } = opened;
  const outcomes: Outcome[] = [
    { proved: provedSentences(statement), broken: [] },
    ...files.map((file) => verifyFile(file, statement)),
  ];
  if (values.result !== undefined) {
    const options = values.extract === undefined ? {} : { extract: values.extract };
    outcomes.push(showResult(values.result, files, statement, options));
  }
  if (share !== undefined) {
    // Verifying by itself must not wait for what judges.
    const { rerun } = await import("./verify/rerun.ts");
    const { target, out, yes } = values;
    outcomes.push(await rerun(statement.predicate, { share, target, out, yes }));
  }
  const unproved = [
    ...(isPageOpen
      ? [`What the page shows beside: only mailproof ${statement.predicate.suite.version} can compare it.`]
      : []),
    ...unprovedSentences(statement, expected !== undefined),
  ];
  return report(statement, joined(outcomes), unproved);
}

/**
 * A wrong file is not a certificate that was changed.
 *
 * @throws {UsageError} for a file that has nothing of a certificate
 */
function requireCertificate(path: string, text: string): void {
  const format = /^\s*\{\s*"format":\s*"mailproof-(?<kind>[a-z]+)\//u.exec(text)?.groups?.["kind"];
  const isPage = /^\s*</u.test(text);
  const isCertificate = isPage
    ? certificateInPage(text) !== undefined
    : format === undefined && /"payload(?:Type)?"|"signatures"/u.test(text);
  if (isCertificate) return;
  const what = format === "run" ? "is a run, not a certificate" : "is not a certificate";
  throw new UsageError(
    `${path} ${what}: give certificate.json or certificate.html first, and then the files to hold against it, as in mailproof verify certificate.json run.json`,
  );
}

/** One key id in 64 begins with a hyphen, and would be taken for an option. */
function withKeyIdJoined(args: readonly string[]): string[] {
  const at = args.findIndex((arg, place) => arg === "--key" && /^-[\w-]{42}$/u.test(args[place + 1] ?? ""));
  return at < 0 ? [...args] : args.toSpliced(at, 2, `--key=${args[at + 1] ?? ""}`);
}

/**
 * Opens a certificate, also one in a page.
 *
 * @throws {CertificateError} when it is not as it was signed, or the page shows anything else
 */
function openCertificate(text: string, expected: CertifierKey | string | undefined): Opened {
  if (!/^\s*</u.test(text)) return { statement: openEnvelope(text, expected), isPageOpen: false };
  const inside = certificateInPage(text);
  if (inside === undefined) throw new CertificateError("page", "it is a page without a certificate");
  const statement = openEnvelope(inside, expected);
  const { suite, certifier } = statement.predicate;
  const isSame =
    text === renderCertificatePage(JSON.parse(inside) as Envelope, statement, keyIdOf(certifier));
  if (!isSame && suite.version === packageJson.version)
    throw new CertificateError("page", "the certificate in it is valid, but the page around it was changed");
  return { statement, isPageOpen: !isSame };
}

function keyOf(reference: string): CertifierKey | string {
  const isId = /^[\w-]{43}$/u.test(reference) && !existsSync(reference);
  return isId ? reference : readPublicKey(reference);
}

function report(
  statement: CertificateStatement,
  outcome: Required<Outcome>,
  unproved: readonly string[],
): number {
  const { subject, predicate } = statement;
  const keyId = keyIdOf(predicate.certifier);
  console.log(`certificate of ${printable(subject[0]?.name ?? "")}, signed with the key ${keyId}`);
  list("proved", "✓", outcome.proved);
  list("not as certified", "✗", outcome.broken);
  list("not reproduced", "✗", outcome.notReproduced);
  list("not tried", "·", outcome.untried);
  list("not proved", "·", unproved);
  if (outcome.broken.length > 0 || outcome.notReproduced.length > 0) return exitCodes.violated;
  return outcome.untried.length > 0 ? exitCodes.incomplete : exitCodes.conforms;
}

function list(title: string, sign: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  console.log(title);
  for (const line of firstOf(lines)) console.log(`  ${sign} ${printable(line)}`);
}
