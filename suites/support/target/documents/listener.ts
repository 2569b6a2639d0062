import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer as createPlainServer, type RequestListener } from "node:http";
import { createServer } from "node:https";
import { createServer as createConnectionServer, type Socket } from "node:net";
import { InconclusiveError } from "../../verdict.ts";
import type { ListenerSettings } from "../client-metadata-settings.ts";
import { isSpecialUse } from "./special-use.ts";
import { makeCertificates, type ServerCertificate } from "./certificates.ts";
import { type Answer, answeringJson, type Place, type ServedDocument } from "./place.ts";

/** The first byte of a TLS connection (RFC 8446 §5.1), with which no HTTP request begins. */
const tlsHandshake = 0x16;

/** @throws {InconclusiveError} precondition-missing, when the certificate or the port cannot be used */
export async function openListener(settings: ListenerSettings): Promise<Place> {
  try {
    return await listen(settings);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new InconclusiveError(
      "precondition-missing",
      `the listener of client_metadata cannot be opened: ${reason}`,
      { cause },
    );
  }
}

async function listen(settings: ListenerSettings): Promise<Place> {
  const documents = new Map<string, { answer: Answer; fetches: number }>();
  const asked = new WeakSet<Socket>();
  let isReached = false;
  let isTrusted = false;
  let refusal: string | undefined;
  const answer: RequestListener = (request, response) => {
    const document = documents.get(request.url ?? "");
    if (document === undefined) {
      response.writeHead(404).end();
      return;
    }
    document.fetches += 1;
    document.answer(response);
  };
  const server = createServer(await certificateOf(settings), (request, response) => {
    isTrusted = true;
    asked.add(request.socket);
    answer(request, response);
  });
  // So that an http URL leads to a document too, where a target takes one.
  const plain = createPlainServer(answer);
  const open = new Set<Socket>();
  const front = createConnectionServer((socket) => {
    isReached = true;
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    // Who leaves before a word was said.
    socket.on("error", () => socket.destroy());
    socket.once("readable", () => {
      const beginning = socket.read() as Buffer | null;
      if (beginning === null) return;
      socket.unshift(beginning);
      (beginning[0] === tlsHandshake ? server : plain).emit("connection", socket);
    });
  });
  server.on("tlsClientError", (error) => {
    refusal ??= refusalIn(error);
  });
  // Some clients look at the certificate when the handshake is over, and send no alert.
  server.on("secureConnection", (socket) =>
    socket.once("close", () => {
      if (!asked.has(socket)) refusal ??= "without a request";
    }),
  );
  front.listen(settings.port, settings.bind);
  await once(front, "listening");
  const address = front.address();
  const port = typeof address === "object" ? address?.port : settings.port;
  // The default port stands in no URL that a parser has written.
  const base = `https://${settings.host}${port === 443 ? "" : `:${port}`}`;

  function serve(name: string, answerAt: (url: string) => Answer): ServedDocument {
    const url = `${base}/${name}`;
    const document = { answer: answerAt(url), fetches: 0 };
    documents.set(`/${name}`, document);
    return {
      url,
      fetches: () => document.fetches,
      serve(next) {
        document.answer = next;
      },
    };
  }

  return {
    serve,
    publish: async (name, content) => serve(name, (url) => answeringJson(content(url))).url,
    obstacleFor(authUrl) {
      // A target of a public address may rightly fetch from no other (draft-ietf-oauth-client-id-metadata-document-01, on SSRF).
      if (!isReached && isSpecialUse(settings.host) && !isSpecialUse(new URL(authUrl).hostname))
        return `nothing has connected to ${base}, an address that the target may not reach, or fetch nothing from: give client_metadata.host, at which it reaches this machine, or publish documents elsewhere`;
      if (isTrusted || refusal === undefined) return undefined;
      return `the target ended its TLS connection to ${base} ${refusal}, so it seems not to trust ${trustedBy(settings)}${ssrfGuardHint(refusal, settings)}`;
    },
    async close() {
      front.close();
      for (const socket of open) socket.destroy();
      await once(front, "close");
    },
  };
}

/** An alert is about the certificate; a target that just leaves may guard against requests to its own network. */
function ssrfGuardHint(refusal: string, { host }: ListenerSettings): string {
  if (refusal.includes("alert") || !isSpecialUse(host)) return "";
  return `; or it connects to ${host} and then fetches nothing from such an address, as guards against server-side request forgery do: allow it that address`;
}

/** How a TLS client refuses a certificate: by an alert (RFC 8446 §6.2), or by leaving, as Node does. */
function refusalIn(error: Error): string | undefined {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (code === "ECONNRESET") return "in the middle of the handshake";
  const alert = /_ALERT_(?<words>UNKNOWN_CA|[A-Z_]*CERTIFICATE[A-Z_]*)$/u.exec(code)?.groups?.["words"];
  return alert === undefined ? undefined : `with the alert "${alert.toLowerCase().replaceAll("_", " ")}"`;
}

function trustedBy({ ca_file: caFile, cert_file: certFile }: ListenerSettings): string {
  return caFile === undefined
    ? `the certificate in ${certFile}`
    : `the certificate authority in ${caFile}, which is another in each run: let it read the file at each connection, or give client_metadata.cert_file and key_file, of a certificate that it trusts`;
}

async function certificateOf(settings: ListenerSettings): Promise<ServerCertificate> {
  const { host, ca_file: caFile, cert_file: certFile, key_file: keyFile } = settings;
  if (certFile !== undefined && keyFile !== undefined)
    return { cert: await readFile(certFile, "utf8"), key: await readFile(keyFile, "utf8") };
  const { ca, ...certificate } = await makeCertificates(host);
  if (caFile !== undefined) await writeFile(caFile, ca);
  return certificate;
}
