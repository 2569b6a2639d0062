import { codeIn } from "../support/actors/authorization.ts";
import { check } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { expectAuthorizationRefused } from "../support/judging/refusals.ts";
import { type Warning, Violation, warning } from "../support/verdict.ts";
import { jsonMembers } from "../support/wire/exchange.ts";
import type { Target } from "../support/target/target.ts";
import { askingFor, expectGranted, grantFor } from "./authorizations.ts";
import { scopesIn } from "./scoped-tokens.ts";

const known = ["mail.read", "mail.send"];
const refusals = ["invalid_scope", "invalid_request"];

/** Both scopes with something else than a space between them. */
const separators: readonly {
  slug: string;
  words: string;
  separator: string;
  /** Frameworks split at any white space, which RFC 6749 §3.3 keeps out of scopes. */
  isWhiteSpace?: true;
}[] = [
  // Comma and plus sign may stand in a scope (RFC 6749 §3.3), so that these name one unknown scope.
  { slug: "comma", words: "a comma", separator: "," },
  { slug: "semicolon", words: "a semicolon", separator: ";" },
  { slug: "plus", words: "an encoded plus sign", separator: "+" },
  { slug: "tab", words: "a tab", separator: "\t", isWhiteSpace: true },
  { slug: "line-feed", words: "a line feed", separator: "\n", isWhiteSpace: true },
];

const otherSeparators = separators.map(({ slug, words, separator, isWhiteSpace }) =>
  check({
    id: `SCOPE-08/${slug}-between`,
    claim: `A request for both scopes with ${words} between them is refused with \`invalid_scope\` or \`invalid_request\`.`,
    act: async (target) => askingFor(target, known.join(separator)),
    assert({ seen, exchange }): Warning | undefined {
      if (codeIn(seen.end) === undefined) return expectAuthorizationRefused(seen, refusals);
      const { scope } = exchange === undefined ? {} : jsonMembers(exchange);
      if (isWhiteSpace && scopesIn(String(scope)).every((name) => known.includes(name)))
        return warning(`granted: ${words} is taken for a space`);
      throw new Violation(`a refusal with ${refusals.join(" or ")}`, "a code was issued", {
        exchange: seen.end.exchange,
        explainedBy: "SCOPE-08/mail-admin",
      });
    },
  }),
);

/** The target, sent the space between both scopes as forms encode it. */
function withPlus(target: Target): Target {
  return target.changing(({ url, ...outgoing }) => ({
    ...outgoing,
    url: url.replace("mail.read%20mail.send", "mail.read+mail.send"),
  }));
}

const plus = check({
  id: "SCOPE-04/plus-in-query",
  claim:
    "A request whose query has a `+` for the space between both scopes, as forms encode it, is granted both.",
  needs: ["human"],
  act: async (target) => grantFor(target, known.join(" "), withPlus(target)),
  // RFC 6749 §4.1.1 and Appendix B: the query is encoded as a form.
  assert(grant) {
    explained("SCOPE-04", () => {
      const granted = expectGranted(grant).toSorted();
      expectThat(granted.join(" ") === known.join(" "), "both scopes", shown(granted), grant.exchange);
    });
  },
});

/** Scopes are separated by spaces alone, however a space is encoded. Document, "Endpoints", authorize parameters. */
export const separatorChecks = [...otherSeparators, plus];
