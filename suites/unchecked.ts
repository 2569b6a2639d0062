/**
 * Requirements that repeat what another one says, with the requirements or checks that decide them. A test holds that every
 * requirement has a check, or stands here or in {@link notJudged}.
 */
export const judgedElsewhere: Readonly<Record<string, readonly string[]>> = {
  "HDR-28": ["POW-66", "POW-67"],
  "POW-68": [
    "CONF-SESS-KEY/api-key-at-session",
    "CONF-CAPA-KEY/api-key-at-capability",
    "CONF-JMAP-KEY/api-key-at-jmap",
    "CONF-AGEN-KEY/api-key-at-inbox-list",
  ],
  "B-TOK-12": ["CODE-04"],
  "B-TOK-14": ["CODE-05", "CODE-06", "REFRESH-11"],
  "B-TOK-18": ["TOKEN-15", "REFRESH-12"],
  "B-TOK-21": ["RES-27", "SCOPE-27"],
  "B-PKCE-01": ["PKCE-01", "PKCE-04"],
  "B-PKCE-02": ["PKCE-13"],
  "B-PKCE-03": ["PKCE-10"],
  "B-PKCE-08": ["PKCE-10/rfc-7636-appendix-b"],
  "B-AUTHZ-02": ["AUTHZ-06"],
  "B-AUTHZ-03": ["AUTHZ-10/error-redirects"],
  "B-AUTHZ-04": ["AUTHZ-13/error-redirects"],
  "B-AUTHZ-08": ["AUTHZ-12", "PKCE-06", "RES-05"],
  "B-META-02": ["META-02"],
  "B-JWK-01": ["JWKS-02", "JWKS-04"],
  "B-BRR-09": ["BEARER-15"],
  "B-REV-05": ["REVOKE-02", "REVOKE-03", "REVOKE-04"],
  "B-REV-06": ["REVOKE-01"],
  "B-REV-07": ["REVOKE-10"],
  "B-REV-08": ["REVOKE-16"],
  "B-NAT-01": ["REDIR-25"],
};

/** Why a requirement is not judged. */
export interface NotJudged {
  readonly reason: string;
  /** What somebody would have to provide; absent where nothing would help. */
  readonly unlockedBy?: string;
}

/** Requirements that no check decides: a target that passes has shown nothing about them. */
export const notJudged: Readonly<Record<string, NotJudged>> = {
  "VER-04": { reason: "the document shows no events, webhooks or notifications" },
  "B-TOK-23": {
    reason: "fifty wrong secrets in a row may lock a client or an address",
    unlockedBy: "the operator's permission to have a client locked",
  },
  "B-PKCE-09": { reason: "no code is issued without a challenge where PKCE-01 holds" },
  "B-JMAP-26": { reason: "the document's own example has no `identityId`, and JMAP-08 sends it so" },
  "B-POW-01": { reason: "says something about mailproof, not about a target; its unit tests hold it" },
  "B-POW-07": { reason: "is a matter of time: the load profile `forged-cheap` judges it" },
  "B-HTTP-08": {
    reason: "a request with conflicting lengths may reach the next client of a proxy",
    unlockedBy: "the operator's permission to send requests with conflicting lengths",
  },
};
