const trustIt = "name its authority in ca_file of the profile, or in NODE_EXTRA_CA_CERTS";

const reasons: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "its certificate has expired; it needs a new one",
  CERT_NOT_YET_VALID: "its certificate is not valid yet; is the clock of this machine right?",
  DEPTH_ZERO_SELF_SIGNED_CERT: `its self-signed certificate is not trusted; ${trustIt}`,
  SELF_SIGNED_CERT_IN_CHAIN: `its certificate is of an authority that is not trusted, with a self-signed certificate; ${trustIt}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `its certificate is of an authority that is not trusted; ${trustIt}`,
  UNABLE_TO_GET_ISSUER_CERT: `its certificate is of an authority that is not trusted; ${trustIt}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `its certificate is of an authority that is not trusted; ${trustIt}`,
  ERR_SSL_WRONG_VERSION_NUMBER: "it speaks no TLS; is it an http address?",
  ERR_SSL_PACKET_LENGTH_TOO_LONG: "it speaks no TLS; is it an http address?",
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED:
    "it asks for a client certificate; give client_certificate in the profile",
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA:
    "it does not trust the client certificate; is client_certificate of the profile the right one?",
};

/**
 * Why no TLS connection was made, and how to fix it.
 *
 * @param code - of the error of Node.js
 * @returns undefined when it is about something else
 */
export function tlsReason(code: string, error: Error): string | undefined {
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return `its certificate is for another host: ${error.message}`;
  return reasons[code];
}

/** Whether a connection failed in a way that shows that the other side speaks TLS. */
export function showsTls(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return (
    typeof code === "string" &&
    (code === "ERR_TLS_CERT_ALTNAME_INVALID" || (code in reasons && !reasons[code]?.includes("no TLS")))
  );
}
