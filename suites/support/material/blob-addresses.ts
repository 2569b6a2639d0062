import { bearer } from "../actors/jmap.ts";
import { followedSessionDocument } from "../actors/mail-session.ts";
import { isOwnOrigin } from "../target/origins.ts";
import type { Target } from "../target/target.ts";
import { NotApplicableError } from "../verdict.ts";
import { type Exchange, type HeaderLines, isSuccess, jsonMembers, showsText } from "../wire/exchange.ts";

/** URL templates of the session document; undefined where it has none at an origin of the profile. */
export interface BlobAddresses {
  readonly download: string | undefined;
  readonly upload: string | undefined;
}

/** @param capability - of any agent: only the values in the templates differ */
export async function blobAddresses(target: Target, capability: string): Promise<BlobAddresses> {
  const exchange = await followedSessionDocument(target, [bearer(capability)]);
  return {
    download: addressIn(target, exchange, "downloadUrl"),
    upload: addressIn(target, exchange, "uploadUrl"),
  };
}

/** The URL template of the events of an account, with its variables as they are; undefined as in {@link BlobAddresses}. */
export async function eventAddress(target: Target, capability: string): Promise<string | undefined> {
  const exchange = await followedSessionDocument(target, [bearer(capability)]);
  return addressIn(target, exchange, "eventSourceUrl");
}

function addressIn(target: Target, exchange: Exchange, member: string): string | undefined {
  const template = jsonMembers(exchange)[member];
  const url = typeof template === "string" ? resolvedTemplate(template, exchange.request.url) : undefined;
  return url !== undefined && isOwnOrigin(target.profile, url) ? url : undefined;
}

/** Absolute, with its variables as they are (RFC 6570, level 1). */
function resolvedTemplate(template: string, base: string): string | undefined {
  const isAbsolute = URL.parse(template) !== null;
  if (isAbsolute) return template;
  const origin = URL.parse(base)?.origin;
  return origin !== undefined && template.startsWith("/") ? `${origin}${template}` : undefined;
}

/** The URL of a template (RFC 6570, level 1): values percent-encoded, empty where there is none. */
export function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/gu, (_variable, name: string) =>
    encodeURIComponent(values[name] ?? ""),
  );
}

/** Downloads a message under a name and type of no consequence. */
export function downloadMessage(
  target: Target,
  template: string,
  message: { readonly accountId: string; readonly blobId: string },
  headers: HeaderLines,
): Promise<Exchange> {
  const url = filled(template, { ...message, type: "text/plain", name: "mail.eml" });
  return target.send({ method: "GET", url, headers });
}

/** Uploads a text into an account. */
export function uploadText(
  target: Target,
  template: string,
  accountId: string,
  headers: HeaderLines,
  text = "uploaded by mailproof",
): Promise<Exchange> {
  return target.send({
    method: "POST",
    url: filled(template, { accountId }),
    headers: [...headers, ["Content-Type", "text/plain"]],
    body: text,
  });
}

/** An upload was taken: the answer names its blob. */
export function isUploaded(exchange: Exchange): boolean {
  return isSuccess(exchange) && typeof jsonMembers(exchange)["blobId"] === "string";
}

/** The document promises neither downloads nor uploads: where nobody is served any, there is nothing to judge. */
export function servesNo(what: "download" | "upload"): NotApplicableError {
  return new NotApplicableError(`the target serves an owner no ${what}`);
}

/** @throws {NotApplicableError} when not even its owner was shown the text */
export function requireDownloaded(exchange: Exchange, text: string): void {
  if (!showsText(exchange, text)) throw servesNo("download");
}

/** @throws {NotApplicableError} when not even the owner of the account could upload */
export function requireUploaded(exchange: Exchange): void {
  if (!isUploaded(exchange)) throw servesNo("upload");
}
