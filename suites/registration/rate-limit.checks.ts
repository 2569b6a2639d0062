import { randomInt } from "node:crypto";
import {
  certaintyOfAddresses,
  connectionsToEveryNode,
  sendOverFresh,
  type Ways,
  waysToAnotherNode,
} from "../support/actors/fresh-connections.ts";
import { check, observe } from "../support/judging/check.ts";
import { expectThat, isRefusalStatus } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import type { Connection, Outgoing } from "../support/wire/http.ts";
import { originOf } from "../support/wire/url.ts";
import { nodesAt } from "../support/target/node-settings.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError } from "../support/verdict.ts";
import {
  type Exchange,
  header,
  type HeaderLines,
  isSuccess,
  jsonMembers,
  summary,
} from "../support/wire/exchange.ts";
import {
  confidentialMetadata,
  confidentialRegistration,
  outcome,
  publicMetadata,
  publicRegistration,
  requireRegistered,
} from "./registered-clients.ts";

function registration(
  target: Target,
  headers: HeaderLines = [],
  metadata: Readonly<Record<string, unknown>> = publicMetadata(),
): Outgoing {
  return {
    method: "POST",
    url: `${target.authUrl}/oauth/register`,
    headers: [["Content-Type", "application/json"], ...headers],
    body: JSON.stringify(metadata),
    takeRateLimit: true,
  };
}

async function tryToRegister(
  target: Target,
  headers: HeaderLines = [],
  over: Pick<Connection, "send"> = target,
  metadata: Readonly<Record<string, unknown>> = publicMetadata(),
): Promise<Exchange> {
  const exchange = await over.send(registration(target, headers, metadata));
  if (isSuccess(exchange)) target.spendBesideBudget("registrations");
  return exchange;
}

interface UsedUp {
  readonly accepted: number;
  readonly last: Exchange;
}

/**
 * Registers until a registration is refused, at most once more than the profile says: all over one connection, so that they
 * are counted where nodes count apart.
 *
 * @throws {InconclusiveError} control-refused, when the target has registered nobody
 */
function usedUp(target: Target): Promise<UsedUp> {
  return target.once("registration:used-up", async (recording) => {
    requireRegistered(await publicRegistration(recording.control));
    // While there is room: the control of the confidential ones.
    await confidentialRegistration(recording.setup);
    return usedUpOverOne(recording, publicMetadata());
  });
}

async function usedUpOverOne(target: Target, metadata: Readonly<Record<string, unknown>>): Promise<UsedUp> {
  const [node] = nodesAt(target.profile, target.authUrl);
  const connection = target.connect(originOf(target.authUrl), node);
  try {
    return await registerUntilRefused(target, connection, metadata);
  } finally {
    await connection.close();
  }
}

async function registerUntilRefused(
  target: Target,
  connection: Connection,
  metadata: Readonly<Record<string, unknown>> = publicMetadata(),
): Promise<UsedUp> {
  const limit = target.profile.registration_limit ?? 0;
  for (let accepted = 0; ; accepted += 1) {
    const last = await tryToRegister(target, [], connection, metadata);
    // The next one may be accepted again, where the limit lets them in one by one.
    if (accepted >= limit || !isSuccess(last)) return { accepted, last };
  }
}

/** A refusal, a limit, or the 503 of a gateway that says when to come again. */
function isTurnedAway(exchange: Exchange): boolean {
  const { status } = exchange.response;
  const isLimited = status === 503 && header(exchange, "retry-after") !== undefined;
  return status === 429 || isLimited || isRefusalStatus(status);
}

const limited = check({
  id: "DCR-06",
  claim:
    "Registrations from one address are refused when the profile's `registration_limit` is reached, if not before.",
  unlockedBy: "registration_limit",
  last: true,
  act: usedUp,
  assert: expectLimit,
});

function expectLimit({ accepted, last }: UsedUp): void {
  expectThat(
    isTurnedAway(last) && typeof jsonMembers(last)["client_id"] !== "string",
    "a refusal without a client_id",
    `${summary(last)} after ${accepted} registrations`,
    last,
  );
}

