import { claimsOf } from "../support/actors/agent.ts";
import { codeExchange, mcpResource, postToken } from "../support/actors/oauth-client.ts";
import { check, recommend } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { freshCode } from "../support/material/grants.ts";
import type { Target } from "../support/target/target.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, type HeaderLines, isSuccess, jsonMembers } from "../support/wire/exchange.ts";
import { answeredOrDropped } from "../support/target/unserved-host.ts";
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

const accept = ["Accept", "application/json"] as const;

/**
 * A document asked for with a header that names another host or scheme, which the target need not serve.
 *
 * @throws {InconclusiveError} control-refused, when the document is not served without the header either
 */
async function documentSpoofed(target: Target, url: string, spoofed: HeaderLines[number]): Promise<Exchange> {
  const request = { method: "GET", url, headers: [accept] };
  const served = await target.control.once(`control:document:${url}`, (recording) => recording.send(request));
  if (!isSuccess(served)) throw controlRefused("the document", "200", served, servedBy(target, url));
  return answeredOrDropped(
    target,
    () => target.send({ ...request, headers: [accept, spoofed], mayBeLost: true }),
    () => target.control.send(request),
  );
}

/** The check that judges whether the document is served. */
function servedBy(target: Target, url: string): string {
  return url === metadataUrl(target) ? "META-01" : "MCP-01";
}

const issuers = headers.map(({ header, words, value }) =>
  check({
    id: `META-02/${header.toLowerCase()}`,
    claim: `A metadata request that names another ${words} in \`${header}\` gets no \`issuer\` other than \`{auth_url}\`.`,
    act: async (target) => ({
      issuer: target.authUrl,
      exchange: await documentSpoofed(target, metadataUrl(target), [header, value(target.authUrl)]),
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
      exchange: await documentSpoofed(target, protectedResourceUrl(target), [header, value(target.mcpUrl)]),
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

const resources = headers.map(({ header, words, value }) =>
  recommend({
    id: `B-PRM-02/${header.toLowerCase()}`,
    claim: `A protected-resource metadata request that names another ${words} in \`${header}\` gets no \`resource\` other than \`{mcp_url}/mcp\`.`,
    act: async (target) => ({
      resource: mcpResource(target),
      exchange: await documentSpoofed(target, protectedResourceUrl(target), [header, value(target.mcpUrl)]),
    }),
    assert({ resource, exchange }) {
      const { resource: named } = jsonMembers(exchange);
      if (!isSuccess(exchange) || named === undefined) return;
      explained("B-PRM-02", () =>
        expectThat(named === resource, `resource ${shown(resource)}`, shown(named), exchange),
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
        mayBeLost: true,
      }));
      const exchange = await answeredOrDropped(
        target,
        () => postToken(spoofing, fields),
        async () => postToken(target.control, codeExchange(await freshCode(target))),
      );
      return { issuer: target.authUrl, exchange };
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
export const spoofedHostChecks = [...issuers, ...servers, ...resources, ...tokens];
