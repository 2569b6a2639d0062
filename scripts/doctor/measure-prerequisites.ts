import { readFileSync } from "node:fs";
import { z } from "zod";
import { requirementOf } from "../../suites/support/judging/check.ts";
import { suites } from "../suites.ts";
import type { MeasuredPrerequisite } from "./prerequisites.ts";

// node scripts/doctor/measure-prerequisites.ts RUN.JSON > scripts/doctor/prerequisites.json
//
// Tells from a complete run on the reference service what each check sends, itself or in the material that it shares.

const recordedRun = z.object({
  target: z.object({ authUrl: z.string(), apiUrl: z.string(), mcpUrl: z.string() }),
  checks: z.array(z.object({ id: z.string(), exchanges: z.array(z.object({ number: z.number() })) })),
  exchanges: z.array(
    z.object({
      number: z.number(),
      request: z.object({
        method: z.string(),
        url: z.string(),
        headers: z.array(z.tuple([z.string(), z.string()])),
        body: z.string(),
      }),
    }),
  ),
});

type Run = z.infer<typeof recordedRun>;
type Request = Run["exchanges"][number]["request"];
type Sign = (request: Request, target: Run["target"]) => boolean;

const textOf = ({ url, headers, body }: Request): string => [url, ...headers.flat(), body].join(" ");

const signs: Record<MeasuredPrerequisite, Sign> = {
  "mail API": ({ url }, { apiUrl }) => url.startsWith(apiUrl),
  "MCP server": ({ url }, { mcpUrl }) => url.startsWith(mcpUrl),
  metadata: ({ url }) => url.includes("/.well-known/oauth-authorization-server"),
  keys: ({ url }) => url.includes("/.well-known/jwks.json"),
  // Material that a check shares with others is known by what came of it: tokens of a grant, keys of an agent.
  registration: (request) =>
    request.url.endsWith("/oauth/register") ||
    /client_id=|<(?:access_token|refresh_token|code|client_secret) /u.test(textOf(request)),
  "proof of work": (request) =>
    request.url.endsWith("/api/v1/session") || /<(?:authorization|apiKey) /u.test(textOf(request)),
  signup: ({ url, body }) => url.endsWith("/api/v1/session") && body.includes('"username"'),
  mail: ({ body }) => body.includes("EmailSubmission/set"),
};

const path = process.argv[2] ?? "run.json";
const run = recordedRun.parse(JSON.parse(readFileSync(path, "utf8")));
const requests = new Map(run.exchanges.map(({ number, request }) => [number, request]));
const known = suites.flatMap(({ checks }) => checks.map(({ id }) => id));
const ofRequirement = Map.groupBy(known, requirementOf);

/** A requirement in place of its checks, where all of them are listed. */
function shortened(ids: ReadonlySet<string>): string[] {
  return [...ofRequirement].flatMap(([requirement, all]) =>
    all.every((id) => ids.has(id)) ? [requirement] : all.filter((id) => ids.has(id)),
  );
}

const found = Object.entries(signs).map(([prerequisite, isSign]) => {
  const users = run.checks.filter(({ exchanges }) =>
    exchanges.some(({ number }) => {
      const request = requests.get(number);
      return request !== undefined && isSign(request, run.target);
    }),
  );
  return [prerequisite, shortened(new Set(users.map(({ id }) => id)))];
});
console.log(JSON.stringify(Object.fromEntries(found), undefined, 2));
