import { bearerIn, postCapability } from "../support/actors/agent.ts";
import { followedSessionDocument } from "../support/actors/mail-session.ts";
import { freshCapability, sharedSession } from "../support/material/agents.ts";
import { check } from "../support/judging/check.ts";
import {
  type Exchange,
  headerValues,
  isJsonObject,
  isSuccess,
  jsonMembers,
  summary,
} from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { bearer } from "../support/actors/jmap.ts";
import { InconclusiveError, warning } from "../support/verdict.ts";
import { expectCapability, expectDocument } from "./expectations.ts";

const minted = check({
  id: "POW-48",
  claim: "POST /api/v1/capability with the session JWT and without a body gives 2xx with a capability JWT.",
  act: async (target) => postCapability(target, await sharedSession(target)),
  assert: expectCapability,
});

const headerForm = check({
  id: "POW-02/capability",
  claim: "The capability stands in a single Authorization response header as Bearer, one space and a token.",
  async act(target) {
    const exchange = await postCapability(target, await sharedSession(target));
    if (isSuccess(exchange)) return exchange;
    throw new InconclusiveError("control-refused", `no capability was minted: ${summary(exchange)}`);
  },
  assert(exchange) {
    const { length } = headerValues(exchange, "authorization");
    expectThat(length === 1, "one Authorization response header", `${length}`);
    expectCapability(exchange);
  },
});

const manyCapabilities = 5;

const many = check({
  id: "POW-49",
  claim: `One session mints ${manyCapabilities} different capabilities, and each of them works.`,
  async act(target) {
    const session = await sharedSession(target);
    const mints: Exchange[] = [];
    for (let count = 0; count < manyCapabilities; count += 1)
      mints.push(await postCapability(target, session));
    const tokens = mints.map(bearerIn).filter((token) => token !== undefined);
    const documents: Exchange[] = [];
    for (const token of tokens) documents.push(await followedSessionDocument(target, [bearer(token)]));
    return { mints, different: new Set(tokens).size, documents };
  },
  assert({ mints, different, documents }) {
    for (const mint of mints) expectCapability(mint);
    expectThat(different === manyCapabilities, `${manyCapabilities} different capabilities`, `${different}`);
    for (const document of documents) expectDocument(document);
  },
});

const document = check({
  id: "POW-59",
  claim:
    "GET /.well-known/jmap with a capability gives 200 with an object primaryAccounts and a string apiUrl.",
  act: async (target) => followedSessionDocument(target, [bearer(await freshCapability(target))]),
  assert: expectDocument,
});

const mailUrn = "urn:ietf:params:jmap:mail";

const primaryAccount = check({
  id: "POW-60",
  claim: `primaryAccounts names the mail account by a non-empty string under ${mailUrn}.`,
  act: async (target) => followedSessionDocument(target, [bearer(await freshCapability(target))]),
  assert(exchange) {
    expectDocument(exchange);
    const { primaryAccounts } = jsonMembers(exchange);
    const accountId = isJsonObject(primaryAccounts) ? primaryAccounts[mailUrn] : undefined;
    expectThat(
      typeof accountId === "string" && accountId !== "",
      `primaryAccounts[${mailUrn}] to be a non-empty string`,
      shown(accountId),
    );
  },
});

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

const standardMembers = check({
  id: "B-JMAP-27/session-document",
  claim: "The session document has every member that RFC 8620 §2 requires.",
  async act(target) {
    const exchange = await followedSessionDocument(target, [bearer(await freshCapability(target))]);
    if (isSuccess(exchange)) return jsonMembers(exchange);
    throw new InconclusiveError("control-refused", `no session document: ${summary(exchange)}`);
  },
  assert(found) {
    const wrong = Object.entries(members).flatMap(([name, type]) => {
      const value = found[name];
      const isRight = type === "object" ? isJsonObject(value) : typeof value === "string";
      return isRight ? [] : [name];
    });
    return wrong.length === 0 ? undefined : warning(`missing or of another type: ${wrong.join(", ")}`);
  },
});

const oneAccount = check({
  id: "B-JMAP-28/one-account",
  claim: "The session document of an agent lists one account, the one that primaryAccounts names.",
  async act(target) {
    const exchange = await followedSessionDocument(target, [bearer(await freshCapability(target))]);
    if (isSuccess(exchange)) return jsonMembers(exchange);
    throw new InconclusiveError("control-refused", `no session document: ${summary(exchange)}`);
  },
  assert({ accounts, primaryAccounts }) {
    const ids = isJsonObject(accounts) ? Object.keys(accounts) : [];
    const primary = isJsonObject(primaryAccounts) ? primaryAccounts[mailUrn] : undefined;
    return ids.length === 1 && ids[0] === primary
      ? undefined
      : warning(`accounts has ${ids.length} entries, the primary mail account is ${shown(primary)}`);
  },
});

export const capabilityChecks = [
  minted,
  headerForm,
  many,
  document,
  primaryAccount,
  standardMembers,
  oneAccount,
];
