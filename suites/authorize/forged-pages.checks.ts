import { attempt, codeIn } from "../support/actors/authorization.ts";
import { bearer, getAgents, inboxEntries } from "../support/actors/jmap.ts";
import {
  authorizationRequest,
  type Client,
  codeExchange,
  jmapResource,
  postToken,
  registeredRedirectUri,
} from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { listedInboxes } from "../support/material/inboxes.ts";
import { authorizingClient } from "../support/material/controls.ts";
import type { Target } from "../support/target/target.ts";
import { type Exchange, formParameters, isSuccess, jsonMembers } from "../support/wire/exchange.ts";
import { adding, encodeParameters, type Parameters, valueOf } from "../support/wire/parameters.ts";
import { grantsSending } from "../support/judging/token-responses.ts";
import { audiencesOf } from "../support/judging/token-audience.ts";
import { unsigned } from "../support/material/jwt-forgery.ts";
import {
  type Ended,
  forgedEnd,
  type Forging,
  isAtServer,
  postedForm,
  sendingFields,
} from "../support/material/forged-forms.ts";

type Forgery = (parameters: Parameters) => Parameters;

/** Every value that is the one of the request, under whatever name, and the parameter itself where none has it. */
function putting(name: string, own: string, other: string): Forgery {
  return (parameters) => {
    const changed = parameters.map(([key, value]) => [key, value === own ? other : value] as const);
    return changed.some(([key]) => key === name) ? changed : adding(changed, [name, other]);
  };
}

/** The forms that the person's browser posts to the authorization server. */
function forgingForms(forge: Forgery): Forging {
  return (target, outgoing) => {
    const posted = postedForm(target, outgoing);
    return posted === undefined ? outgoing : sendingFields(outgoing, posted, forge(posted.fields));
  };
}

/** The addresses of its pages after the authorization endpoint. */
function forgingAddresses(forge: Forgery): Forging {
  return (target, outgoing) => {
    const { method, url } = outgoing;
    const [place = "", query = ""] = url.split("?");
    if (method !== "GET" || !isAtServer(target, url) || place.endsWith("/oauth/authorize")) return outgoing;
    return { ...outgoing, url: `${place}?${encodeParameters(forge(formParameters(query)))}` };
  };
}

const foreign = "https://evil.test/cb";

const otherAddress = [
  {
    slug: "forged-form",
    words: "whose consent form is sent with a foreign `redirect_uri`",
    forging: forgingForms,
  },
  {
    slug: "forged-address",
    words: "whose consent page is opened with a foreign `redirect_uri` in its address",
    forging: forgingAddresses,
  },
].map(({ slug, words, forging }) =>
  check({
    id: `REDIR-24/${slug}`,
    claim: `A valid request ${words} does not lead there.`,
    needs: ["human", "pages"],
    async act(target) {
      const client = await authorizingClient(target);
      const forge = putting("redirect_uri", registeredRedirectUri(client), foreign);
      return (await forgedEnd(target, client, forging(forge))).ended;
    },
    assert(ended) {
      if ("refusal" in ended || ended.end.kind !== "redirect") return;
      const { location, exchange } = ended.end;
      expectThat(
        !location.startsWith(foreign),
        "no redirect to it",
        `a redirect to ${shown(location)}`,
        exchange,
      );
    },
  }),
);

/** The token response of a request whose consent form was sent otherwise, or how it ended where there was no code. */
async function tokensOf(
  target: Target,
  client: Client,
  forge: Forgery,
  choice: { scope?: string } = {},
): Promise<Exchange | Ended> {
  const { request, ended } = await forgedEnd(target, client, forgingForms(forge), { request: choice });
  const code = "refusal" in ended ? undefined : codeIn(ended.end);
  if (code === undefined) return ended;
  const { client: approved, verifier, parameters } = request;
  const redirectUri = valueOf(parameters, "redirect_uri") ?? "";
  return postToken(target, codeExchange({ code, client: approved, verifier, redirect_uri: redirectUri }));
}

const both = "mail.read mail.send";

const moreScopes = [
  {
    slug: "added-scope",
    words: "`mail.send` as one more scope",
    // Check boxes send one field for each.
    forge: (parameters: Parameters): Parameters =>
      adding(
        parameters,
        ...parameters
          .filter(([, value]) => value === "mail.read")
          .map(([name]) => [name, "mail.send"] as const),
        ["scope", "mail.send"],
      ),
  },
  { slug: "other-scope", words: "both scopes in place of it", forge: putting("scope", "mail.read", both) },
].map(({ slug, words, forge }) =>
  check({
    id: `SCOPE-02/${slug}`,
    claim: `A request for \`mail.read\` whose consent form is sent with ${words} is granted no \`mail.send\`.`,
    needs: ["human", "pages"],
    async act(target) {
      const client = await authorizingClient(target, "public", { scope: "mail.read" });
      return tokensOf(target, client, forge, { scope: "mail.read" });
    },
    assert(exchange) {
      if (!("response" in exchange) || !isSuccess(exchange)) return;
      const { scope } = jsonMembers(exchange);
      expectThat(!grantsSending(exchange), "no mail.send, or a refusal", `scope ${shown(scope)}`, exchange);
    },
  }),
);

const foreignResource = "https://evil.test/jmap";

