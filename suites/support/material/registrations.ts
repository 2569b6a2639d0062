/** What the suites register. `.test` and `.example` never resolve (RFC 6761): no answer ever reaches a third party. */
export const redirectUris = {
  main: "https://cb.example.test/oauth/cb",
  withQuery: "https://cb.example.test/second?tenant=7",
  withTrailingSlash: "https://cb.example.test/slash/",
  punycode: "https://xn--bcher-kva.example/cb",
  percentEncoded: "https://cb.example.test/caf%C3%A9",
  twoParameters: "https://cb.example.test/pair?a=1&b=2",
  loopback: "http://127.0.0.1:8123/cb",
} as const;

export interface Registration {
  readonly redirect_uris: readonly string[];
  readonly token_endpoint_auth_method: "none" | "client_secret_post";
  readonly scope?: string;
}

export const registrations = {
  public: { redirect_uris: [redirectUris.main, redirectUris.withQuery], token_endpoint_auth_method: "none" },
  confidential: {
    redirect_uris: [redirectUris.main, redirectUris.withQuery],
    token_endpoint_auth_method: "client_secret_post",
  },
  /** For grants that no check destroys: some targets let one person's grants to one client stand and fall together. */
  shared: {
    redirect_uris: [redirectUris.main, redirectUris.withQuery],
    token_endpoint_auth_method: "none",
  },
  /** A second public client with the same redirect_uri, to tell clients apart by nothing else. */
  other: { redirect_uris: [redirectUris.main], token_endpoint_auth_method: "none" },
  /** Spellings that only an exact comparison keeps apart. */
  spellings: {
    redirect_uris: [
      redirectUris.withTrailingSlash,
      redirectUris.punycode,
      redirectUris.percentEncoded,
      redirectUris.twoParameters,
    ],
    token_endpoint_auth_method: "none",
  },
  native: { redirect_uris: [redirectUris.loopback], token_endpoint_auth_method: "none" },
  nativeConfidential: {
    redirect_uris: [redirectUris.loopback],
    token_endpoint_auth_method: "client_secret_post",
  },
  readOnly: { redirect_uris: [redirectUris.main], token_endpoint_auth_method: "none", scope: "mail.read" },
  readOnlyConfidential: {
    redirect_uris: [redirectUris.main],
    token_endpoint_auth_method: "client_secret_post",
    scope: "mail.read",
  },
  sendOnly: { redirect_uris: [redirectUris.main], token_endpoint_auth_method: "none", scope: "mail.send" },
} as const satisfies Record<string, Registration>;

export type RegisteredKind = keyof typeof registrations;

/** What a registration sends, beside what the kind of client decides. */
export function registrationMetadata(registration: Registration): Record<string, unknown> {
  return {
    client_name: "mailproof",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    // A server may have a default of its own where a client names none (RFC 7591 §2).
    scope: "mail.read mail.send",
    ...registration,
  };
}
