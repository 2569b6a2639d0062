import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import { InconclusiveError } from "../../verdict.ts";
import type { ListenerSettings } from "../client-metadata-settings.ts";
import { makeCertificates, type ServerCertificate } from "./certificates.ts";
import { type Answer, answeringJson, type Place, type ServedDocument } from "./place.ts";

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
  const server = createServer(await certificateOf(settings), (request, response) => {
    const document = documents.get(request.url ?? "");
    if (document === undefined) {
      response.writeHead(404).end();
      return;
    }
    document.fetches += 1;
    document.answer(response);
  });
  server.listen(settings.port, settings.bind);
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : settings.port;
  // The default port stands in no URL that a parser has written.
  const base = `https://${settings.host}${port === 443 ? "" : `:${port}`}`;

  function serve(name: string, answer: (url: string) => Answer): ServedDocument {
    const url = `${base}/${name}`;
    const document = { answer: answer(url), fetches: 0 };
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
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function certificateOf(settings: ListenerSettings): Promise<ServerCertificate> {
  const { host, ca_file: caFile, cert_file: certFile, key_file: keyFile } = settings;
  if (certFile !== undefined && keyFile !== undefined)
    return { cert: await readFile(certFile, "utf8"), key: await readFile(keyFile, "utf8") };
  const { ca, ...certificate } = await makeCertificates(host);
  if (caFile !== undefined) await writeFile(caFile, ca);
  return certificate;
}
