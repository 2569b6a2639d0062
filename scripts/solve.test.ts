import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import vectors from "../fixtures/vectors/pow.json" with { type: "json" };

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Killed after two minutes. */
function solve(args: readonly string[], input = ""): Promise<Ended> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "mailproof.ts"), "solve", ...args], {
    timeout: 120_000,
  });
  const texts = { out: "", err: "" };
  child.stdout.on("data", (part: Buffer) => (texts.out += part.toString()));
  child.stderr.on("data", (part: Buffer) => (texts.err += part.toString()));
  // A process that ends before it reads its input closes the pipe.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...texts }));
  });
}

const jti = "4f6a1c2e-8b7d-4c3f-9a10-2d5e6f708192";
const salt = "9f86d081884c7d659a2feaa0c55ad015";
const challenge = ["--jti", jti, "--salt", salt];

function expectedOf(nonce: string): (typeof vectors.digests)[number]["expected"] {
  const found = vectors.digests.find(({ input }) => input.nonce === nonce);
  if (found === undefined) throw new RangeError(`fixtures/vectors/pow.json has no digest of nonce ${nonce}`);
  return found.expected;
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const jwt = `${part({ alg: "EdDSA" })}.${part({ jti, difficulty: 4, salt })}.c2lnbmF0dXJl`;

// Concurrent, because most of the time is process start-up.
describe.concurrent("mailproof solve", () => {
  test("solves a challenge from standard input, and explains the solution", async () => {
    const { code, out, err } = await solve(["--explain"], jwt);
    expect(err).toContain("4 leading zero bits: 16 tries on average");
    expect(out).toContain(`nonce   28\npowHex  ${expectedOf("28").digest}\ntries   `);
    expect(out).toMatch(/^time {4}.+ hashes\/s$/mu);
    expect(out).toContain('password  "4f6a1c2e-8b7d-4c3f-9a10-2d5e6f708192:28", 39 bytes of UTF-8');
    expect(out).toContain("as text: 32 bytes of UTF-8");
    expect(out).toContain("note: not the 16 bytes that the text decodes to:\n          9f 86 d0 81");
    expect(out).toContain("00000100 10010111");
    expect(out).toContain("^^^^^ 5 leading zero bits");
    expect(out).toContain("valid     yes: 5 is at least 4");
    expect(code).toBe(0);
  });

  test("solves a challenge from options", async () => {
    const { code, out } = await solve([...challenge, "--difficulty", "3"]);
    const [, nonce = ""] = /^nonce {3}(\d+)$/mu.exec(out) ?? [];
    const [, powHex = ""] = /^powHex {2}([0-9a-f]{128})$/mu.exec(out) ?? [];
    expect(code).toBe(0);
    expect(await solve([...challenge, "--difficulty", "3", "--check", nonce, powHex])).toMatchObject({
      code: 0,
    });
  });

  test("accepts a valid solution", async () => {
    const given = [...challenge, "--difficulty", "6", "--check", "162", expectedOf("162").digest];
    expect(await solve(given)).toEqual({
      code: 0,
      out: "valid: 6 leading zero bits, at least 6 required\n",
      err: "",
    });
  });

  test("names the mistake that explains a wrong solution", async () => {
    const { code, out } = await solve(
      ["--difficulty", "6", "--check", "87", expectedOf("87").decodedSaltDigest],
      jwt,
    );
    expect(out).toContain("invalid\n  powHex is not the scrypt digest of <jti>:<nonce>\n");
    expect(out).toContain("likely mistake:\n  decoded-salt: ");
    expect(code).toBe(1);
  });

  test("says when no known mistake explains a solution", async () => {
    const { code, out } = await solve([...challenge, "--difficulty", "6", "--check", "162", "none"]);
    expect(out).toContain("no single known mistake explains this answer");
    expect(code).toBe(1);
  });

  test("shows what a signup costs", async () => {
    const { code, out } = await solve(["--cost", "--difficulty", "12"]);
    expect(out).toMatch(/^this machine +node:crypto scryptSync +measured +[\d.]+ +1\.00 +\S+ \S+$/mu);
    expect(out).toMatch(/^this machine +this solver +measured +[\d.]+ +[\d.]+ +\S+ \S+$/mu);
    expect(out).toMatch(/^reference core +C with AVX-512.+ +measured +5\.1 +6\.10 +20\.8 s$/mu);
    expect(out).toMatch(/^expected tries +4,096$/mu);
    expect(code).toBe(0);
  });

  test("Ctrl-C ends a search promptly", async () => {
    const args = [join(import.meta.dirname, "mailproof.ts"), "solve", ...challenge, "--difficulty", "64"];
    const child = spawn(process.execPath, args, { detached: true, stdio: ["ignore", "pipe", "pipe"] });
    let err = "";
    child.stderr.on("data", (part: Buffer) => (err += part.toString()));
    await once(child.stderr, "data");
    // To the whole process group, like a terminal.
    if (child.pid !== undefined) process.kill(-child.pid, "SIGINT");
    const interruptedAtMs = performance.now();
    const [code] = (await once(child, "close")) as [number | null];
    expect(performance.now() - interruptedAtMs).toBeLessThan(5000);
    expect(err).toMatch(/^64 leading zero bits: .+\ninterrupted after \d+ tries\n$/u);
    expect(code).toBe(3);
  });

  test.for([
    { why: "no challenge", args: [], message: "standard input is empty" },
    { why: "a mistyped option", args: ["--dificulty", "3"], message: "--dificulty" },
    {
      why: "a bad salt",
      args: ["--jti", "j", "--salt", "xyz", "--difficulty", "3"],
      message: '--salt "xyz": expected hexadecimal',
    },
    {
      why: "half a solution",
      args: [...challenge, "--difficulty", "3", "--check", "5"],
      message: "expected 2 values, got 1",
    },
    {
      why: "a solution without --check",
      args: [...challenge, "5", "ab"],
      message: "--check NONCE POWHEX",
    },
    {
      why: "cost of a challenge",
      args: ["--cost", "--jti", "j"],
      message: "--cost can only be combined with --difficulty",
    },
  ])("rejects: $why", async ({ args, message }) => {
    const { code, out, err } = await solve(args);
    expect(err).toContain(message);
    expect(err).toMatch(/^mailproof: /u);
    expect({ code, out }).toEqual({ code: 2, out: "" });
  });
});