const otherResource = check({
  id: "RES-18/forged-form",
  claim: "A request whose consent form is sent with a foreign `resource` gives no token for it.",
  needs: ["human", "pages"],
  async act(target) {
    const client = await authorizingClient(target);
    const forge = putting("resource", jmapResource(target), foreignResource);
    return tokensOf(target, client, forge);
  },
  assert(exchange) {
    if (!("response" in exchange) || !isSuccess(exchange)) return;
    const audiences = audiencesOf(exchange);
    const isForeign = audiences.includes(foreignResource);
    expectThat(!isForeign, "another aud, or a refusal", `aud ${shown(audiences)}`, exchange);
  },
});

const objectRedirect = check({
  id: "REDIR-24/in-request-object",
  claim:
    "A valid request with a `request` object that names a foreign `redirect_uri` does not lead to that address.",
  needs: ["human"],
  async act(target) {
    const client = await authorizingClient(target);
    const { parameters } = authorizationRequest(target, client);
    target.spend("grants");
    // A request object (RFC 9101) that nobody has signed.
    const object = unsigned({}, { redirect_uri: foreign }, "none");
    return attempt(target, { client, parameters: adding(parameters, ["request", object]) });
  },
  assert({ end }) {
    if (end.kind !== "redirect") return;
    const leads = end.location.startsWith(foreign);
    expectThat(!leads, "no redirect to it", `a redirect to ${shown(end.location)}`, end.exchange);
  },
});

/** What the person's browser sends of a new inbox, or of one of their own, is changed to one of somebody else. */
async function approvedWith(
  target: Target,
  decision: "approve" | "approve with a new inbox",
  forge: (theirs: readonly Entry[], own: readonly Entry[]) => Forgery,
): Promise<Inboxes> {
  const [own, theirs] = [await listedInboxes(target, "first"), await listedInboxes(target, "second")];
  const client = await authorizingClient(target);
  await forgedEnd(target, client, forgingForms(forge(theirs, own)), { decision });
  const [first, second] = await Promise.all(
    (["first", "second"] as const).map(async (human) => {
      const token = await sharedAccessToken(target, { human });
      const list = await getAgents(target, [bearer(token)]);
      return { list, ids: inboxEntries(list).map(({ accountId }) => accountId) };
    }),
  );
  return {
    own: own.map(({ accountId }) => accountId),
    theirs: theirs.map(({ accountId }) => accountId),
    first,
    second,
  };
}

interface Entry {
  readonly accountId: string;
  readonly inboxId: string;
}

interface Listed {
  readonly list: Exchange;
  readonly ids: readonly string[];
}

interface Inboxes {
  readonly own: readonly string[];
  readonly theirs: readonly string[];
  readonly first: Listed | undefined;
  readonly second: Listed | undefined;
}

/** @throws {Violation} when an inbox has changed hands; two people may have owned one together before */
function expectUnchangedOwners({ own, theirs, first, second }: Inboxes): void {
  if (first === undefined || second === undefined) return;
  const taken = first.ids.filter((id) => theirs.includes(id) && !own.includes(id));
  expectThat(taken.length === 0, "no inbox of the other person", taken.join(", "), first.list);
  const lost = theirs.filter((id) => !second.ids.includes(id));
  expectThat(
    lost.length === 0,
    "all inboxes of the other person with them",
    `without ${lost.join(", ")}`,
    second.list,
  );
}

// What the form driver names a new inbox.
const newName = /^mailproof-[0-9a-f]{10}$/u;

const takenNames = [
  { slug: "taken-name", words: "like an inbox of another person", spelt: (name: string) => name },
  {
    slug: "taken-name-other-case",
    words: "like one of another person but for the case of its letters",
    spelt: (name: string) => (name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase()),
  },
].map(({ slug, words, spelt }) =>
  check({
    id: `AGENTS-11/${slug}`,
    claim: `A person who names a new inbox ${words} does not get that one.`,
    needs: ["human", "second-human", "pages"],
    unlockedBy: "new_inbox",
    act: (target) =>
      approvedWith(target, "approve with a new inbox", ([their]) => {
        const taken = their === undefined ? undefined : spelt(their.inboxId);
        return (parameters) =>
          parameters.map(([name, value]) => [name, newName.test(value) ? (taken ?? value) : value] as const);
      }),
    assert: expectUnchangedOwners,
  }),
);

const otherInbox = check({
  id: "AGENTS-11/forged-form",
  claim: "A person whose consent form names another person's inbox for one of their own does not get it.",
  needs: ["human", "second-human", "pages"],
  act: (target) =>
    approvedWith(target, "approve", ([their], own) => {
      const isOwn = (value: string): boolean => own.some(({ accountId }) => accountId === value);
      return (parameters) =>
        parameters.map(
          ([name, value]) => [name, isOwn(value) ? (their?.accountId ?? value) : value] as const,
        );
    }),
  assert: expectUnchangedOwners,
});

/**
 * What the pages carry of a request comes from a browser again, and anybody can lead one there. Document, "GET
 * /oauth/authorize", redirect_uri, and "Authentication", OAuth 2.0 path 6 and 7.
 */
export const forgedPageChecks = [
  ...otherAddress,
  ...moreScopes,
  otherResource,
  objectRedirect,
  ...takenNames,
  otherInbox,
];
