import { readFileSync } from "node:fs";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { ProxySettingError, proxyFor } from "../suites/support/wire/proxy-settings.ts";
import { onFileSystem } from "./run-folder/output-error.ts";
import { UsageError } from "./usage-error.ts";

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/gu;

/**
 * Trusts the certificates of the file that `SSL_CERT_FILE` names instead of those that come with Node.js, as OpenSSL does,
 * and checks the proxy variables. Node.js itself adds those of `NODE_EXTRA_CA_CERTS`.
 *
 * @throws {UsageError}
 */
export function applyNetworkSettings(environment: NodeJS.ProcessEnv = process.env): void {
  try {
    for (const protocol of ["https:", "http:"])
      proxyFor({ protocol, hostname: "service.example", port: "" }, environment);
  } catch (error) {
    if (error instanceof ProxySettingError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
  const path = environment["SSL_CERT_FILE"];
  if (path !== undefined && path !== "") trustOnly(path);
}

function trustOnly(path: string): void {
  const text = onFileSystem(`read SSL_CERT_FILE ${path}`, () => readFileSync(path, "utf8"));
  const certificates = text.match(certificate) ?? [];
  if (certificates.length === 0)
    throw new UsageError(`SSL_CERT_FILE: ${path} holds no certificate in PEM form`);
  try {
    setDefaultCACertificates([...certificates, ...getCACertificates("extra")]);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`SSL_CERT_FILE: ${path} cannot be used: ${reason}`, { cause });
  }
}
