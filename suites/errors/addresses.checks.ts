import { firstLogin } from "../support/material/agent-controls.ts";
import { postCapability, postChallenge } from "../support/actors/agent.ts";
import { check, observe } from "../support/judging/check.ts";
import { type Exchange, isSuccess, summary } from "../support/wire/exchange.ts";
import { expectThat } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { bearer, getAgents } from "../support/actors/jmap.ts";
import { sharedSession } from "../support/material/agents.ts";
import type { Target } from "../support/target/target.ts";

const challenge = check({
  id: "VER-01/challenge",
  claim: "`POST {auth_url}/api/v1/challenge` succeeds.",
  act: postChallenge,
  assert: (exchange) => expectThat(isSuccess(exchange), "2xx", summary(exchange), exchange),
});

const agents = check({
  id: "VER-01/agents",
  claim: "`GET {auth_url}/api/v1/agents` succeeds with an access token.",
  needs: ["human"],
  act: async (target) => getAgents(target, [bearer(await sharedAccessToken(target))]),
  assert: (exchange) => expectThat(isSuccess(exchange), "2xx", summary(exchange), exchange),
});

const session = check({
  id: "VER-01/session",
  claim: "`POST {auth_url}/api/v1/session` succeeds for a login.",
  act: firstLogin,
  assert: (exchange) => expectThat(isSuccess(exchange), "2xx", summary(exchange), exchange),
});

const capability = check({
  id: "VER-01/capability",
  claim: "`POST {auth_url}/api/v1/capability` succeeds with the session JWT of a login.",
  act: async (target) => postCapability(target, await sharedSession(target.setup)),
  assert: (exchange) => expectThat(isSuccess(exchange), "2xx", summary(exchange), exchange),
});

/** One line for those that answer anything but 404. */
function presence(exchanges: readonly Exchange[]): string {
  const present = exchanges.filter(({ response }) => response.status !== 404);
  if (present.length === 0) return `404 at all of ${exchanges.length} addresses`;
  return present.map((it) => `${it.request.method} ${it.request.url}: ${summary(it)}`).join("; ");
}

const unversioned = [
  { method: "POST", path: "/challenge" },
  { method: "POST", path: "/api/challenge" },
  { method: "GET", path: "/agents" },
  { method: "GET", path: "/api/agents" },
  { method: "GET", path: "/api/v2/agents" },
];

const otherVersions = observe({
  id: "VER-01/other-prefixes",
  question: "What do the application paths answer without `/api/v1`, or with another prefix?",
  act: (target) =>
    Promise.all(unversioned.map(({ method, path }) => target.send({ method, url: target.authUrl + path }))),
  answer: presence,
});

const guesses = [
  "/internal",
  "/internal/capability",
  "/api/v1/internal/capability",
  "/api/v1/capability/delegated",
  "/api/v1/delegated-capability",
  "/api/internal/capability",
];

const internalPaths = [
  { slug: "auth", base: (target: Target) => target.authUrl },
  { slug: "api", base: (target: Target) => target.apiUrl },
].map(({ slug, base }) =>
  observe({
    id: `INT-04/${slug}`,
    question: `What do guessed internal paths of \`{${slug}_url}\` answer?`,
    act: (target) =>
      Promise.all(guesses.map((path) => target.send({ method: "POST", url: base(target) + path }))),
    answer: presence,
  }),
);

/** Where the application's endpoints are, and where nothing is to be found. Document, "Versioning". */
export const addressChecks = [challenge, agents, session, capability, otherVersions, ...internalPaths];
