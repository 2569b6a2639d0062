import { codeExchange, postToken, unguessable } from "../support/actors/oauth-client.ts";
import { browserAccept } from "../support/actors/browser-accept.ts";
import { check } from "../support/judging/check.ts";
import { isRefusal, shown } from "../support/judging/expect.ts";
import { redeemableCode } from "../support/material/controls.ts";
import type { Target } from "../support/target/target.ts";
import { type Warning, Violation, warning } from "../support/verdict.ts";
import { isHtml, jsonMembers, mediaType, summary } from "../support/wire/exchange.ts";
import { type Parameters, replacing, without } from "../support/wire/parameters.ts";

/** The target, asked for HTML as a browser asks, where the token endpoint is asked. */
function askedByBrowser(target: Target): Target {
  return target.changing((outgoing) => ({
    ...outgoing,
    headers: [...(outgoing.headers ?? []).filter(([name]) => name.toLowerCase() !== "accept"), browserAccept],
  }));
}

const flaws: readonly {
  slug: string;
  words: string;
  apply: (fields: Parameters) => Parameters;
}[] = [
  { slug: "code", words: "an unknown code", apply: (fields) => replacing(fields, "code", unguessable()) },
  {
    slug: "client",
    words: "an unknown `client_id`",
    apply: (fields) => replacing(fields, "client_id", `unknown-${unguessable()}`),
  },
  { slug: "request", words: "no `grant_type`", apply: (fields) => without(fields, "grant_type") },
];

/**
 * Who asks changes nothing of the form of an error. Document, "Resources", OAuth error body. A page for a client that asked for
 * one is what RFC 9110 §12 allows, and worth a warning: no OAuth client reads it.
 */
export const acceptHtmlChecks = flaws.map(({ slug, words, apply }) =>
  check({
    id: `ERR-01/accept-html-${slug}`,
    claim: `A token request with ${words} and the \`Accept\` of a browser is refused, with JSON strings \`error\` and \`error_description\` or a page.`,
    needs: ["human"],
    act: async (target) =>
      postToken(askedByBrowser(target), apply(codeExchange(await redeemableCode(target)))),
    assert(exchange): Warning | undefined {
      if (exchange.response.status === 406) return warning("a client that prefers HTML is answered 406");
      if (isHtml(exchange) && isRefusal(exchange))
        return warning("a client that prefers HTML is refused with a page");
      const { error, error_description: description } = jsonMembers(exchange);
      const hasBoth = typeof error === "string" && typeof description === "string";
      if (hasBoth && isRefusal(exchange)) return undefined;
      const seen = `${summary(exchange)} (${mediaType(exchange) || "no media type"}), error ${shown(error)}`;
      throw new Violation("a refusal in JSON with strings error and error_description", seen, { exchange });
    },
  }),
);
