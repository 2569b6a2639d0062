import { bearerIn, capabilityRequest, postCapability, requireBearer } from "../support/actors/agent.ts";
import { followedSessionDocument } from "../support/actors/mail-session.ts";
import { signUp } from "../support/material/usernames.ts";
import { freshCapability, sharedSession } from "../support/material/agents.ts";
import { check, observe, recommend } from "../support/judging/check.ts";
import {
  type Exchange,
  type HeaderLines,
  isJsonObject,
  isSuccess,
  jsonMembers,
  summary,
} from "../support/wire/exchange.ts";
import { expectAgentErrorShape, expectThat, isRefusal, shown } from "../support/judging/expect.ts";
import { bearer, jsonContentType, withLowerCaseScheme } from "../support/actors/jmap.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { isStoppedByGateway } from "../support/wire/stopped-by-gateway.ts";
import type { Target } from "../support/target/target.ts";
import { Violation, type Warning, warning } from "../support/verdict.ts";
import { expectCapability, expectSessionDocument } from "./expectations.ts";

const minted = check({
  id: "POW-48",
  claim: "`POST /api/v1/capability` with a session JWT and without a body returns a capability JWT.",
  act: async (target) => postCapability(target, await sharedSession(target)),
  assert: (exchange) => expectCapability(exchange),
});

const typedWithoutBody = check({
  id: "POW-48/json-type",
  claim: "A capability is also minted when the request has no body but the content type `application/json`.",
  async act(target) {
    const request = capabilityRequest(target, await sharedSession(target));
    return target.send({ ...request, headers: [...(request.headers ?? []), jsonContentType] });
  },
  assert(exchange): Warning | undefined {
    // What many HTTP clients send, though there is nothing that the type could be of.
    if (isRefusal(exchange)) return warning(`a type without a body is refused: ${summary(exchange)}`);
    expectCapability(exchange, "POW-48");
    return undefined;
  },
});

const withoutSession = check({
  id: "POW-48/no-session",
  claim:
    "A capability request without a bearer token, or with Basic credentials, is refused in the error shape of the path.",
  async act(target) {
    const session = await sharedSession(target);
    requireBearer(await postCapability(target.control, session), "minting a capability", "POW-48");
    const { headers: _session, ...request } = capabilityRequest(target, "");
    const lines: readonly HeaderLines[] = [
      [],
      [["Authorization", "Bearer"]],
      [["Authorization", "Basic bWFpbHByb29mOm1haWxwcm9vZg=="]],
    ];
    return Promise.all(lines.map((headers) => target.send({ ...request, headers })));
  },
  assert(exchanges) {
    for (const exchange of exchanges) {
      expectThat(
        isRefusal(exchange) && bearerIn(exchange) === undefined,
        "a refusal without a token",
        summary(exchange),
        exchange,
      );
      // What a framework answers before the service is asked has a shape of its own.
      if (!isStoppedByGateway(exchange)) expectAgentErrorShape(exchange);
    }
  },
});

const caselessScheme = recommend({
  id: "B-BRR-06/capability",
  claim: "A session JWT after the scheme `bearer` in lower case is accepted for a capability.",
  async act(target) {
    const request = capabilityRequest(target, await sharedSession(target));
    return target.send({ ...request, headers: withLowerCaseScheme(request.headers ?? []) });
  },
  assert: (exchange) => expectCapability(exchange, "POW-48"),
});

const manyCapabilities = 5;

/** Capabilities that one session minted right after one another. */
function capabilities(target: Target): Promise<readonly Exchange[]> {
  return target.once("sessions:capabilities", async (recording) => {
    const session = await sharedSession(recording);
    const mints: Exchange[] = [];
    for (let count = 0; count < manyCapabilities; count += 1)
      mints.push(await postCapability(recording, session));
    return mints;
  });
}

const many = check({
  id: "POW-49",
  claim: `One session mints ${manyCapabilities} capabilities, and each of them opens the session document.`,
  async act(target) {
    const mints = await capabilities(target);
    const documents: Exchange[] = [];
    for (const token of mints.map(bearerIn).filter((found) => found !== undefined))
      documents.push(await followedSessionDocument(target, [bearer(token)]));
    return { mints, documents };
  },
  assert({ mints, documents }) {
    for (const mint of mints) expectCapability(mint, "POW-48");
    for (const document of documents) expectSessionDocument(document, "POW-59");
  },
});

// A session lives an hour, and its client takes a new capability every two minutes.
const neededByHour = 31;

