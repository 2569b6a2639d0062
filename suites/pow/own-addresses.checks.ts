import { logIn, sessionRequest, solvedChallenge } from "../support/actors/agent.ts";
import { isTurnedAway, sendSimultaneously } from "../support/actors/simultaneous-requests.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, isRefusal } from "../support/judging/expect.ts";
import { challengesAreIndependent } from "../support/material/challenges.ts";
import { newUsername, signUpNamed } from "../support/material/usernames.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError, NotApplicableError, Violation } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectOwnAddress } from "./credentials.checks.ts";
import { isSameInbox, type OpenedInbox, openedInbox } from "./opened-inboxes.ts";

// Between looking for a name and writing it down there may be a moment that two seldom meet in.
const racers = 6;

const simultaneous = check({
  id: "POW-46/simultaneous",
  claim: `Of ${racers} simultaneous signups with one \`username\`, no two open the same inbox, or two with one address.`,
  async act(target) {
    for (let signups = 0; signups < racers; signups += 1) target.spend("sign_ups");
    const username = await newUsername(target);
    const solved = await Promise.all(Array.from({ length: racers }, () => solvedChallenge(target.setup)));
    const exchanges = await sendSimultaneously(
      target,
      solved.map(({ challenge, proof }) => sessionRequest(target, challenge.jwt, { ...proof, username })),
    );
    const opened = requireSome(exchanges.filter(isSuccess), exchanges[0]);
    const inboxes: Opened[] = [];
    for (const exchange of opened)
      inboxes.push({ exchange, inbox: await openedInbox(target.setup, exchange) });
    const isSame: boolean[] = [];
    for (const [at, other] of inboxes.entries())
      isSame.push(await isAmong(target, other, inboxes.slice(0, at)));
    return inboxes.map((each, at) => ({ ...each, isSame: isSame[at] === true }));
  },
  assert(inboxes) {
    for (const [at, { exchange, inbox, isSame }] of inboxes.entries()) {
      if (isSame) throw new Violation("an inbox of its own for each", "the same inbox twice", { exchange });
      for (const earlier of inboxes.slice(0, at))
        expectOwnAddress(exchange, inbox?.address, earlier.inbox?.address);
    }
  },
});

const differentNames = check({
  id: "POW-46/simultaneous-names",
  claim:
    "Simultaneous signups with different names each open an inbox of their own, and its `apiKey` opens it again.",
  async act(target) {
    for (let signups = 0; signups < 2; signups += 1) target.spend("sign_ups");
    const usernames = [await newUsername(target), await newUsername(target)];
    const solved = [await solvedChallenge(target.setup), await solvedChallenge(target.setup)];
    const exchanges = await sendSimultaneously(
      target,
      solved.map(({ challenge, proof }, at) =>
        sessionRequest(target, challenge.jwt, { ...proof, username: usernames[at] }),
      ),
    );
    const opened = requireSome(exchanges.filter(isSuccess), exchanges[0]);
    const inboxes: (Opened & { isOpenedAgain: boolean })[] = [];
    for (const exchange of opened) {
      const { apiKey } = jsonMembers(exchange);
      // A login may end the session of the signup.
      const inbox = await openedInbox(target.setup, exchange);
      const login = await logIn(target.setup, String(apiKey));
      const again = await openedInbox(target.setup, login);
      const isKnown = inbox !== undefined && again !== undefined;
      inboxes.push({ exchange, inbox, isOpenedAgain: isKnown && (await isSameInbox(target, again, inbox)) });
    }
    const refused = exchanges.find((exchange) => !isSuccess(exchange) && !isTurnedAway(exchange));
    // A newer challenge may void an older one (C-92).
    const isOwed = refused !== undefined && (await challengesAreIndependent(target));
    return { inboxes, isSame: await isSameTwice(target, inboxes), ...(isOwed && { refused }) };
  },
  assert({ inboxes, isSame, refused }) {
    if (refused !== undefined) {
      throw new Violation("both signups to be accepted", summary(refused), {
        exchange: refused,
        explainedBy: "POW-08",
      });
    }
    for (const { exchange, isOpenedAgain } of inboxes)
      expectThat(isOpenedAgain, "its apiKey to open its own inbox", "a refusal or another inbox", exchange);
    const [, second] = inboxes;
    if (second !== undefined)
      expectThat(!isSame, "an inbox of its own for each", "the same inbox twice", second.exchange);
  },
});

// A column of a table may hold fewer characters.
const commonBeginning = "beyondtwentycharacters";

const longNames = check({
  id: "POW-46/long-names",
  claim:
    "A signup with a `username` of about 35 characters does not open the inbox of an agent whose name differs only in its last character.",
  async act(target) {
    const beginning = `${await newUsername(target)}${commonBeginning}`;
    const first = await signUpNamed(target.control, `${beginning}a`);
    if (!isSuccess(first)) throw new NotApplicableError("the target takes no username of that length");
    const exchange = await signUpNamed(target, `${beginning}b`);
    if (isRefusal(exchange))
      throw new NotApplicableError("the target accepts no second username with that prefix");
    const inboxes: OpenedInbox[] = [];
    for (const signup of [first, exchange]) {
      const inbox = isSuccess(signup) ? await openedInbox(target.setup, signup) : undefined;
      if (inbox === undefined)
        throw controlRefused("signing up with a long username", "an inbox", signup, "POW-08");
      inboxes.push(inbox);
    }
    const [one, other] = inboxes;
    return {
      exchange,
      isSame: one !== undefined && other !== undefined && (await isSameInbox(target, one, other)),
    };
  },
  assert: ({ exchange, isSame }) => expectThat(!isSame, "an inbox of its own", "that of the other", exchange),
});

/** @throws {InconclusiveError} control-refused, when no signup was accepted */
function requireSome(opened: readonly Exchange[], first: Exchange | undefined): readonly Exchange[] {
  if (opened.length > 0) return opened;
  throw new InconclusiveError("control-refused", "neither of two simultaneous signups was accepted", {
    exchange: first,
  });
}

interface Opened {
  readonly exchange: Exchange;
  readonly inbox: OpenedInbox | undefined;
}

async function isSameTwice(target: Target, [first, second]: readonly Opened[]): Promise<boolean> {
  if (first?.inbox === undefined || second?.inbox === undefined) return false;
  return isSameInbox(target, first.inbox, second.inbox);
}

async function isAmong(target: Target, one: Opened, others: readonly Opened[]): Promise<boolean> {
  for (const other of others) if (await isSameTwice(target, [other, one])) return true;
  return false;
}

/** An agent has an inbox of its own, which mail reaches under an address of its own. Document, "What the service does". */
export const ownAddressChecks = [simultaneous, differentNames, longNames];
