import type { AddressKey } from "../../suites/support/target/preflight.ts";
import type { InconclusiveError } from "../../suites/support/verdict.ts";

const trust = (): string =>
  "name the authority of the certificate in ca_file of the profile, or in NODE_EXTRA_CA_CERTS";
const start = (key: AddressKey): string => `start the service, or correct ${key} in the profile`;
const plain = (key: AddressKey): string => `write ${key} with http:// in the profile`;

/** By the code of the error of Node.js or undici. */
const fixes: Readonly<Record<string, (key: AddressKey) => string>> = {
  ECONNREFUSED: start,
  UND_ERR_CONNECT_TIMEOUT: start,
  DEPTH_ZERO_SELF_SIGNED_CERT: trust,
  SELF_SIGNED_CERT_IN_CHAIN: trust,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: trust,
  UNABLE_TO_GET_ISSUER_CERT: trust,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: trust,
  CERT_HAS_EXPIRED: () => "give the service a new certificate",
  CERT_NOT_YET_VALID: () => "set the clock of this machine, or give the service a certificate that is valid",
  ERR_TLS_CERT_ALTNAME_INVALID: (key) =>
    `write ${key} with the host that the certificate is for, or give the service a certificate for this host`,
  ERR_SSL_WRONG_VERSION_NUMBER: plain,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: plain,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: () => "give client_certificate in the profile",
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: () => "correct client_certificate in the profile",
};

/**
 * How to fix an address that gives no answer.
 *
 * @returns undefined where the reason does not tell
 */
export function addressFix(key: AddressKey, { code, cause }: InconclusiveError): string | undefined {
  if (code === "target-silent")
    return `raise timeout_seconds in the profile where the service is slow; else start the service, or correct ${key}`;
  const reason: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined;
  return typeof reason === "string" ? fixes[reason]?.(key) : undefined;
}
