import { randomBytes } from "node:crypto";
import { formParameters } from "./exchange.ts";
import { encodeParameters, type Parameters } from "./parameters.ts";

/** A form on its way to the server. */
export interface PostedForm {
  readonly contentType: string;
  readonly body: string;
}

export const urlEncoded = "application/x-www-form-urlencoded";

/** The fields encoded as a browser does it (RFC 7578). */
export function multipartForm(fields: Parameters): PostedForm {
  return inParts(fields, `----mailproof${randomBytes(12).toString("hex")}`);
}

/** What a form holds; undefined where the body is of another type. */
export function fieldsOf({ contentType, body }: PostedForm): Parameters | undefined {
  if (contentType === urlEncoded) return formParameters(body);
  const boundary = boundaryOf(contentType);
  if (boundary === undefined) return undefined;
  // The first piece is what stands before the parts, the last one what stands behind them.
  const parts = `\r\n${body}`.split(`\r\n--${boundary}`).slice(1, -1);
  return parts.map((part) => {
    const at = part.indexOf("\r\n\r\n");
    const [, name = ""] = /\bname="([^"]*)"/u.exec(part.slice(0, at)) ?? [];
    return [unescaped(name), part.slice(at + 4)] as const;
  });
}

/** The same form with other fields. */
export function withFields({ contentType }: Pick<PostedForm, "contentType">, fields: Parameters): PostedForm {
  const boundary = boundaryOf(contentType);
  return boundary === undefined ? { contentType, body: encodeParameters(fields) } : inParts(fields, boundary);
}

function boundaryOf(contentType: string): string | undefined {
  return /^multipart\/form-data; boundary=(.+)$/u.exec(contentType)?.[1];
}

function inParts(fields: Parameters, boundary: string): PostedForm {
  const parts = fields.map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"\r\n\r\n${withLineEnds(value)}\r\n`,
  );
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: `${parts.join("")}--${boundary}--\r\n`,
  };
}

// HTML, "multipart/form-data encoding algorithm".
function escaped(name: string): string {
  return withLineEnds(name).replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}

function unescaped(name: string): string {
  return name.replaceAll("%0D", "\r").replaceAll("%0A", "\n").replaceAll("%22", '"');
}

function withLineEnds(text: string): string {
  return text.toWellFormed().replaceAll(/\r\n|\r|\n/gu, "\r\n");
}
