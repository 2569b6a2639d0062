import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Middleware } from "../../fixtures/faults/equivalents/gateway.ts";
import {
  answering,
  headerOf,
  jsonAnswer,
  jsonObject,
  pageOf,
} from "../../fixtures/faults/equivalents/layers.ts";
import { testCertificate } from "../../fixtures/test-servers/test-certificate.ts";
import { makeCertificates } from "../../suites/support/target/documents/certificates.ts";
import { at, findings, openTargets } from "./broken-targets.ts";

const { inFolder, front } = openTargets();

const gate: Middleware = answering((request) =>
  headerOf(request, "x-gate") === "the-token-of-the-gate" ? undefined : pageOf(403, "Who are you?"),
);

const namesOfItsOwn: Middleware = answering((request) => {
  const { username } = at("POST", "/api/v1/session")(request) ? (jsonObject(request.body) ?? {}) : {};
  return typeof username === "string" && !/^agent-[a-f]{12}$/u.test(username)
    ? jsonAnswer(422, {})
    : undefined;
});

describe("a target behind a name, an authority, a client certificate and a gate of its own", () => {
  async function guarded(): Promise<object> {
    const { ca, ...options } = await makeCertificates("staging.test");
    writeFileSync(inFolder("ca.pem"), ca);
    writeFileSync(inFolder("client.pem"), testCertificate.cert);
    writeFileSync(inFolder("client-key.pem"), testCertificate.key);
    return front({
      layers: [gate, namesOfItsOwn],
      tls: {
        host: "staging.test",
        options: { ...options, requestCert: true, ca: testCertificate.cert, maxVersion: "TLSv1.3" },
      },
    });
  }

  const keys = {
    resolve: { "staging.test": "127.0.0.1" },
    ca_file: inFolder("ca.pem"),
    client_certificate: { cert_file: inFolder("client.pem"), key_file: inFolder("client-key.pem") },
    headers: {
      auth: { "X-Gate": "env:DOCTOR_GATE" },
      api: { "X-Gate": "the-token-of-the-gate" },
      mcp: { "X-Gate": "env:DOCTOR_GATE" },
    },
    pow: { username: "agent-[a-f]{12}" },
  };

  test("has everything with the keys for them", async () => {
    const all = await findings({ ...(await guarded()), ...keys });
    const people = ["first human", "second human", "mail"];
    expect(all.filter(({ state, title }) => state !== "ok" && !people.includes(title))).toEqual([]);
    expect(all.find(({ title }) => title === "signup")?.text).toMatch(/signed up as agent-[a-f]{12}/u);
  });

  test("has nodes that are asked under its name, with its authority, certificate and gate", async () => {
    const all = await findings({ ...(await guarded()), ...keys, nodes: ["127.0.0.1", "localhost"] });
    expect(all.filter(({ title }) => title.endsWith(" nodes"))).toMatchObject([
      { state: "ok", text: expect.stringMatching(/^all 2 answer as https:\/\/staging\.test:/u) },
      { state: "ok", text: expect.stringMatching(/^all 2 answer as https:\/\/staging\.test:/u) },
    ]);
  });

  test.for([
    { without: "resolve", title: "auth_url", says: "does not resolve" },
    { without: "ca_file", title: "auth_url", says: "not trusted" },
    { without: "client_certificate", title: "auth_url", says: "the connection was closed" },
    { without: "headers", title: "auth_url", says: "does not look like the authorization service" },
  ])("lacks $title without $without", async ({ without, title, says }) => {
    const some = Object.entries(keys).filter(([key]) => key !== without);
    const all = await findings({ ...(await guarded()), ...Object.fromEntries(some) });
    expect(all.find((each) => each.title === title)).toMatchObject({
      state: "missing",
      text: expect.stringContaining(says),
    });
  });
});
