import { generateKeyPairSync } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { exampleCheck } from "../reports/example-run.ts";
import { certifierKeyOf, keyIdOf } from "./certificate/ed25519-key.ts";
import { certifiableRun } from "./certificate/example-certificate.ts";
import { certify } from "./certify.ts";
import { catalogue, checkIds } from "./conformance/catalogue.ts";
import { suiteDigests } from "./conformance/suite-digests.ts";
import { writeRun } from "./conformance/write-run.ts";
import { OutputError } from "./run-folder/output-error.ts";
import { UsageError } from "./usage-error.ts";
import { verify } from "./verify.ts";

const place = mkdtempSync(join(tmpdir(), "mailproof-certify-"));
afterAll(() => rmSync(place, { recursive: true }));

let shown = "";
const show = (text: unknown): void => void (shown += `${String(text)}\n`);
beforeEach(() => {
  shown = "";
  vi.spyOn(console, "log").mockImplementation(show);
  vi.spyOn(console, "error").mockImplementation(show);
});
afterEach(() => vi.restoreAllMocks());

const keyPath = join(place, "key.jwk");
const small = certifiableRun();

/** A run in which every check of the suite passed. */
const complete = {
  ...small,
  suite: { ...small.suite, ...suiteDigests(catalogue) },
  checks: checkIds(catalogue).map((id) => exampleCheck({ id })),
};

function folderOf(run: typeof complete): string {
  const folder = mkdtempSync(join(place, "run-"));
  writeRun(run, folder);
  return folder;
}

describe("a new key", () => {
  test("only its owner can read it, it is never overwritten, and its public half is beside it", async () => {
    expect(await certify(["--new-key", keyPath])).toBe(0);
    expect(statSync(keyPath).mode & 0o777).toBe(0o600);
    const { kid, d } = JSON.parse(readFileSync(keyPath, "utf8")) as Record<string, string>;
    const published = JSON.parse(readFileSync(`${keyPath}.pub`, "utf8")) as Record<string, string>;
    expect(published).toEqual({
      kty: "OKP",
      crv: "Ed25519",
      x: published["x"],
      kid,
      alg: "EdDSA",
      use: "sig",
    });
    expect(d).toMatch(/^[\w-]{43}$/u);
    expect(shown).toContain(`key ${kid}`);
    expect(shown).not.toContain(d);
    await expect(certify(["--new-key", keyPath])).rejects.toThrow(OutputError);
  });
});

describe("a complete run", () => {
  let folder: string;
  let keyId: string;
  const file = (name: string): string => join(folder, name);

  beforeAll(async () => {
    folder = folderOf(complete);
    const path = join(place, "certifier.jwk");
    await certify(["--new-key", path]);
    expect(await certify(["--run", folder, "--key", path])).toBe(0);
    keyId = (JSON.parse(readFileSync(path, "utf8")) as { kid: string }).kid;
  });

  test("is certified, and anyone verifies it with the key, its file or its id", async () => {
    for (const key of [keyId, join(place, "certifier.jwk.pub"), `file:${join(place, "certifier.jwk.pub")}`])
      expect(await verify([file("certificate.json"), file("run.json"), "--key", key])).toBe(0);
    expect(shown).toContain("is the run that was certified, byte for byte");
    expect(shown).not.toContain("Whose the key is");
  });

  test("without a key, it says that the key is anyone's", async () => {
    expect(await verify([file("certificate.html")])).toBe(0);
    expect(shown).toContain("Whose the key is: compare its id");
  });

  test("one result is shown with its path, and extracted for whoever must not see the others", async () => {
    const extract = join(place, "extract.json");
    const result = ["--result", "REDIR-08/upper-case-host"];
    expect(await verify([file("certificate.json"), file("run.json"), ...result, "--extract", extract])).toBe(
      0,
    );
    expect(shown).toContain("REDIR-08/upper-case-host: pass. A host in upper case is refused. (entry ");
    shown = "";
    expect(await verify([file("certificate.json"), extract, "--key", keyId])).toBe(0);
    expect(shown).toContain("REDIR-08/upper-case-host: pass. A host in upper case is refused. (entry ");
    writeFileSync(extract, readFileSync(extract, "utf8").replace("upper case", "lower case"));
    expect(await verify([file("certificate.json"), extract])).toBe(1);
    expect(shown).toContain("the result of REDIR-08/upper-case-host is not as certified");
  });

  test("a changed result is named", async () => {
    const changed = mkdtempSync(join(place, "changed-"));
    const text = readFileSync(file("run.json"), "utf8");
    writeFileSync(join(changed, "run.json"), text.replace('"verdict":"pass"', '"verdict":"warn"'));
    writeFileSync(join(changed, "leaves.json"), readFileSync(file("leaves.json")));
    expect(await verify([file("certificate.json"), join(changed, "run.json")])).toBe(1);
    expect(shown).toContain(`the result of ${complete.checks[0]?.id} was changed`);
  });

  test("another's key is refused", async () => {
    expect(await verify([file("certificate.json"), "--key", "A".repeat(43)])).toBe(1);
    expect(shown).toContain(`✗ key: it names the key ${keyId}`);
  });

  test("a run in place of the certificate is a usage error", async () => {
    await expect(verify([file("run.json")])).rejects.toThrow(UsageError);
    await expect(verify([file("run.json")])).rejects.toThrow(
      "run.json is a run, not a certificate: give certificate.json or certificate.html first",
    );
  });

  test.for([
    { why: "an empty file", text: "" },
    { why: "other JSON", text: "{}" },
    { why: "a page without a certificate", text: "<!doctype html><p>Hello</p>" },
  ])("$why is not a certificate, nor a changed one", async ({ text }) => {
    const path = join(mkdtempSync(join(place, "other-")), "certificate");
    writeFileSync(path, text);
    await expect(verify([path])).rejects.toThrow(UsageError);
    await expect(verify([path])).rejects.toThrow("certificate is not a certificate: give certificate.json");
  });

  test.for([
    { args: [], says: "verify needs a certificate" },
    { args: ["--result", "NO-01"], says: "--result NO-01: needs the run.json" },
    { args: ["--extract", "x"], says: "--extract needs --result" },
    { args: ["--target", "x"], says: "--target needs --rerun" },
    { args: ["--rerun", "0%"], says: "expected a share" },
    { args: ["--key", "README.md"], says: "expected a key as JWK or PEM" },
  ])("verify $args is a usage error", async ({ args, says }) => {
    const certificate = args.length === 0 ? [] : [file("certificate.json")];
    await expect(verify([...certificate, ...args])).rejects.toThrow(UsageError);
    await expect(verify([...certificate, ...args])).rejects.toThrow(says);
  });
});

