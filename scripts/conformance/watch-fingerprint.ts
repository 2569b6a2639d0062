import { type X509Certificate } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { TLSSocket } from "node:tls";
import type { RunTargetFingerprint } from "../../reports/run-format.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import { type Exchange, jsonMembers } from "../../suites/support/wire/exchange.ts";
import { jwkThumbprint } from "./jwk-thumbprint.ts";
import { sha256 } from "../sha256.ts";

/** Watches a run for what tells its target from others; it sends nothing of its own. */
export interface FingerprintWatch {
  look(exchange: Exchange): void;
  /** Undefined while nothing is known. */
  soFar(): RunTargetFingerprint | undefined;
  end(): void;
}

const connected = "undici:client:connected";

export function watchFingerprint({ auth_url, api_url, mcp_url }: Profile): FingerprintWatch {
  const origins = new Set([auth_url, api_url, mcp_url].map((url) => new URL(url).origin));
  const metadataUrl = `${auth_url}/.well-known/oauth-authorization-server`;
  const tls = new Map<string, { certificateSha256: string; publicKeySha256: string }>();
  const found: { issuer?: string; metadataSha256?: string; jwkThumbprints?: string[] } = {};
  // Until the metadata says otherwise.
  let jwksUrl = `${auth_url}/.well-known/jwks.json`;

  function lookAtMetadata(exchange: Exchange): void {
    const { issuer, jwks_uri } = jsonMembers(exchange);
    found.metadataSha256 = sha256(exchange.response.body);
    if (typeof issuer === "string") found.issuer = issuer;
    if (typeof jwks_uri !== "string" || jwks_uri === jwksUrl) return;
    jwksUrl = jwks_uri;
    delete found.jwkThumbprints;
  }

  function lookAtKeys(exchange: Exchange): void {
    const { keys } = jsonMembers(exchange);
    if (!Array.isArray(keys)) return;
    found.jwkThumbprints = keys.flatMap((key) => jwkThumbprint(key) ?? []);
  }

  function lookAtConnection(message: unknown): void {
    const { connectParams, socket } = message as {
      connectParams: { protocol: string; host: string };
      socket: unknown;
    };
    const { origin } = new URL(`${connectParams.protocol}//${connectParams.host}`);
    if (!origins.has(origin) || tls.has(origin) || !(socket instanceof TLSSocket)) return;
    const certificate: X509Certificate | undefined = socket.getPeerX509Certificate();
    if (certificate === undefined) return;
    tls.set(origin, {
      certificateSha256: sha256(certificate.raw),
      publicKeySha256: sha256(certificate.publicKey.export({ type: "spki", format: "der" })),
    });
  }

  subscribe(connected, lookAtConnection);
  return {
    look(exchange) {
      const { request, response } = exchange;
      if (request.method !== "GET" || response.status !== 200) return;
      if (request.url === metadataUrl && found.metadataSha256 === undefined) lookAtMetadata(exchange);
      if (request.url === jwksUrl && found.jwkThumbprints === undefined) lookAtKeys(exchange);
    },
    soFar() {
      const all = {
        ...found,
        ...(tls.size > 0 && { tls: [...tls].map(([origin, of]) => ({ origin, ...of })) }),
      };
      return Object.keys(all).length === 0 ? undefined : all;
    },
    end: () => void unsubscribe(connected, lookAtConnection),
  };
}
