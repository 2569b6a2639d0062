import { mcpResource, requireTokens } from "../support/actors/oauth-client.ts";
import { codeIn } from "../support/actors/authorization.ts";
import { advise } from "../support/judging/advice.ts";
import { check } from "../support/judging/check.ts";
import { isSuccess } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { replacing } from "../support/wire/parameters.ts";
import { expectAuthorizationRefused } from "../support/judging/refusals.ts";
import { type Finding, observation, warning } from "../support/verdict.ts";
import { audiencesOf } from "./token-audience.ts";
import { otherPortSpelling, otherSpelling, pieces, rebuilt } from "./near-miss.ts";
import { attemptChanged, isAccepted, mismatch, mismatchOfTheRfc, type Outcome } from "./requests.ts";

const nearMisses: readonly {
  slug: string;
  words: string;
  sent: (mcp: ReturnType<typeof pieces>, mcpUrl: string) => string;
}[] = [
  { slug: "trailing-slash", words: "with a slash behind it", sent: ({ whole }) => `${whole}/` },
  {
    slug: "upper-case-host",
    words: "with its host in upper case, or an IPv4 address partly in hexadecimal",
    sent: (mcp) => rebuilt(mcp, { host: otherSpelling(mcp.host) }),
  },
  {
    slug: "default-port",
    words: "with the default port named, or its own left out",
    sent: (mcp) => rebuilt(mcp, { port: otherPortSpelling(mcp) }),
  },
  { slug: "address-alone", words: "without its path", sent: (_mcp, mcpUrl) => mcpUrl },
  { slug: "query", words: "with a query behind it", sent: ({ whole }) => `${whole}?x` },
  { slug: "path-below", words: "with a path below it", sent: ({ whole }) => `${whole}/x` },
];

interface McpOutcome extends Outcome {
  readonly value: string;
  readonly mcp: string;
}

/**
 * Byte for byte is said of the JMAP resource; of the others only that they are the accepted values. So a lenient reading is
 * tolerated, as long as the token is for what was asked or meant, and never for JMAP.
 */
export const mcpResourceChecks = nearMisses.map(({ slug, words, sent }) =>
  check({
    id: `RES-23/${slug}`,
    claim: `The MCP resource ${words} is not accepted; a token for it is at least for that value or the MCP resource.`,
    needs: ["human"],
    async act(target): Promise<McpOutcome | undefined> {
      const mcp = mcpResource(target);
      const value = sent(pieces(mcp), target.mcpUrl);
      if (isAccepted(target, value)) return undefined;
      const change = { resource: mcp, change: replaced(value) };
      return { ...(await attemptChanged(target, change)), value, mcp };
    },
    assert(outcome): Finding | undefined {
      if (outcome === undefined)
        return observation("of this target's addresses, that makes an accepted resource");
      const { seen, exchange, value, mcp } = outcome;
      if (codeIn(seen.end) === undefined)
        return advise(() => expectAuthorizationRefused(seen, mismatch, mismatchOfTheRfc));
      if (exchange === undefined || !isSuccess(exchange))
        return warning("accepted; its code yields no token");
      const audiences = audiencesOf(requireTokens(exchange, "the exchange").access_token);
      const isMeant = audiences.every((audience) => audience === value || audience === mcp);
      expectThat(isMeant, `aud ${shown(value)} or ${shown(mcp)}`, shown(audiences));
      return warning(`accepted, with aud ${audiences.join(", ")}`);
    },
  }),
);

function replaced(value: string): Parameters<typeof attemptChanged>[1]["change"] {
  return (parameters) => replacing(parameters, "resource", value);
}
