import { createHash } from "node:crypto";

/** In hexadecimal. */
export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}