const limitedConfidential = check({
  id: "DCR-06/confidential",
  claim:
    "Registrations of confidential clients from one address are refused when the profile's `registration_limit` is reached, if not before.",
  unlockedBy: "registration_limit",
  last: true,
  async act(target) {
    // The limit may be one for each kind of client, or one for both.
    await usedUp(target.setup);
    if (!isSuccess(await confidentialRegistration(target.control)))
      throw new NotApplicableError("the target registers no confidential clients");
    return usedUpOverOne(target, confidentialMetadata());
  },
  assert: (used) => explained("DCR-06", () => expectLimit(used)),
});

const retryAfter = observe({
  id: "B-HTTP-04",
  question: "How does a target refuse a registration beyond its limit, and does it say when to try again?",
  unlockedBy: "registration_limit",
  last: true,
  act: async (target) => (await usedUp(target)).last,
  answer: (exchange) => `${summary(exchange)}, Retry-After: ${header(exchange, "retry-after") ?? "none"}`,
});

const forgedAddress = observe({
  id: "DCR-07/forged-address",
  question:
    "How is a registration with a forged `X-Forwarded-For` answered once this address may make no more?",
  unlockedBy: "registration_limit",
  last: true,
  async act(target) {
    await usedUp(target.setup);
    return tryToRegister(target, [["X-Forwarded-For", `203.0.113.${randomInt(1, 255)}`]]);
  },
  answer: (exchange) => outcome(exchange),
});

/** What gateways other than those that set `X-Forwarded-For` tell the address of a client by. */
const otherAddressHeaders = ["Forwarded", "X-Real-IP", "True-Client-IP", "CF-Connecting-IP", "X-Client-IP"];

const otherForgedAddresses = observe({
  id: "DCR-07/other-headers",
  question:
    "How is a registration with a forged `Forwarded`, `X-Real-IP`, `True-Client-IP`, `CF-Connecting-IP` or `X-Client-IP` answered once this address may make no more?",
  unlockedBy: "registration_limit",
  last: true,
  async act(target) {
    await usedUp(target.setup);
    const answers: { name: string; exchange: Exchange }[] = [];
    for (const name of otherAddressHeaders) {
      const address = `203.0.113.${randomInt(1, 255)}`;
      const value = name === "Forwarded" ? `for=${address}` : address;
      answers.push({ name, exchange: await tryToRegister(target, [[name, value]]) });
    }
    return answers;
  },
  answer: (answers) => answers.map(({ name, exchange }) => `${name}: ${outcome(exchange)}`).join("; "),
});

/**
 * A connection over which registrations are refused: to a node where the limit was reached; where it has been lifted since,
 * one over which it is reached again.
 */
async function refusingConnection(target: Target): Promise<Connection> {
  const [node] = nodesAt(target.profile, target.authUrl);
  const most = node === undefined ? connectionsToEveryNode(target.profile.nodes.count) : 1;
  for (let tries = most; tries > 0; tries -= 1) {
    const connection = target.connect(originOf(target.authUrl), node);
    if (isTurnedAway(await tryToRegister(target, [], connection))) return connection;
    await connection.close();
  }
  const connection = target.connect(originOf(target.authUrl), node);
  await registerUntilRefused(target, connection);
  return connection;
}

/** One place may become free between two registrations; more show that another node counts apart. */
const sparePairs = 4;

/** Of the nodes that the profile lists each but the first, whose limit was reached, so often that one place cannot hide it. */
function waysToOtherNodes(target: Target): Ways {
  const [first, ...others] = nodesAt(target.profile, target.authUrl);
  if (first === undefined) {
    const { nodes, certainty } = waysToAnotherNode(target);
    return { nodes: [...nodes, ...Array.from({ length: sparePairs }, () => undefined)], certainty };
  }
  const each = others.length === 0 ? [first] : others;
  return {
    nodes: each.flatMap((node) => Array.from({ length: sparePairs }, () => node)),
    certainty: certaintyOfAddresses(others.length + 1),
  };
}

function letsInAgain(exchange: Exchange): InconclusiveError {
  return new InconclusiveError(
    "precondition-missing",
    "the limit lets registrations in again while it is tried over other connections",
    { exchange },
  );
}

/** What the limit itself lets in, at the node that refuses, in as many requests as were sent to it and to others. */
async function letInAgain(
  target: Target,
  connection: Connection,
  pairs: number,
): Promise<readonly Exchange[]> {
  const answers: Exchange[] = [];
  while (answers.length < 2 * pairs) answers.push(await tryToRegister(target, [], connection));
  return answers.filter((answer) => !isTurnedAway(answer));
}

