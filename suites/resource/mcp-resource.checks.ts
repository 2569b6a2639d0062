import { mcpResource } from "../support/actors/oauth-client.ts";
import { codeIn } from "../support/actors/authorization.ts";
import { check, recommend } from "../support/judging/check.ts";
import { isSuccess } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { replacing } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";
import { NotApplicableError, Violation } from "../support/verdict.ts";
import { audienceInWords, audiencesOf } from "../support/judging/token-audience.ts";
import { otherPortSpelling, otherSpelling, pieces, rebuilt } from "./near-miss.ts";
import { attemptChanged, expectRefused, type Outcome } from "./requests.ts";

interface McpNearMiss {
  readonly slug: string;
  /** Reads after "The MCP resource". */
  readonly words: string;
  readonly sent: (mcp: ReturnType<typeof pieces>, mcpUrl: string) => string;
}

const nearMisses: readonly McpNearMiss[] = [
  { slug: "trailing-slash", words: "with a trailing slash", sent: ({ whole }) => `${whole}/` },
  {
    slug: "upper-case-host",
    words: "with its host in upper case, or its IPv4 address partly in hexadecimal,",
    sent: (mcp) => rebuilt(mcp, { host: otherSpelling(mcp.host) }),
  },
  {
    slug: "default-port",
    words: "with its default port added, or its own port left out,",
    sent: (mcp) => rebuilt(mcp, { port: otherPortSpelling(mcp) }),
  },
  {
    slug: "loopback-name",
    words: "with `localhost` for its host, or `127.0.0.1` for `localhost`,",
    // On a target of this machine both names reach the same server.
    sent: (mcp) => rebuilt(mcp, { host: mcp.host === "localhost" ? "127.0.0.1" : "localhost" }),
  },
  { slug: "address-alone", words: "without its path", sent: (_mcp, mcpUrl) => mcpUrl },
  { slug: "query", words: "with a query added", sent: ({ whole }) => `${whole}?x` },
  { slug: "path-below", words: "with a path segment added", sent: ({ whole }) => `${whole}/x` },
];

interface McpOutcome extends Outcome {
  readonly value: string;
  readonly mcp: string;
}

/** A request for the value, one for all checks of a run. */
function requestNear(target: Target, { slug, sent }: McpNearMiss): Promise<McpOutcome> {
  return target.once(`resource:near-mcp:${slug}`, async (recording) => {
    const mcp = mcpResource(recording);
    const value = sent(pieces(mcp), recording.mcpUrl);
    const outcome = await attemptChanged(recording, {
      resource: mcp,
      change: (parameters) => replacing(parameters, "resource", value),
    });
    return { ...outcome, value, mcp };
  });
}

// The document says "byte for byte" of the JMAP resource, and of the others only that they are the accepted values.
const refused = nearMisses.map((nearMiss) =>
  recommend({
    id: `RES-23/${nearMiss.slug}`,
    claim: `The MCP resource ${nearMiss.words} is refused as a \`resource\`.`,
    needs: ["human"],
    async act(target) {
      const outcome = await requestNear(target, nearMiss);
      // An address in place of a name has no letters to write otherwise.
      if (outcome.value === outcome.mcp)
        throw new NotApplicableError(`the host of ${outcome.mcp} has no letters`);
      return outcome;
    },
    assert({ seen, exchange }) {
      if (codeIn(seen.end) === undefined) {
        expectRefused(seen);
        return;
      }
      const isToken = exchange !== undefined && isSuccess(exchange);
      throw new Violation("a refusal", isToken ? `a token with ${audienceInWords(exchange)}` : "a code", {
        exchange: exchange ?? seen.end.exchange,
      });
    },
  }),
);

const neverForOthers = check({
  id: "RES-23/audience",
  claim: "A value near the MCP resource yields no token for anything but that value or the MCP resource.",
  needs: ["human"],
  async act(target) {
    const outcomes: McpOutcome[] = [];
    for (const nearMiss of nearMisses) outcomes.push(await requestNear(target, nearMiss));
    return outcomes;
  },
  assert(outcomes) {
    for (const { exchange, value, mcp } of outcomes) {
      if (exchange === undefined || !isSuccess(exchange)) continue;
      const audiences = audiencesOf(exchange);
      const isMeant = audiences.every((audience) => audience === value || audience === mcp);
      expectThat(isMeant, `aud ${shown(value)} or ${shown(mcp)}`, shown(audiences), exchange);
    }
  },
});

export const mcpResourceChecks = [...refused, neverForOthers];
