import { attempt } from "../support/actors/authorization.ts";
import { leavesForClient, responseParameter } from "../support/actors/client-redirects.ts";
import type { FromOtherSite } from "../support/actors/consent/cookie-jar.ts";
import { resolved } from "../support/actors/consent/form-request.ts";
import { type HumanSession, newHumanSession } from "../support/actors/human.ts";
import { bearer, getAgents, inboxEntries } from "../support/actors/jmap.ts";
import {
  type AuthorizationRequest,
  authorizationRequest,
  codeExchange,
  postToken,
  registeredRedirectUri,
} from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { withUndecidedClient } from "../support/material/clients.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { listedInboxes } from "../support/material/inboxes.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError, InconclusiveError, NotApplicableError } from "../support/verdict.ts";
import {
  type Exchange,
  header,
  type HeaderLines,
  isRedirect,
  isSuccess,
  jsonMembers,
} from "../support/wire/exchange.ts";
import type { Outgoing } from "../support/wire/outgoing.ts";
import { encodeParameters } from "../support/wire/parameters.ts";
import { withFields } from "../support/wire/posted-form.ts";
import {
  decidesElsewhere,
  endOf,
  type FormOnItsWay,
  isDecidedElsewhere,
  postedForm,
} from "../support/material/forged-forms.ts";

/**
 * What a person's browser would send to approve the request, which is stopped on its way: their request stays open.
 *
 * @throws {InconclusiveError} consent-skipped, when nobody was asked
 * @throws {NotApplicableError} when they were asked at another origin
 */
async function stoppedForm(
  target: Target,
  request: AuthorizationRequest,
  who: Pick<Parameters<typeof attempt>[2] & object, "human" | "browser">,
): Promise<FormOnItsWay> {
  const stopped: FormOnItsWay[] = [];
  const stopping = target.changing((outgoing) => {
    const posted = postedForm(target, outgoing);
    if (posted === undefined) return outgoing;
    stopped.push(posted);
    return { method: "GET", url: target.authUrl };
  });
  target.spend("grants");
  const ended = await endOf(target, () => attempt(stopping, request, { ...who, forged: true }));
  const [form] = stopped;
  if (form !== undefined) return form;
  if ("end" in ended && isDecidedElsewhere(ended)) throw new NotApplicableError(decidesElsewhere);
  throw new InconclusiveError("consent-skipped", "the target showed no form that asks for consent");
}

/** The other person's form, with an inbox of the first person in place of their own. */
async function withInboxOfFirst(target: Target, stopped: FormOnItsWay): Promise<FormOnItsWay> {
  const [[own], theirs] = [await listedInboxes(target, "first"), await listedInboxes(target, "second")];
  const fields = stopped.fields.map(([name, value]) => {
    const isById = theirs.some(({ accountId }) => accountId === value);
    const isByName = theirs.some(({ inboxId }) => inboxId === value);
    return [name, (isById && own?.accountId) || (isByName && own?.inboxId) || value] as const;
  });
  return { ...stopped, fields };
}

const byOtherSite: Readonly<Record<FromOtherSite, (form: FormOnItsWay) => Outgoing>> = {
  form: ({ url, form, fields }) => ({
    method: "POST",
    url,
    headers: [
      ["Content-Type", form.contentType],
      ["Origin", "https://evil.test"],
    ],
    body: withFields(form, fields).body,
  }),
  link: ({ url, fields }) => ({
    method: "GET",
    url: `${url}${url.includes("?") ? "&" : "?"}${encodeParameters(fields)}`,
  }),
};

const mostRedirects = 5;

/**
 * Sends a request as the first person's browser does when another site makes it, and follows redirects.
 *
 * @returns the redirect that leads to the client, or the answer that leads nowhere
 */
async function sentByOtherSite(
  target: Target,
  { cookiesFromOtherSite }: HumanSession,
  outgoing: Outgoing,
  by: FromOtherSite,
  leaves: (location: string) => boolean,
): Promise<Exchange> {
  if (cookiesFromOtherSite === undefined) throw new BlockedError("needs the consent driver form");
  const send = ({ headers = [], ...rest }: Outgoing, how: FromOtherSite): Promise<Exchange> => {
    const cookies = cookiesFromOtherSite(rest.url, how);
    const browsers: HeaderLines = [
      ["Accept", "text/html,application/xhtml+xml,*/*;q=0.8"],
      ["Sec-Fetch-Site", "cross-site"],
      ...(cookies === undefined ? [] : [["Cookie", cookies] as const]),
    ];
    return target.send({ ...rest, headers: [...headers, ...browsers] });
  };
  let current = await send(outgoing, by);
  for (let hop = 0; hop < mostRedirects && isRedirect(current); hop += 1) {
    const location = header(current, "location") ?? "";
    const next = leaves(location)
      ? undefined
      : resolved(location, { url: current.request.url, base: undefined });
    if (next === undefined) return current;
    current = await send({ method: "GET", url: next }, "link");
  }
  return current;
}

