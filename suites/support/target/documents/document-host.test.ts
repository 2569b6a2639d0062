import { X509Certificate } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { Agent, request } from "undici";
import { clientMetadataSettings } from "../client-metadata-settings.ts";
import { makeCertificates } from "./certificates.ts";
import { createDocumentHost, type DocumentHost } from "./document-host.ts";
import { answeringJson } from "./place.ts";

// Of a target on this machine, as the listener is.
const authUrl = "http://127.0.0.1:4000";
const scratch = mkdtempSync(join(tmpdir(), "mailproof-documents-"));
const caFile = join(scratch, "ca.pem");

afterAll(() => rmSync(scratch, { recursive: true }));

function hostOf(settings: object): DocumentHost {
  return createDocumentHost(clientMetadataSettings.parse(settings));
}

/** As a target fetches, which trusts the authority of the run. */
async function fetched(url: string): Promise<{ status: number; body: unknown }> {
  const dispatcher = new Agent({ connect: { ca: readFileSync(caFile, "utf8") } });
  const { statusCode: status, body } = await request(url, { dispatcher });
  const text = await body.text();
  await dispatcher.close();
  return { status, body: text === "" ? undefined : JSON.parse(text) };
}

test.for([
  { name: "localhost", settings: {} },
  { name: "127.0.0.1", settings: { host: "127.0.0.1" } },
])(
  "a listener publishes at $name with a certificate of the authority that it has written",
  async ({ settings }) => {
    const host = hostOf({ publish: "listener", ca_file: caFile, ...settings });
    const url = await host.publish((at) => ({ client_id: at }));
    expect(await fetched(url)).toEqual({ status: 200, body: { client_id: url } });
    expect((await fetched(`${url}x`)).status).toBe(404);
    await host.close();
  },
);

test("a certificate for an IPv6 address names it without the brackets that it has in a URL", async () => {
  const { cert } = await makeCertificates("[::1]");
  expect(new X509Certificate(cert).checkIP("::1")).toBe("::1");
});

test("a listener counts the requests for a document, whose answer can change", async () => {
  const host = hostOf({ publish: "listener", ca_file: caFile });
  const document = await host.serve(() => answeringJson({ version: 1 }));
  const other = await host.serve(() => answeringJson({}));
  await fetched(document.url);
  document.serve(answeringJson({ version: 2 }, { status: 201 }));
  expect(await fetched(document.url)).toEqual({ status: 201, body: { version: 2 } });
  expect([document.fetches(), other.fetches()]).toEqual([2, 0]);
  await host.close();
});

test("a listener answers at the http URL of the same address, which shows nothing of trust", async () => {
  const host = hostOf({ publish: "listener", ca_file: caFile });
  const document = await host.serve(() => answeringJson({ a: 1 }));
  expect(await fetched(document.url.replace("https:", "http:"))).toEqual({ status: 200, body: { a: 1 } });
  expect(document.fetches()).toBe(1);
  await host.close();
});

test.for([
  { how: "before the handshake is over", maxVersion: "TLSv1.3" as const },
  { how: "after the handshake", maxVersion: "TLSv1.2" as const },
])(
  "a target that refuses the certificate of the listener $how is told from one that fetches nothing",
  async (row) => {
    const host = hostOf({ publish: "listener", ca_file: caFile });
    const url = await host.publish((at) => ({ client_id: at }));
    expect(host.obstacleFor(authUrl)).toBeUndefined();
    // Trusts what the machine trusts, as a target that was not told of the authority.
    const dispatcher = new Agent({ connect: { maxVersion: row.maxVersion } });
    await expect(request(url, { dispatcher })).rejects.toThrow(/certificate/u);
    await vi.waitFor(() => expect(host.obstacleFor(authUrl) ?? "").toContain(`authority in ${caFile}`));
    await fetched(url);
    expect(host.obstacleFor(authUrl)).toBeUndefined();
    await host.close();
  },
);

test("a remote target that cannot reach the listener is told from one that fetches nothing", async () => {
  const host = hostOf({ publish: "listener", ca_file: caFile });
  const url = await host.publish((at) => ({ client_id: at }));
  expect(host.obstacleFor("https://auth.example")).toContain("nothing has connected to https://localhost:");
  expect(host.obstacleFor(authUrl)).toBeUndefined();
  await fetched(url);
  expect(host.obstacleFor("https://auth.example")).toBeUndefined();
  await host.close();
});

test("files appear in the folder, and are removed in the end", async () => {
  const folder = mkdtempSync(join(scratch, "folder-"));
  const host = hostOf({ publish: "folder", base_url: "https://docs.example/clients", folder });
  const url = await host.publish((at) => ({ client_id: at }));
  const [name = ""] = readdirSync(folder);
  expect(url).toBe(`https://docs.example/clients/${name}`);
  expect(JSON.parse(readFileSync(join(folder, name), "utf8"))).toEqual({ client_id: url });
  await host.close();
  expect(readdirSync(folder)).toEqual([]);
});

test("a command gets each document on standard input and its name as an argument", async () => {
  const program = join(scratch, "publish.cjs");
  writeFileSync(
    program,
    'const fs = require("node:fs"); fs.writeFileSync(process.argv[2], fs.readFileSync(0));',
  );
  const place = join(scratch, "by-command");
  const host = hostOf({
    publish: "command",
    base_url: "https://docs.example",
    command: [process.execPath, program, `${place}-{name}`],
  });
  const url = await host.publish((at) => ({ client_id: at }));
  const name = url.slice("https://docs.example/".length);
  expect(JSON.parse(readFileSync(`${place}-${name}`, "utf8"))).toEqual({ client_id: url });
});

test.for([
  {
    why: "ends with another code than 0",
    command: [process.execPath, "--eval", "process.exit(3)"],
    says: "ended with 3",
  },
  { why: "cannot be started", command: [join(scratch, "no-such-program")], says: "cannot be started" },
])("a command that $why is not a verdict about the target", async ({ command, says }) => {
  const host = hostOf({ publish: "command", base_url: "https://docs.example", command });
  await expect(host.publish(() => ({}))).rejects.toMatchObject({
    code: "precondition-missing",
    message: expect.stringContaining(says) as string,
  });
});

test("without a place, or without a listener where one is needed, the check is blocked", async () => {
  await expect(createDocumentHost(undefined).publish(() => ({}))).rejects.toThrow(/client_metadata/u);
  const host = hostOf({ publish: "folder", base_url: "https://docs.example", folder: scratch });
  await expect(host.serve(() => answeringJson({}))).rejects.toThrow(/"listener"/u);
});

test.for([
  { why: "no file for the authority", settings: { publish: "listener" } },
  { why: "a certificate without its key", settings: { publish: "listener", cert_file: "cert.pem" } },
  { why: "a host in upper case", settings: { publish: "listener", ca_file: "ca.pem", host: "Localhost" } },
  { why: "plain http", settings: { publish: "folder", base_url: "http://docs.example", folder: "." } },
])("settings with $why are refused", ({ settings }) => {
  expect(clientMetadataSettings.safeParse(settings).success).toBe(false);
});
