import { spawn } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import vectors from "../fixtures/vectors/pow.json" with { type: "json" };

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Ends by itself, or is ended after a minute. */
function solve(args: readonly string[], input = ""): Promise<Ended> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "mailproof.ts"), "solve", ...args], {
    timeout: 60_000,
  });
  const texts = { out: "", err: "" };
  child.stdout.on("data", (part: Buffer) => (texts.out += part.toString()));
  child.stderr.on("data", (part: Buffer) => (texts.err += part.toString()));
  // It may have ended before it reads: what it says then is judged below.
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

// Together, since each waits mostly for a process to start; they are slow only beside other work.
describe.concurrent("mailproof solve", { timeout: 60_000 }, () => {
  test("solves a challenge on standard input, and explains", async () => {
    const { code, out, err } = await solve(["--explain"], jwt);
    expect(err).toContain("4 leading zero bits: 16 tries on average");
    expect(out).toContain(`nonce   28\npowHex  ${expectedOf("28").digest}\ntries   `);
    expect(out).toMatch(/^time {4}.+ hashes\/s$/mu);
    expect(out).toContain('password  "4f6a1c2e-8b7d-4c3f-9a10-2d5e6f708192:28", 39 bytes of UTF-8');
    expect(out).toContain("its text as 32 bytes of UTF-8");
    expect(out).toContain("warning: not the 16 bytes that the text decodes to:\n          9f 86 d0 81");
    expect(out).toContain("00000100 10010111");
    expect(out).toContain("^^^^^ 5 leading zero bits");
    expect(out).toContain("counts    yes: 5 is at least 4");
    expect(code).toBe(0);
  });

  test("solves a challenge given by options", async () => {
    const { code, out } = await solve([...challenge, "--difficulty", "3"]);
    const [, nonce = ""] = /^nonce {3}(\d+)$/mu.exec(out) ?? [];
    const [, powHex = ""] = /^powHex {2}([0-9a-f]{128})$/mu.exec(out) ?? [];
    expect(code).toBe(0);
    expect(await solve([...challenge, "--difficulty", "3", "--check", nonce, powHex])).toMatchObject({
      code: 0,
    });
  });

  test("a valid solution", async () => {
    const given = [...challenge, "--difficulty", "6", "--check", "162", expectedOf("162").digest];
    expect(await solve(given)).toEqual({
      code: 0,
      out: "valid: 6 leading zero bits, at least 6 asked for\n",
      err: "",
    });
  });

  test("a wrong solution, and the mistake that makes it", async () => {
    const { code, out } = await solve(
      ["--difficulty", "6", "--check", "87", expectedOf("87").decodedSaltDigest],
      jwt,
    );
    expect(out).toContain("invalid\n  powHex is not the scrypt digest of <jti>:<nonce>\n");
    expect(out).toContain("the mistake that produces it:\n  decoded-salt: ");
    expect(code).toBe(1);
  });

  test("a solution that fits no known mistake", async () => {
    const { code, out } = await solve([...challenge, "--difficulty", "6", "--check", "162", "none"]);
    expect(out).toContain("no known mistake produces this answer");
    expect(code).toBe(1);
  });

  test("what a signup costs", async () => {
    const { code, out } = await solve(["--cost", "--difficulty", "12"]);
    expect(out).toMatch(/^this machine +node:crypto scryptSync +measured +[\d.]+ +1\.00 +\S+ \S+$/mu);
    expect(out).toMatch(/^this machine +this solver +measured +[\d.]+ +[\d.]+ +\S+ \S+$/mu);
    expect(out).toMatch(/^reference core +C with AVX-512.+ +measured +5\.1 +6\.10 +20\.8 s$/mu);
    expect(out).toMatch(/^expected tries +4,096$/mu);
    expect(code).toBe(0);
  });

  test.for([
    { why: "no challenge", args: [], says: "standard input is empty" },
    { why: "a mistyped option", args: ["--dificulty", "3"], says: "--dificulty" },
    {
      why: "a bad salt",
      args: ["--jti", "j", "--salt", "xyz", "--difficulty", "3"],
      says: '--salt "xyz": expected hexadecimal',
    },
    {
      why: "half a solution",
      args: [...challenge, "--difficulty", "3", "--check", "5"],
      says: "expected 2 values, got 1",
    },
    { why: "a solution without --check", args: [...challenge, "5", "ab"], says: "--check NONCE POWHEX" },
    {
      why: "cost of a challenge",
      args: ["--cost", "--jti", "j"],
      says: "--cost goes with --difficulty alone",
    },
  ])("cannot be used: $why", async ({ args, says }) => {
    const { code, out, err } = await solve(args);
    expect(err).toContain(says);
    expect(err).toMatch(/^mailproof: /u);
    expect({ code, out }).toEqual({ code: 2, out: "" });
  });
});
