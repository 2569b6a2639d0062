import { mediaType } from "./exchange.ts";
import type { Profile } from "./profile.ts";
import type { TargetRun } from "./target.ts";
import { InconclusiveError } from "./verdict.ts";

/**
 * Looks once whether anything that could be the service answers, so that a mistyped address or a target that is down gives
 * one message instead of hundreds.
 *
 * @returns why there is nothing to judge, or undefined when there is
 */
export async function whyNothingAnswers(run: TargetRun, profile: Profile): Promise<string | undefined> {
  const target = run.targetFor([]);
  const probes = [
    { method: "GET", url: `${profile.auth_url}/.well-known/oauth-authorization-server` },
    { method: "GET", url: `${profile.auth_url}/.well-known/jwks.json` },
    { method: "POST", url: `${profile.auth_url}/api/v1/challenge` },
  ];
  const answers = await Promise.all(
    probes.map(async (probe) => {
      try {
        const exchange = await target.send(probe);
        const isPage = mediaType(exchange) === "text/html" || exchange.response.status === 404;
        return { what: isPage ? "elsewhere" : "service", text: `${probe.method} ${probe.url} answered ${exchange.response.status} ${mediaType(exchange)}` } as const;
      } catch (error) {
        if (!(error instanceof InconclusiveError)) throw error;
        return { what: "nothing", text: error.message } as const;
      }
    }),
  );
  if (answers.some(({ what }) => what === "service")) return undefined;
  const silent = answers.find(({ what }) => what === "nothing");
  if (silent !== undefined) return `no usable answer from ${profile.auth_url}: ${silent.text}`;
  return `${profile.auth_url} does not look like the authorization service: ${answers.map(({ text }) => text).join("; ")}. Is auth_url the service's base address?`;
}