describe("what is not certified", () => {
  beforeAll(() => certify(["--new-key", join(place, "unused.jwk")]));
  const [first, ...others] = complete.checks;

  test.for([
    { why: "a failure", checks: [{ ...first, verdict: "fail" }, ...others], code: 1, says: "fails" },
    {
      why: "a known failure",
      checks: [{ ...first, verdict: "fail", known: "later" }, ...others],
      code: 1,
      says: "which the profile knows (later)",
    },
    {
      why: "a blocked check",
      checks: [{ ...first, verdict: "blocked" }, ...others],
      code: 3,
      says: "is blocked",
    },
    { why: "a selection", checks: others, code: 3, says: "1 of" },
    {
      why: "a defect",
      checks: [{ ...first, verdict: "inconclusive", defect: true }, ...others],
      code: 5,
      says: "a defect of mailproof itself",
    },
  ])("$why: exit code $code, and nothing is written", async ({ checks, code, says }) => {
    const folder = folderOf({ ...complete, checks: checks as typeof complete.checks });
    expect(await certify(["--run", folder, "--key", join(place, "unused.jwk")])).toBe(code);
    expect(shown).toContain("not certified; 1 in the way");
    expect(shown).toContain(says);
    expect(() => statSync(join(folder, "certificate.json"))).toThrow("ENOENT");
  });
});

describe("the certifier's key", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;

  test("may be PEM, in a file or in the environment", async () => {
    const folder = folderOf(complete);
    const path = join(place, "key.pem");
    writeFileSync(path, pem, { mode: 0o600 });
    expect(await certify(["--run", folder, "--key", path])).toBe(0);
    vi.stubEnv("CERTIFIER_KEY", pem);
    expect(await certify(["--run", folder, "--key", "env:CERTIFIER_KEY"])).toBe(0);
    vi.unstubAllEnvs();
    writeFileSync(join(place, "public.pem"), publicKey.export({ type: "spki", format: "pem" }));
    expect(await verify([join(folder, "certificate.json"), "--key", join(place, "public.pem")])).toBe(0);
  });

  test("may have an id that begins with a hyphen", async () => {
    const folder = folderOf(complete);
    let key = generateKeyPairSync("ed25519").privateKey;
    while (!keyIdOf(certifierKeyOf(key)).startsWith("-")) key = generateKeyPairSync("ed25519").privateKey;
    const path = join(place, "hyphen.pem");
    writeFileSync(path, key.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
    expect(await certify(["--run", folder, "--key", path])).toBe(0);
    const given = ["--key", keyIdOf(certifierKeyOf(key))];
    expect(await verify([join(folder, "certificate.json"), ...given])).toBe(0);
  });

  test("that others can read is said so", async () => {
    const path = join(place, "shared.pem");
    writeFileSync(path, pem);
    chmodSync(path, 0o644);
    await certify(["--run", folderOf(complete), "--key", path]);
    expect(shown).toContain(`others can read ${path}: chmod 600`);
  });

  test.for([
    {
      why: "a public key",
      text: publicKey.export({ type: "spki", format: "pem" }),
      says: "signing needs the private one",
    },
    {
      why: "an RSA key",
      text: rsa.export({ type: "pkcs8", format: "pem" }),
      says: "expected an Ed25519 key, got rsa",
    },
    { why: "no key", text: "hello", says: "expected a key as JWK or PEM" },
    {
      why: "a JWK that is none",
      text: '{"kty":"OKP","crv":"Ed25519","d":"x"}',
      says: "expected a key as JWK or PEM",
    },
  ])("$why is refused", async ({ text, says }) => {
    const path = join(place, "wrong.pem");
    writeFileSync(path, text, { mode: 0o600 });
    await expect(certify(["--run", place, "--key", path])).rejects.toThrow(says);
  });

  test("is needed", async () => {
    await expect(certify([])).rejects.toThrow("certify needs --key FILE");
    await expect(certify(["--key", "env:NO_SUCH_KEY"])).rejects.toThrow(
      "this environment variable is not set",
    );
    await expect(certify(["--key", join(place, "none")])).rejects.toThrow("it does not exist");
  });
});
