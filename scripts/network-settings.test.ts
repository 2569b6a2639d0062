import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testCertificate } from "../fixtures/test-servers/test-certificate.ts";
import { startMailproof } from "./mailproof-process.ts";

const folder = mkdtempSync(join(tmpdir(), "mailproof-network-"));
const certificate = join(folder, "certificate.pem");
const profile = join(folder, "profile.json");
const gated = join(folder, "gated.json");
const target = createServer({ ...testCertificate }, (request, response) => {
  seen.add(String(request.headers["x-gate"]));
  response.setHeader("content-type", "application/json").end("{}");
});
const seen = new Set<string>();

beforeAll(async () => {
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  const url = `https://127.0.0.1:${(target.address() as AddressInfo).port}`;
  writeFileSync(profile, JSON.stringify({ auth_url: url, api_url: url, mcp_url: url }));
  writeFileSync(certificate, testCertificate.cert);
  const keys = { ca_file: certificate, headers: { auth: { "X-Gate": "env:GATE_TOKEN" } } };
  writeFileSync(gated, JSON.stringify({ auth_url: url, api_url: url, mcp_url: url, ...keys }));
});

afterAll(() => {
  target.close();
  rmSync(folder, { recursive: true });
});

function judged(env: Readonly<Record<string, string>>, path = profile) {
  const args = ["conformance", "--target", path, "--check", "META-02", "--out", folder];
  return startMailproof(args, { SSL_CERT_FILE: "", NODE_EXTRA_CA_CERTS: "", ...env }).ended;
}

test("a certificate of nobody known ends the run before anything is judged", async () => {
  const { code, err } = await judged({});
  expect(err).toContain("self-signed certificate");
  expect(code).toBe(3);
});

test.for(["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"])("%s names certificates to trust", async (name) => {
  const { code, out } = await judged({ [name]: certificate });
  expect(out).toContain("✗ META-02");
  expect(code).toBe(1);
});

test("a profile names an authority to trust and the token of a gate, which no report shows", async () => {
  seen.clear();
  const { code, out } = await judged({ GATE_TOKEN: "token-of-the-gate-1a2b" }, gated);
  expect(code).toBe(1);
  expect(seen).toEqual(new Set(["token-of-the-gate-1a2b"]));
  const [, path = ""] = /written: (\S+run\.json)/u.exec(out) ?? [];
  const report = readFileSync(path, "utf8");
  expect(report).toMatch(/"X-Gate",\s*"<header [0-9a-f]{8}, 22 characters>"/u);
  expect(report + out).not.toContain("token-of-the-gate-1a2b");
});

test.for([
  {
    env: { SSL_CERT_FILE: "no-such-file" },
    says: "cannot read SSL_CERT_FILE no-such-file: it does not exist",
  },
  { env: { SSL_CERT_FILE: profile }, says: "holds no certificate in PEM form" },
  { env: { HTTPS_PROXY: "socks5://a" }, says: "HTTPS_PROXY is not the URL of an HTTP proxy" },
])("$env ends with one line and exit code 2", async ({ env, says }) => {
  const { code, err } = await judged(env);
  expect(err.trim().split("\n")).toEqual([expect.stringContaining(says)]);
  expect(code).toBe(2);
});
