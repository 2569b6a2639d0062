/** Which part of what was handed over is not as it was certified. */
export type CertificatePart =
  "payload" | "payload type" | "signatures" | "signature" | "key" | "key id" | "statement" | "page";

/** A certificate proves nothing: a part of it is not what was signed. */
export class CertificateError extends Error {
  override readonly name = "CertificateError";
  readonly part: CertificatePart;
  constructor(part: CertificatePart, message: string, options?: ErrorOptions) {
    super(message, options);
    this.part = part;
  }
}
