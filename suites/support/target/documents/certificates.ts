import { isIP } from "node:net";

/** All as PEM. */
export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

const dayMs = 24 * 3600 * 1000;
const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/**
 * Makes a certificate authority and a certificate of it for one host. The key of the authority is forgotten, so that whoever
 * trusts it trusts nothing but this certificate.
 *
 * @param host - as in a URL, so an IPv6 address is in brackets
 * @param daysValid - from yesterday on; 0 has expired
 * @returns the certificate of the authority as `ca`, as PEM
 */
export async function makeCertificates(
  host: string,
  daysValid = 7,
): Promise<ServerCertificate & { readonly ca: string }> {
  // Loaded for runs that listen alone; the first is a requirement of the second.
  await import("reflect-metadata");
  const x509 = await import("@peculiar/x509");
  const { subtle } = globalThis.crypto;
  const newKeys = () => subtle.generateKey(algorithm, true, ["sign", "verify"]);
  // A target's clock may be slow.
  const notBefore = new Date(Date.now() - dayMs);
  const validity = { notBefore, notAfter: new Date(Date.now() + 7 * dayMs) };

  const authorityKeys = await newKeys();
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=mailproof, authority of one run",
    keys: authorityKeys,
    signingAlgorithm: algorithm,
    ...validity,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.create({
    subject: "CN=mailproof, client metadata documents",
    issuer: authority.subject,
    publicKey: keys.publicKey,
    signingKey: authorityKeys.privateKey,
    signingAlgorithm: algorithm,
    notBefore,
    notAfter: new Date(Date.now() + daysValid * dayMs - 1000),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([alternativeName(host)]),
      await x509.AuthorityKeyIdentifierExtension.create(authorityKeys.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const pkcs8 = await subtle.exportKey("pkcs8", keys.privateKey);
  return {
    ca: authority.toString("pem"),
    cert: certificate.toString("pem"),
    key: x509.PemConverter.encode(pkcs8, x509.PemConverter.PrivateKeyTag),
  };
}

function alternativeName(host: string): { type: "dns" | "ip"; value: string } {
  const value = host.replaceAll(/[[\]]/gu, "");
  return { type: isIP(value) === 0 ? "dns" : "ip", value };
}
