import { withoutCode } from "../support/judging/expected-code.ts";
import { attempt, type Attempt, codeIn } from "../support/actors/authorization.ts";
import { authorizationRequest } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { expectNoRedirect } from "../support/judging/refusals.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { replacing } from "../support/wire/parameters.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { clientWith, privateUse } from "./client-with.ts";

/** Spellings that a URL parser, or one library or another, does not keep. */
const unusualSpellings = [
  {
    slug: "default-port",
    uri: "https://cb.example.test:443/port",
    words: "that spells out its default port",
  },
  { slug: "empty-query", uri: "https://cb.example.test/empty-query?", words: "that ends in a question mark" },
  {
    slug: "upper-case-host",
    uri: "https://CB.Example.test/upper-case",
    words: "with capital letters in its host",
  },
  // Beyond what a column of 255 characters keeps.
  {
    slug: "long",
    uri: `https://cb.example.test/long/${"0123456789".repeat(25)}`,
    words: "of some 280 characters",
  },
].map(({ slug, uri, words }) =>
  check({
    id: `REDIR-01/${slug}`,
    claim: `A registered \`redirect_uri\` ${words} gets a code there, unless the registration refuses or changes it.`,
    needs: ["human"],
    async act(target) {
      const client = await clientWith(target, uri);
      target.spend("grants");
      return attempt(target, authorizationRequest(target, client));
    },
    assert(seen) {
      const { end } = seen;
      const isThere = end.kind === "redirect" && isSamePlace(end.location, uri);
      if (codeIn(end) === undefined) throw withoutCode(seen, `a code at ${uri}`);
      expectThat(isThere, `a code at ${uri}`, "one elsewhere", end.exchange);
    },
  }),
);

/** Whoever appends the response with a URL parser writes the address otherwise, which leads to the same place. */
function isSamePlace(location: string, uri: string): boolean {
  const [to, registered] = [URL.parse(location), URL.parse(uri)];
  return to !== null && to.origin === registered?.origin && to.pathname === registered.pathname;
}

/** Registered URIs with a character that stands for any other in a pattern of SQL, of a shell, or in a regular expression. */
const wildcards = [
  { slug: "underscore", words: "an underscore", path: "/under_score", other: "/underXscore" },
  { slug: "asterisk", words: "an asterisk", path: "/aster*sk", other: "/asterixsk" },
  { slug: "dot", words: "a dot", path: "/cb.php", other: "/cbXphp" },
].map(({ slug, words, path, other }) =>
  check({
    id: `REDIR-05/${slug}`,
    claim: `A \`redirect_uri\` that differs from a registered one where that has ${words} is refused without a redirect, unless the registration refuses that.`,
    async act(target): Promise<Attempt> {
      // A target that refuses everything refuses this registration too.
      await authorizingClient(target);
      const client = await clientWith(target, `https://cb.example.test${path}`);
      const { parameters } = authorizationRequest(target, client);
      return attempt(target, {
        client,
        parameters: replacing(parameters, "redirect_uri", `https://cb.example.test${other}`),
      });
    },
    assert: (seen) => expectNoRedirect(seen),
  }),
);

/** A URL parser gives an address without a path the path `/`. */
const emptyPaths = [
  {
    slug: "root-added",
    registered: "https://root.example.test",
    sent: "https://root.example.test/",
    words: "that has the path `/` where the registered one has none",
  },
  {
    slug: "root-left-out",
    registered: "https://root.example.test/",
    sent: "https://root.example.test",
    words: "that has no path where the registered one has `/`",
  },
].map(({ slug, registered, sent, words }) =>
  check({
    id: `REDIR-06/${slug}`,
    claim: `A \`redirect_uri\` ${words} is refused without a redirect, unless the registration refuses or changes it.`,
    async act(target): Promise<Attempt> {
      await authorizingClient(target);
      const client = await clientWith(target, registered);
      const { parameters } = authorizationRequest(target, client);
      return attempt(target, { client, parameters: replacing(parameters, "redirect_uri", sent) });
    },
    assert: (seen) => explained("REDIR-06/slash-added", () => expectNoRedirect(seen)),
  }),
);

const privateUseSchemes = [
  {
    id: "REDIR-03/private-use-scheme",
    words: "with another path than the registered one",
    sent: `${privateUse}/other`,
  },
  { id: "REDIR-06/private-use-scheme", words: "with a slash added", sent: `${privateUse}/` },
  {
    id: "REDIR-07/private-use-scheme",
    words: "with its path in upper case",
    sent: privateUse.replace("/cb", "/CB"),
  },
  {
    id: "REDIR-07/private-use-scheme-case",
    words: "with a part of its scheme in upper case",
    sent: privateUse.replace("com.", "COM."),
  },
].map(({ id, words, sent }) =>
  check({
    id,
    claim: `A \`redirect_uri\` of a private-use scheme ${words} is refused without a redirect, unless no client can register such a scheme.`,
    async act(target): Promise<Attempt> {
      // A target that refuses everything refuses this registration too.
      await authorizingClient(target);
      const client = await clientWith(target, privateUse);
      const { parameters } = authorizationRequest(target, client);
      return attempt(target, { client, parameters: replacing(parameters, "redirect_uri", sent) });
    },
    assert: (seen) => expectNoRedirect(seen),
  }),
);

/** What was registered is compared, not what a URL parser makes of it. Document, "Endpoints", authorize parameters. */
export const registeredSpellingChecks = [
  ...unusualSpellings,
  ...emptyPaths,
  ...privateUseSchemes,
  ...wildcards,
  check({
    id: "AUTHZ-13/private-use-scheme",
    claim:
      "`iss` of a successful authorization response to a `redirect_uri` of a private-use scheme is `{auth_url}`, unless no client can register such a scheme.",
    needs: ["human"],
    async act(target) {
      const client = await clientWith(target, privateUse);
      target.spend("grants");
      const { end } = await attempt(target, authorizationRequest(target, client));
      // That it gets a code at all is not the subject: a target may lead to such schemes with a page.
      if (end.kind !== "redirect" || codeIn(end) === undefined)
        throw new NotApplicableError(`no redirect to ${privateUse} carries a code`);
      return { end, issuer: target.authUrl };
    },
    assert({ end, issuer }) {
      const iss = URL.parse(end.location)?.searchParams.get("iss");
      explained("AUTHZ-13/success", () =>
        expectThat(iss === issuer, `iss ${shown(issuer)}`, shown(iss), end.exchange),
      );
    },
  }),
];