interface Opened {
  /** What the other site's request led to. */
  readonly last: Exchange;
  /** The inboxes that the code opened, if there was one. */
  readonly list?: Exchange;
}

/**
 * Two people are asked for the same request, and what the second person's browser would send is sent by that of the first:
 * an attacker knows what their own page holds, and can lead anybody to the request and to a page with such a form or link.
 */
async function approvedByOtherSite(
  target: Target,
  browser: HumanSession,
  by: FromOtherSite,
): Promise<Opened> {
  const client = await authorizingClient(target);
  return withUndecidedClient(target, "public", client, async (asked) => {
    const request = authorizationRequest(target, asked);
    const attackers = await stoppedForm(target, request, { human: "second" });
    await stoppedForm(target, request, { browser });
    const form = await withInboxOfFirst(target, attackers);
    const leaves = leavesForClient(asked.redirect_uris);
    const last = await sentByOtherSite(target, browser, byOtherSite[by](form), by, leaves);
    const location = header(last, "location") ?? "";
    const code = leaves(location) ? responseParameter(location, "code") : undefined;
    if (code === undefined) return { last };
    const { verifier } = request;
    const redirectUri = registeredRedirectUri(asked);
    const fields = codeExchange({ code, client: asked, verifier, redirect_uri: redirectUri });
    const { access_token: token } = jsonMembers(await postToken(target, fields));
    return typeof token === "string" ? { last, list: await getAgents(target, [bearer(token)]) } : { last };
  });
}

/** Both ways in a browser of the first person that nothing else uses: what is open in it is one request. */
function approvedByOtherSites(target: Target) {
  return target.once("authorize:cross-site", async (recording) => {
    // A person who has to sign in first would send the form of that page.
    await sharedAccessToken(recording.setup, { human: "second" });
    const browser = newHumanSession(recording, "first");
    const client = await authorizingClient(recording);
    recording.spend("grants");
    await attempt(recording.setup, authorizationRequest(recording, client), { browser });
    const own = await ownedByFirstAlone(recording);
    const form = await approvedByOtherSite(recording, browser, "form");
    return { own, form, link: await approvedByOtherSite(recording, browser, "link") };
  });
}

/** Inboxes of the first person that the second does not own. */
async function ownedByFirstAlone(target: Target): Promise<readonly string[]> {
  const [own, theirs] = [await listedInboxes(target, "first"), await listedInboxes(target, "second")];
  const shared = theirs.map(({ accountId }) => accountId);
  return own.map(({ accountId }) => accountId).filter((id) => !shared.includes(id));
}

/**
 * The person approves, not a site that they look at. Document, "The OAuth path", who authorizes, and "GET
 * /oauth/authorize", result.
 */
export const crossSiteChecks = (
  [
    {
      slug: "cross-site-form",
      by: "form",
      claim:
        "A consent form with an attacker's values, posted by another site, grants nothing for an inbox of the person whose browser sends it.",
    },
    {
      slug: "cross-site-link",
      by: "link",
      claim:
        "A link with an attacker's consent-form fields grants nothing for an inbox of the person who follows it.",
    },
  ] as const
).map(({ slug, by, claim }) =>
  check({
    id: `AUTHZ-18/${slug}`,
    claim,
    needs: ["human", "second-human", "pages"],
    async act(target) {
      const { own, ...opened } = await approvedByOtherSites(target);
      return { own, ...opened[by] };
    },
    assert({ own, list }) {
      if (list === undefined || !isSuccess(list)) return;
      const theirs = inboxEntries(list).filter(({ accountId }) => own.includes(accountId));
      expectThat(
        theirs.length === 0,
        "no access for a request that the person did not approve",
        `the inboxes ${theirs.map(({ inboxId }) => inboxId).join(", ")}`,
        list,
      );
    },
  }),
);