const manyOfHour = check({
  id: "POW-49/of-an-hour",
  claim: `One session mints ${neededByHour} capabilities, as many as its hour needs.`,
  async act(target) {
    // What comes of it must not end a session that others use.
    const { exchange } = await signUp(target.setup);
    const session = requireBearer(exchange, "signing up an agent", "POW-08");
    const mints: Exchange[] = [];
    for (let count = 0; count < neededByHour; count += 1) mints.push(await postCapability(target, session));
    return mints;
  },
  assert(mints): Warning | undefined {
    const [first] = mints;
    if (first !== undefined) expectCapability(first, "POW-48");
    const at = mints.findIndex(isRefusal);
    const refused = mints[at];
    // Nobody needs as many at once, and how many may be valid at the same time is the target's own.
    return refused && warning(`capability ${at + 1} of one session is refused: ${summary(refused)}`);
  },
});

const secondsApart = 2;

const distinct = check({
  id: "POW-49/distinct",
  claim: "Two capabilities that one session minted more than a second apart differ.",
  waitSeconds: secondsApart,
  async act(target) {
    const session = await sharedSession(target);
    const first = await postCapability(target, session);
    await target.wait(secondsApart);
    return { first, second: await postCapability(target, session) };
  },
  assert({ first, second }) {
    for (const mint of [first, second]) expectCapability(mint, "POW-48");
    if (bearerIn(first) === bearerIn(second))
      throw new Violation("another capability", "the same one again", { exchange: second });
  },
});

const sameSecond = observe({
  id: "POW-49/same-second",
  question: "Do capabilities that one session minted within a second differ?",
  act: capabilities,
  answer(mints) {
    const { size } = new Set(mints.map(bearerIn));
    return `${size} different tokens in ${mints.length} responses`;
  },
});

const openDocument = async (target: Target): Promise<Exchange> =>
  followedSessionDocument(target, [bearer(await freshCapability(target))]);

const document = check({
  id: "POW-59",
  claim:
    "`GET /.well-known/jmap` with a capability returns a session document with `primaryAccounts` and `apiUrl`.",
  act: openDocument,
  assert: (exchange) => expectSessionDocument(exchange),
});

const mailUrn = "urn:ietf:params:jmap:mail";

const primaryAccount = check({
  id: "POW-60",
  claim: `\`primaryAccounts\` names the mail account by a non-empty string under \`${mailUrn}\`.`,
  act: openDocument,
  assert(exchange) {
    expectSessionDocument(exchange, "POW-59");
    const { primaryAccounts } = jsonMembers(exchange);
    const accountId = isJsonObject(primaryAccounts) ? primaryAccounts[mailUrn] : undefined;
    expectThat(
      typeof accountId === "string" && accountId !== "",
      `primaryAccounts[${mailUrn}] to be a non-empty string`,
      shown(accountId),
      exchange,
    );
  },
});

/** @throws {InconclusiveError} control-refused, when the session document cannot be had */
export async function requiredDocument(target: Target): Promise<Exchange> {
  const exchange = await openDocument(target);
  if (isSuccess(exchange)) return exchange;
  throw controlRefused("the session document", "2xx", exchange, "POW-59");
}

const members = {
  capabilities: "object",
  accounts: "object",
  primaryAccounts: "object",
  username: "string",
  apiUrl: "string",
  downloadUrl: "string",
  uploadUrl: "string",
  eventSourceUrl: "string",
  state: "string",
} as const;

const standardMembers = recommend({
  id: "B-JMAP-27/session-document",
  claim: "The session document has every member that RFC 8620 §2 requires, each of its type.",
  act: requiredDocument,
  assert(exchange) {
    const found = jsonMembers(exchange);
    const wrong = Object.entries(members)
      .filter(([name, type]) =>
        type === "object" ? !isJsonObject(found[name]) : typeof found[name] !== "string",
      )
      .map(([name]) => name);
    expectThat(
      wrong.length === 0,
      "every required member",
      `${wrong.join(", ")} missing or of another type`,
      exchange,
    );
  },
});

const oneAccount = check({
  id: "POW-64/one-account",
  claim: "The session document of an agent lists one account, the one that `primaryAccounts` names.",
  act: requiredDocument,
  assert(exchange): Warning | undefined {
    const { accounts, primaryAccounts } = jsonMembers(exchange);
    const ids = isJsonObject(accounts) ? Object.keys(accounts) : [];
    const primary = isJsonObject(primaryAccounts) ? primaryAccounts[mailUrn] : undefined;
    if (ids.length === 1 && ids[0] === primary) return undefined;
    // RFC 8620 §2 lets a server list what is shared; the document has one inbox for each credential.
    return warning(`${ids.length} accounts are listed, and the primary mail account is ${shown(primary)}`);
  },
});

export const capabilityChecks = [
  minted,
  typedWithoutBody,
  withoutSession,
  caselessScheme,
  many,
  manyOfHour,
  distinct,
  sameSecond,
  document,
  primaryAccount,
  standardMembers,
  oneAccount,
];
