import { claimsOf } from "../support/actors/agent.ts";
import { codeExchange, postToken } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { freshCode } from "../support/material/grants.ts";
import { isSuccess, jsonMembers } from "../support/wire/exchange.ts";
import { metadataUrl, protectedResourceUrl } from "./documents.ts";

interface Spoofed {
  readonly header: string;
  /** Reads after "names another". */
  readonly words: string;
  readonly value: (authUrl: string) => string;
}

const otherHost = { words: "host", value: () => "evil.example" };

const headers: readonly Spoofed[] = [
  { header: "Host", ...otherHost },
  { header: "X-Forwarded-Host", ...otherHost },
  {
    header: "X-Forwarded-Proto",
    words: "scheme",
    value: (authUrl) => (authUrl.startsWith("https:") ? "http" : "https"),
  },
];

const issuers = headers.map(({ header, words, value }) =>
  check({
    id: `META-02/${header.toLowerCase()}`,
    claim: `A metadata request that names another ${words} in \`${header}\` is not answered with another \`issuer\` than \`{auth_url}\`.`,
    act: async (target) => ({
      issuer: target.authUrl,
      exchange: await target.send({
        method: "GET",
        url: metadataUrl(target),
        headers: [
          ["Accept", "application/json"],
          [header, value(target.authUrl)],
        ],
      }),
    }),
    assert({ issuer, exchange }) {
      // A target that serves no such request names no other issuer, nor does a gateway with another site for the host.
      const { issuer: named } = jsonMembers(exchange);
      if (!isSuccess(exchange) || named === undefined) return;
      explained("META-02", () =>
        expectThat(named === issuer, `issuer ${shown(issuer)}`, shown(named), exchange),
      );
    },
  }),
);

const servers = headers.map(({ header, words, value }) =>
  check({
    id: `MCP-02/${header.toLowerCase()}`,
    claim: `A protected-resource metadata request that names another ${words} in \`${header}\` gets no \`authorization_servers\` without \`{auth_url}\`.`,
    act: async (target) => ({
      issuer: target.authUrl,
      exchange: await target.send({
        method: "GET",
        url: protectedResourceUrl(target),
        headers: [
          ["Accept", "application/json"],
          [header, value(target.mcpUrl)],
        ],
      }),
    }),
    assert({ issuer, exchange }) {
      const { authorization_servers: named } = jsonMembers(exchange);
      if (!isSuccess(exchange) || !Array.isArray(named)) return;
      explained("MCP-02", () =>
        expectThat(named.includes(issuer), `an array with ${shown(issuer)}`, shown(named), exchange),
      );
    },
  }),
);

const tokens = headers.map(({ header, words, value }) =>
  check({
    id: `TOKEN-08/${header.toLowerCase()}`,
    claim: `A token request that names another ${words} in \`${header}\` gets no access token whose \`iss\` is not \`{auth_url}\`.`,
    needs: ["human"],
    async act(target) {
      const fields = codeExchange(await freshCode(target));
      const spoofing = target.changing((outgoing) => ({
        ...outgoing,
        headers: [...(outgoing.headers ?? []), [header, value(target.authUrl)]],
      }));
      return { issuer: target.authUrl, exchange: await postToken(spoofing, fields) };
    },
    assert({ issuer, exchange }) {
      const { access_token: token } = jsonMembers(exchange);
      // A target that serves no such request issues no such token.
      if (typeof token !== "string") return;
      const named = claimsOf(token)?.["iss"];
      explained("TOKEN-08/code", () =>
        expectThat(named === issuer, `iss ${shown(issuer)}`, shown(named), exchange),
      );
    },
  }),
);

/** The issuer is configured, not taken from a header that anybody can send. Document, "Resources", metadata. */
export const spoofedHostChecks = [...issuers, ...servers, ...tokens];
