import { writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type FrontedService, startFrontedService } from "../../fixtures/test-servers/fronted-service.ts";
import { testCertificate } from "../../fixtures/test-servers/test-certificate.ts";
import { makeCertificates } from "../../suites/support/target/documents/certificates.ts";
import { freePort } from "../../fixtures/service/free-port.ts";
import { everywhere, findings, openTargets, testEach } from "./broken-targets.ts";

const { inFolder, front, listening } = openTargets();
let plain: FrontedService;

beforeAll(async () => {
  plain = await startFrontedService();
});

afterAll(() => plain.close());

testEach([
  {
    cause: "a host that does not exist",
    content: () => everywhere("http://no-such-host.invalid"),
    title: "auth_url",
    says: "the host name does not resolve",
  },
  {
    cause: "a port where nothing listens",
    content: async () => everywhere(`http://127.0.0.1:${await freePort()}`),
    title: "auth_url",
    says: "nothing listens there",
  },
  {
    cause: "a wrong path prefix",
    content: () => ({ ...plain.addresses, auth_url: `${plain.addresses.auth_url}/tenant` }),
    title: "auth_url",
    says: "does not look like the authorization service",
    fix: "with its path prefix",
  },
  {
    cause: "a wrong path prefix of the mail API",
    content: () => ({ ...plain.addresses, api_url: `${plain.addresses.api_url}/tenant` }),
    title: "api_url",
    says: "does not look like the mail API",
    fix: "correct api_url",
  },
  {
    cause: "an expired certificate",
    content: async () => {
      const { ca, ...options } = await makeCertificates("127.0.0.1", 0);
      writeFileSync(inFolder("expired-ca.pem"), ca);
      const addresses = await front({ tls: { host: "127.0.0.1", options } });
      return { ...addresses, ca_file: inFolder("expired-ca.pem") };
    },
    title: "auth_url",
    says: "its certificate has expired",
  },
  {
    cause: "a certificate of an unknown authority",
    content: async () => {
      const { cert, key } = await makeCertificates("127.0.0.1");
      return front({ tls: { host: "127.0.0.1", options: { cert, key } } });
    },
    title: "auth_url",
    says: "is of an authority that is not trusted; name its authority in ca_file",
  },
  {
    cause: "a self-signed certificate",
    content: () => front({ tls: { host: "127.0.0.1", options: testCertificate } }),
    title: "auth_url",
    says: "its self-signed certificate is not trusted; name its authority in ca_file",
  },
  {
    cause: "a certificate for another host",
    content: async () => {
      const { ca, ...options } = await makeCertificates("other.test");
      writeFileSync(inFolder("other-ca.pem"), ca);
      const addresses = await front({ tls: { host: "127.0.0.1", options } });
      return { ...addresses, ca_file: inFolder("other-ca.pem") };
    },
    title: "auth_url",
    says: "its certificate is for another host",
  },
  {
    cause: "a client certificate that is missing",
    content: async () => {
      const { ca, ...options } = await makeCertificates("127.0.0.1");
      writeFileSync(inFolder("mutual-ca.pem"), ca);
      const asking = { ...options, requestCert: true, ca: testCertificate.cert };
      return {
        ...(await front({ tls: { host: "127.0.0.1", options: asking } })),
        ca_file: inFolder("mutual-ca.pem"),
      };
    },
    title: "auth_url",
    says: "the connection was closed before a complete answer",
    fix: "where it asks for a client certificate, give client_certificate in the profile",
  },
  {
    cause: "an http address where https is spoken",
    content: async () => {
      const { auth_url: url, ...others } = await front({
        tls: { host: "127.0.0.1", options: testCertificate },
      });
      return { ...others, auth_url: url.replace("https:", "http:") };
    },
    title: "auth_url",
    says: "is plain http, and https is spoken there",
    fix: "write auth_url with https://",
  },
  {
    cause: "an https address where http is spoken",
    content: () => ({ ...plain.addresses, auth_url: plain.addresses.auth_url.replace("http:", "https:") }),
    title: "auth_url",
    says: "it speaks no TLS; is it an http address?",
  },
  {
    cause: "a proxy that refuses",
    content: async () => {
      const proxy = createHttpServer();
      proxy.on("connect", (_request, socket: Socket) => void socket.end("HTTP/1.1 407 No\r\n\r\n"));
      vi.stubEnv("HTTP_PROXY", `http://127.0.0.1:${await listening(proxy)}`);
      return everywhere("http://service.test");
    },
    title: "auth_url",
    says: "answered 407 to CONNECT service.test:80",
  },
  {
    cause: "a target that never answers",
    content: async () => {
      const silent = createServer((socket) => void socket.on("error", () => {}));
      return { ...everywhere(`http://127.0.0.1:${await listening(silent)}`), timeout_seconds: 0.3 };
    },
    title: "auth_url",
    says: "no complete answer within 0.3 s",
  },
]);

test("what builds on something that is missing is not tried", async () => {
  const all = await findings(everywhere(`http://127.0.0.1:${await freePort()}`));
  expect(all.filter(({ state }) => state === "ok")).toEqual([]);
  expect(all.find(({ title }) => title === "first human")).toMatchObject({
    state: "not tried",
    text: "it needs auth_url",
  });
});
