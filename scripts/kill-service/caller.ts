import { scrypt } from "node:crypto";
import { promisify } from "node:util";
import { newPkcePair, type TestBrowser } from "../../fixtures/service/oauth/test-browser.ts";
import type { Addresses } from "./service-child.ts";

/** A response with a JSON body; an empty one is {}. */
export interface Answer {
  readonly status: number;
  readonly bearer: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface SolvedChallenge {
  readonly challenge: string;
  readonly powHex: string;
  readonly nonce: string;
}

export const redirectUri = "https://client.test/callback";

const scryptAsync = promisify<string, string, number, object, Buffer>(scrypt);

export async function postJson(url: string, body: unknown, token?: string): Promise<Answer> {
  const headers = { "content-type": "application/json", ...bearerHeader(token) };
  return answer(await fetch(url, { method: "POST", headers, body: JSON.stringify(body) }));
}

export async function postForm(url: string, fields: Record<string, string>): Promise<Answer> {
  return answer(await fetch(url, { method: "POST", body: new URLSearchParams(fields) }));
}

export async function get(url: string, token: string): Promise<Answer> {
  return answer(await fetch(url, { headers: bearerHeader(token) }));
}

function bearerHeader(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

/** The service did not say what became of the request. */
class ServerFailure extends Error {
  override readonly name = "ServerFailure";
}

async function answer(response: Response): Promise<Answer> {
  const text = await response.text();
  if (response.status >= 500)
    throw new ServerFailure(`${response.url} was answered ${response.status}: ${text}`);
  const body: unknown = text === "" ? {} : JSON.parse(text);
  if (typeof body !== "object" || body === null) throw new TypeError(`not a JSON object: ${text}`);
  const bearer = /^Bearer (\S+)$/.exec(response.headers.get("authorization") ?? "")?.[1] ?? "";
  return { status: response.status, bearer, body: { ...body } };
}

export function textOf({ body }: Answer, member: string): string {
  const value = body[member];
  if (typeof value !== "string") throw new TypeError(`${member} is missing in ${JSON.stringify(body)}`);
  return value;
}

export async function registerClient({ auth_url }: Addresses): Promise<string> {
  const answered = await postJson(`${auth_url}/oauth/register`, { redirect_uris: [redirectUri] });
  return textOf(answered, "client_id");
}

/** Authorizes the client, and signs in when the browser is asked to. @returns the code and its verifier */
export async function authorize(
  { auth_url, api_url }: Addresses,
  browser: TestBrowser,
  clientId: string,
): Promise<{ code: string; verifier: string; signedIn: boolean }> {
  const { verifier, challenge } = newPkcePair();
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: "mail.read mail.send",
    resource: `${api_url}/jmap`,
    state: "state",
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  let page = await browser.open(`${auth_url}/oauth/authorize?${query.toString()}`);
  const signedIn = !page.url.startsWith(auth_url);
  if (signedIn) page = await browser.submit(page, { username: "alice", password: "alice-password" });
  const result = await browser.submit(page, { decision: "approve" });
  const code = new URL(result.location ?? "about:blank").searchParams.get("code");
  if (code === null) throw new Error(`consent gave no code but ${result.status}`);
  return { code, verifier, signedIn };
}

export function exchangeCode(
  { auth_url }: Addresses,
  clientId: string,
  { code, verifier }: { code: string; verifier: string },
): Promise<Answer> {
  return postForm(`${auth_url}/oauth/token`, {
    grant_type: "authorization_code",
    client_id: clientId,
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
  });
}

export function refresh({ auth_url }: Addresses, clientId: string, token: string): Promise<Answer> {
  return postForm(`${auth_url}/oauth/token`, {
    grant_type: "refresh_token",
    client_id: clientId,
    refresh_token: token,
  });
}

/** A challenge with its proof; the service is expected to ask for no zero bits. */
export async function solve({ auth_url }: Addresses): Promise<SolvedChallenge> {
  const response = await fetch(`${auth_url}/api/v1/challenge`, { method: "POST" });
  await response.text();
  const challenge = (response.headers.get("authorization") ?? "").replace("Bearer ", "");
  const claims: unknown = JSON.parse(Buffer.from(challenge.split(".")[1] ?? "", "base64url").toString());
  const { jti, salt } = claims as { jti: string; salt: string };
  const digest = await scryptAsync(`${jti}:0`, salt, 64, { N: 16384, r: 8, p: 1 });
  return { challenge, powHex: digest.toString("hex"), nonce: "0" };
}

export function openSession(
  { auth_url }: Addresses,
  { challenge, powHex, nonce }: SolvedChallenge,
  credential: { username: string } | { apiKey: string },
): Promise<Answer> {
  return postJson(`${auth_url}/api/v1/session`, { powHex, nonce, ...credential }, challenge);
}

/** The arguments of the response to one method call. */
export async function callJmap(
  { api_url }: Addresses,
  capability: string,
  name: string,
  args: object,
): Promise<Readonly<Record<string, unknown>>> {
  const using = ["core", "mail", "submission"].map((part) => `urn:ietf:params:jmap:${part}`);
  const { status, body } = await postJson(
    `${api_url}/jmap`,
    { using, methodCalls: [[name, args, "0"]] },
    capability,
  );
  if (status !== 200) throw new Error(`${name} was answered ${status}: ${JSON.stringify(body)}`);
  const [response] = body["methodResponses"] as [string, Record<string, unknown>, string][];
  if (response?.[0] !== name) throw new ServerFailure(`${name} was answered ${JSON.stringify(body)}`);
  return response[1];
}
