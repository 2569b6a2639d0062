import type { ClientKind } from "../support/material/clients.ts";

/** A registered URI cut as text, so that a near miss changes one piece and keeps every other byte. */
export interface UriPieces {
  readonly whole: string;
  readonly scheme: string;
  readonly host: string;
  /** With its colon; empty when there is none. */
  readonly port: string;
  readonly path: string;
}

export function pieces(uri: string): UriPieces {
  const [, scheme = "", host = "", port = "", path = ""] =
    /^([a-z]+):\/\/([^/:?#]+)(:\d+)?([^?#]*)/u.exec(uri) ?? [];
  return { whole: uri, scheme, host, port, path };
}

/** A value of `redirect_uri` that is not registered, though one comparison or another would take it for the registered one. */
export interface NearMiss {
  readonly requirement: string;
  readonly slug: string;
  /** Reads after "A `redirect_uri`". */
  readonly words: string;
  /** What is sent, from the registered URI; it goes out percent-encoded once. */
  readonly sent: (registered: UriPieces) => string;
  /** Which client, and which of its URIs; the public client and its first unless given. */
  readonly client?: ClientKind;
  readonly registered?: string;
}

/** The URI with some pieces changed; its query is not kept. */
export function rebuilt(uri: UriPieces, changed: Partial<UriPieces>): string {
  const { scheme, host, port, path } = { ...uri, ...changed };
  return `${scheme}://${host}${port}${path}`;
}

/** The whole URI with something added. */
export function extended(
  requirement: string,
  slug: string,
  tail: string,
  words = `with \`${tail}\` added`,
): NearMiss {
  return { requirement, slug, words, sent: ({ whole }) => whole + tail };
}

/** The URI with one of its pieces changed. */
export function changed(
  requirement: string,
  slug: string,
  words: string,
  change: (uri: UriPieces) => Partial<UriPieces>,
): NearMiss {
  return { requirement, slug, words, sent: (uri) => rebuilt(uri, change(uri)) };
}
