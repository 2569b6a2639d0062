import type { Client } from "../actors/oauth-client.ts";
import type { Target } from "../target/target.ts";
import { registrationMetadata } from "./registrations.ts";

/** The metadata document of {@link documentClient}. */
export function clientDocument(url: string): Record<string, unknown> {
  const { client_id, redirect_uris } = documentClient(url);
  return { client_id, ...registrationMetadata({ redirect_uris, token_endpoint_auth_method: "none" }) };
}

/**
 * The public client whose metadata document is at an address. Its redirect_uri is beside it: a target may ask that both have
 * one origin (draft-ietf-oauth-client-id-metadata-document-01 §4.1).
 */
export function documentClient(url: string): Client {
  return { client_id: url, redirect_uris: [new URL("oauth/cb", url).href] };
}

/** The same client, with its document published where the target can read it. */
export async function publishedClient(target: Target): Promise<Client> {
  return documentClient(await target.documents.publish(clientDocument));
}