/** @throws {InconclusiveError} control-refused, when no limit was reached */
async function requireLimitReached(target: Target): Promise<void> {
  const { last } = await usedUp(target.setup);
  if (!isTurnedAway(last))
    throw controlRefused("a registration beyond the limit", "a refusal", last, "DCR-06");
}

interface Evaded {
  readonly answers: readonly Exchange[];
  readonly accepted: readonly Exchange[];
}

/**
 * Sends each registration right after one that the limit refuses.
 *
 * @throws {InconclusiveError} where the limit itself lets in as many as got in
 */
async function evaded(
  target: Target,
  connection: Connection,
  sends: readonly (() => Promise<Exchange>)[],
  isAccepted: (exchange: Exchange) => boolean,
): Promise<Evaded> {
  const answers: Exchange[] = [];
  for (const send of sends) {
    const here = await tryToRegister(target.setup, [], connection);
    if (!isTurnedAway(here)) throw letsInAgain(here);
    const elsewhere = await send();
    if (isSuccess(elsewhere)) target.spendBesideBudget("registrations");
    answers.push(elsewhere);
  }
  const accepted = answers.filter(isAccepted);
  const again = accepted.length > 1 ? await letInAgain(target.setup, connection, answers.length) : [];
  const [some] = again;
  if (some !== undefined && accepted.length <= 1 + again.length) throw letsInAgain(some);
  return { answers, accepted };
}

/** What a limit may count registrations by, beside the address that they come from. */
const evasions = [
  {
    slug: "other-paths",
    words: "with a slash or a query after its path",
    changes: (target: Target): readonly Partial<Outgoing>[] =>
      ["/", "?", "/?x=1", "?x=1"].map((tail) => ({ url: `${target.authUrl}/oauth/register${tail}` })),
  },
  {
    slug: "other-user-agents",
    words: "with another `User-Agent`",
    changes: (target: Target): readonly Partial<Outgoing>[] =>
      ["curl/8.14.1", "Mozilla/5.0", "node", "python-requests/2.32"].map((agent) => ({
        headers: registration(target, [["User-Agent", agent]]).headers ?? [],
      })),
  },
].map(({ slug, words, changes }) =>
  check({
    id: `DCR-06/${slug}`,
    claim: `While registrations from one address are refused, at most one of four ${words} gives a client.`,
    unlockedBy: "registration_limit",
    last: true,
    async act(target) {
      await requireLimitReached(target);
      const connection = await refusingConnection(target.setup);
      try {
        const sends = changes(target).map(
          (change) => () => connection.send({ ...registration(target), ...change }),
        );
        // Other paths may be answered by nobody, or by a redirect.
        return await evaded(
          target,
          connection,
          sends,
          (answer) => isSuccess(answer) && typeof jsonMembers(answer)["client_id"] === "string",
        );
      } finally {
        await connection.close();
      }
    },
    assert: ({ answers, accepted }) =>
      explained("DCR-06/every-node", () =>
        expectThat(
          accepted.length <= 1,
          "no client, or one for a place that has become free meanwhile",
          `${accepted.length} of ${answers.length} gave one`,
          accepted[0],
        ),
      ),
  }),
);

const everyNode = check({
  id: "DCR-06/every-node",
  claim: "While registrations at one node are refused, at most one is accepted at others.",
  unlockedBy: "registration_limit",
  last: true,
  async act(target) {
    await requireLimitReached(target);
    const connection = await refusingConnection(target.setup);
    try {
      const ways = waysToOtherNodes(target);
      const sends = ways.nodes.map((node) => () => sendOverFresh(target, registration(target), node));
      const seen = await evaded(target, connection, sends, (answer) => !isTurnedAway(answer));
      return { ...seen, certainty: ways.certainty };
    } finally {
      await connection.close();
    }
  },
  assert({ answers, accepted }) {
    expectThat(
      accepted.length <= 1,
      "a refusal over each connection, or one place that has become free meanwhile",
      `${accepted.length} of ${answers.length} not refused`,
      accepted[0],
    );
  },
  certainty: ({ certainty }) => certainty,
});

export const rateLimitChecks = [
  limited,
  limitedConfidential,
  retryAfter,
  forgedAddress,
  otherForgedAddresses,
  ...evasions,
  everyNode,
];
