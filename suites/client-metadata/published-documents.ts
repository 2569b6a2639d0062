import { endInWords, withoutCode } from "../support/judging/expected-code.ts";
import { attempt, type Attempt, codeIn, requireFetchedDocument } from "../support/actors/authorization.ts";
import { authorizationRequest } from "../support/actors/oauth-client.ts";
import { clientDocument, documentClient } from "../support/material/document-clients.ts";
import { authorizingClient } from "../support/material/controls.ts";
import type { Answer, ServedDocument } from "../support/target/documents/place.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";

export type Changes = Readonly<Record<string, unknown>>;
export type Headers = Readonly<Record<string, string>>;

export const jsonType: Headers = { "Content-Type": "application/json" };

/** The valid document for an address as JSON text, with some members replaced; `undefined` leaves one out. */
export function documentText(url: string, changes: Changes = {}): string {
  return JSON.stringify({ ...clientDocument(url), ...changes });
}

/** Answers with a body as it is. */
export function answering(status: number, headers: Headers, body: string): Answer {
  return (response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
}

/** Serves the valid document, where its requests are counted and its answer can change. */
export function serveValid(target: Target, headers: Headers = {}): Promise<ServedDocument> {
  return target.documents.serve((url) => answering(200, { ...jsonType, ...headers }, documentText(url)));
}

/**
 * A valid authorization request of the client whose metadata document is at the address, followed to its end.
 *
 * @throws {InconclusiveError} precondition-missing, when there is no code, and the target may have been unable to fetch
 */
export async function attemptOf(target: Target, url: string): Promise<Attempt> {
  target.spend("grants");
  const seen = await attempt(target, authorizationRequest(target, documentClient(url)));
  if (codeIn(seen.end) === undefined) requireFetchedDocument(target, url);
  return seen;
}

const tries = 3;

/**
 * Offers a new document until one is accepted, three times at most: the target's fetch may have failed for the network's
 * sake, or because this machine was busy, and its refusal cannot say so.
 *
 * @returns the last attempt
 */
export async function attemptWithNew(target: Target, newUrl: () => Promise<string>): Promise<Attempt> {
  let seen = await attemptOf(target, await newUrl());
  for (let tried = 1; tried < tries && codeIn(seen.end) === undefined; tried += 1)
    seen = await attemptOf(target, await newUrl());
  return seen;
}

/**
 * A request with a document that is to be refused, followed to its end: nothing counts as registered, so that any redirect
 * is one too many. The control is that the client of a valid document is authorized.
 *
 * @throws {InconclusiveError} control-refused, when it is refused too
 */
export async function attemptRefused(target: Target, url: string): Promise<Attempt> {
  await authorizingClient(target, "document");
  const { parameters } = authorizationRequest(target, documentClient(url));
  return attempt(target, { client: { redirect_uris: [] }, parameters });
}

/** @throws {InconclusiveError} control-refused, when the attempt ended without a code */
export function requireCode(seen: Attempt): void {
  const { end } = seen;
  if (codeIn(end) === undefined)
    throw new InconclusiveError(
      "control-refused",
      `a valid request with a URL as client_id: expected a redirect with a code, got ${endInWords(seen)}`,
      { exchange: end.exchange, explainedBy: "CIMD-01/accepted" },
    );
}

/** @throws {Violation} when the attempt ended without a code */
export function expectCode(seen: Attempt): void {
  if (codeIn(seen.end) === undefined) throw withoutCode(seen);
}
