import { openSession, sessionRequest, solvedChallenge } from "../support/actors/agent.ts";
import { accountHeader, inboxQuery, jmapAs, responseTo } from "../support/actors/jmap.ts";
import { provenAgent } from "../support/material/agent-controls.ts";
import { check } from "../support/judging/check.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { addressOf, inboxOf, listedInboxes } from "../support/material/inboxes.ts";
import { otherPlaces } from "../support/material/named-elsewhere.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { newUsername } from "../support/material/usernames.ts";
import { type Exchange, jsonMembers } from "../support/wire/exchange.ts";
import type { Target } from "../support/target/target.ts";
import { Violation } from "../support/verdict.ts";
import { expectOwnAddress } from "./credentials.checks.ts";
import { namedAgent } from "./named-agent.ts";
import { isSameInbox, type OpenedInbox, openedInbox } from "./opened-inboxes.ts";
import { expectRefused } from "./session-requests.ts";

interface Opened {
  readonly exchange: Exchange;
  /** What the session reaches; undefined when there is none. */
  readonly opened: OpenedInbox | undefined;
  /** Whether that is the one that it must not reach. */
  readonly isForeign: boolean;
}

async function openedBeside(target: Target, exchange: Exchange, foreign: OpenedInbox): Promise<Opened> {
  const opened = await openedInbox(target.setup, exchange);
  return {
    exchange,
    opened,
    isForeign: opened !== undefined && (await isSameInbox(target, opened, foreign)),
  };
}

/** @param explainedBy - id of the check that judges by itself the defect that gives this access as well */
function expectOwnInbox({ exchange, opened, isForeign }: Opened, explainedBy?: string): void {
  if (opened === undefined) return expectRefused(exchange);
  if (!isForeign) return;
  throw new Violation("no access to the inbox of that name", "a session for it", { exchange, explainedBy });
}

const namesOfInboxes = ["accountId", "inbox", "inboxId", "address"];

/** The inbox of the named agent under each name by which a body may give it. */
async function membersNaming(target: Target): Promise<{ foreign: OpenedInbox; members: object }> {
  const { username, inbox: foreign, signup } = await target.setup.once("pow:named-agent", namedAgent);
  const { inbox = username } = jsonMembers(signup);
  const values = [foreign.accountId, inbox, inbox, foreign.address ?? username];
  return { foreign, members: Object.fromEntries(namesOfInboxes.map((name, at) => [name, values[at]])) };
}

const bodiesNamingInboxes = [
  {
    slug: "login-names-inbox",
    words: "login",
    async credential(target: Target) {
      return { apiKey: (await provenAgent(target)).apiKey };
    },
  },
  {
    slug: "signup-names-inbox",
    words: "signup",
    async credential(target: Target) {
      target.spend("sign_ups");
      return { username: await newUsername(target) };
    },
  },
].map(({ slug, words, credential }) =>
  check({
    id: `POW-46/${slug}`,
    claim: `A ${words} whose body names the inbox of another agent as well opens no session for it.`,
    async act(target): Promise<Opened> {
      const { foreign, members } = await membersNaming(target);
      const { challenge, proof } = await solvedChallenge(target.setup);
      const body = { ...members, ...proof, ...(await credential(target)) };
      const exchange = await openSession(target, challenge.jwt, body);
      return openedBeside(target, exchange, foreign);
    },
    assert: (opened) => expectOwnInbox(opened),
  }),
);

const namedElsewhere = check({
  id: "POW-46/login-names-elsewhere",
  claim:
    "A login whose query, account header or internal headers name the inbox of another agent opens no session for it.",
  async act(target): Promise<Opened> {
    const { apiKey } = await provenAgent(target);
    const { inbox: foreign } = await target.setup.once("pow:named-agent", namedAgent);
    const { challenge, proof } = await solvedChallenge(target.setup);
    const id = foreign.accountId;
    const places = otherPlaces(target, [id]);
    const request = sessionRequest(target, challenge.jwt, { ...proof, apiKey });
    const query = places.flatMap((place) => place.query ?? []).join("&");
    const lines = [accountHeader(target, id), ...places.flatMap((place) => place.lines ?? [])];
    const exchange = await target.send({
      ...request,
      url: `${request.url}?${query}`,
      headers: [...(request.headers ?? []), ...lines],
    });
    return openedBeside(target, exchange, foreign);
  },
  assert: (opened) => expectOwnInbox(opened),
});

const keyWithOthersName = check({
  id: "POW-46/login-with-name-of-another",
  claim: "A login that names the `username` of another agent as well opens no session for its inbox.",
  async act(target): Promise<Opened> {
    const { apiKey } = await provenAgent(target);
    const other = await target.setup.once("pow:named-agent", namedAgent);
    const { challenge, proof } = await solvedChallenge(target.setup);
    const { username, inbox: foreign } = other;
    const exchange = await openSession(target, challenge.jwt, { ...proof, apiKey, username });
    return openedBeside(target, exchange, foreign);
  },
  assert: (opened) => expectOwnInbox(opened),
});

/** The mail account and the name of an inbox of the first person. */
async function inboxOfPerson(target: Target): Promise<{ accountId: string; inboxId: string }> {
  const id = await inboxOf(target);
  const token = await sharedAccessToken(target);
  const exchange = await jmapAs(target, token, id, inboxQuery);
  const accountId = responseTo(exchange, "0")?.args["accountId"];
  const entry = (await listedInboxes(target, "first")).find((listed) => listed.accountId === id);
  if (typeof accountId === "string" && entry !== undefined) return { accountId, inboxId: entry.inboxId };
  throw controlRefused("reading the inbox of a person", "an accountId in the answer", exchange, "HDR-01");
}

const nameOfPersonsInbox = check({
  id: "POW-46/inbox-of-a-person",
  claim: "A signup with the name of a person's inbox is refused or opens an inbox of its own.",
  needs: ["human"],
  async act(target) {
    const { accountId, inboxId: username } = await inboxOfPerson(target.setup);
    const { challenge, proof } = await solvedChallenge(target.setup);
    const exchange = await openSession(target, challenge.jwt, { ...proof, username });
    const opened = await openedInbox(target.setup, exchange);
    if (opened === undefined) return { exchange, opened, isForeign: false };
    target.spend("sign_ups");
    // Where nothing shows the address of the new inbox, that of the person's is not needed.
    const address = opened.address === undefined ? undefined : await addressOf(target, await inboxOf(target));
    const isForeign = await isSameInbox(target, opened, { accountId, address });
    return { exchange, opened, isForeign, address };
  },
  assert({ address, ...seen }) {
    expectOwnInbox(seen, "POW-46/same");
    expectOwnAddress(seen.exchange, seen.opened?.address, address);
  },
});

/** A session is for the inbox of the credential, whatever else the request names. */
export const otherInboxChecks = [
  namedElsewhere,
  keyWithOthersName,
  nameOfPersonsInbox,
  ...bodiesNamingInboxes,
];
