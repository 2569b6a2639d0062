import { withoutCode } from "../support/judging/expected-code.ts";
import { attempt, type Attempt, codeIn } from "../support/actors/authorization.ts";
import { authorizationRequest } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { authorizingClient } from "../support/material/controls.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { type Warning, warning } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { replacing } from "../support/wire/parameters.ts";
import { expectNoRedirect } from "../support/judging/refusals.ts";
import { clientWith } from "./client-with.ts";

const uris = Array.from({ length: 12 }, (_, at) => `https://cb.example.test/many/${at}`);

// A parser that writes it again writes it in another way.
const spelledUri = "https://cb.example.test/spelled?x=a%20b&flag&y=%7e";

// Some stores keep the list as one text.
const uriWithComma = "https://cb.example.test/joined,other";

const unusualUris = [
  { slug: "comma", uri: uriWithComma },
  { slug: "ipv6-loopback", uri: "http://[::1]:8123/cb" },
];

const withQuery = (query: string): string => `https://cb.example.test/repeated?${query}`;

/** What the location has for each name of the registered query: the values of a name in their order, the names in any. */
function queryKept(location: string, registered: string): readonly string[] {
  const sent = URL.parse(location)?.searchParams;
  const own = new Set(new URL(registered).searchParams.keys());
  return [...own].flatMap((name) => (sent?.getAll(name) ?? []).map((value) => `${name}=${value}`));
}

/** @throws {Violation} where there is no redirect with a code */
function locationWithCode(seen: Attempt): string {
  const { end } = seen;
  if (codeIn(end) !== undefined && end.kind === "redirect") return end.location;
  throw withoutCode(seen);
}

/** Each of the registered ones counts, and the response goes to it as it is. Document, "Endpoints", authorize parameters. */
export const manyUriChecks = [
  check({
    id: "REDIR-01/spelled-query",
    claim:
      "The response goes to a registered `redirect_uri` whose query has an escaped space, a name without a value and an escape that is not needed, byte for byte.",
    needs: ["human"],
    async act(target) {
      await authorizingClient(target);
      const client = await clientWith(target, spelledUri);
      target.spend("grants");
      return attempt(target, authorizationRequest(target, client));
    },
    assert(seen): Warning | undefined {
      const location = locationWithCode(seen);
      if (location.startsWith(`${spelledUri}&`)) return undefined;
      const isSame = location.startsWith(`${spelledUri.split("?", 1).join("")}?`);
      expectThat(
        isSame,
        `a Location of ${spelledUri} with more parameters`,
        shown(location),
        seen.end.exchange,
      );
      return warning("the query of the registered redirect_uri is spelled in another way");
    },
  }),
  check({
    id: "REDIR-01/repeated-name",
    claim:
      "The response to a registered `redirect_uri` whose query has one name twice has both of its values, in their order, and its other name.",
    needs: ["human"],
    async act(target) {
      await authorizingClient(target);
      const registered = withQuery("a=1&a=2&b=3");
      const client = await clientWith(target, registered);
      const unrepeated = withQuery("a=1&b=3");
      const other = await clientWith(target, unrepeated);
      target.spend("grants");
      target.spend("grants");
      const control = await attempt(target.control, authorizationRequest(target, other));
      const kept = control.end.kind === "redirect" && queryKept(control.end.location, unrepeated).join();
      if (kept !== "a=1,b=3")
        throw controlRefused(
          "an authorization request with a query in its redirect_uri",
          "a redirect with that query",
          control.end.exchange,
          "REDIR-01/spelled-query",
        );
      return { seen: await attempt(target, authorizationRequest(target, client)), registered };
    },
    assert({ seen, registered }) {
      const kept = queryKept(locationWithCode(seen), registered);
      explained("REDIR-01/spelled-query", () =>
        expectThat(kept.join() === "a=1,a=2,b=3", "a=1, a=2 and b=3", shown(kept), seen.end.exchange),
      );
    },
  }),
  check({
    id: "REDIR-01/twelfth",
    claim: "The last of twelve `redirect_uris` that a registration takes gets a code.",
    needs: ["human"],
    async act(target) {
      await authorizingClient(target);
      const client = await clientWith(target, uris.at(-1) ?? "", uris.slice(0, -1));
      target.spend("grants");
      return attempt(target, authorizationRequest(target, client));
    },
    assert(seen) {
      if (codeIn(seen.end) === undefined) throw withoutCode(seen);
    },
  }),
  ...unusualUris.map(({ slug, uri }) =>
    check({
      id: `REDIR-01/${slug}`,
      claim: `The registered \`redirect_uri\` \`${uri}\` gets a code; a registration may refuse or change it.`,
      needs: ["human"],
      async act(target) {
        await authorizingClient(target);
        const client = await clientWith(target, uri);
        target.spend("grants");
        return attempt(target, authorizationRequest(target, client));
      },
      assert(seen) {
        const location = locationWithCode(seen);
        expectThat(
          location.startsWith(`${uri}?`),
          `a Location of ${uri}`,
          shown(location),
          seen.end.exchange,
        );
      },
    }),
  ),
  check({
    id: "REDIR-03/before-comma",
    claim:
      "The part before the comma of a registered `redirect_uri` that has one is refused without a redirect.",
    async act(target) {
      await authorizingClient(target);
      const client = await clientWith(target, uriWithComma);
      const [part = ""] = uriWithComma.split(",", 1);
      const { parameters } = authorizationRequest(target, client);
      return attempt(target, { client, parameters: replacing(parameters, "redirect_uri", part) });
    },
    assert: (seen) => explained("REDIR-05/other-path", () => expectNoRedirect(seen)),
  }),
];
