import type { NearMiss } from "./near-miss.ts";

function surrounded(slug: string, words: string, before: string, after: string): NearMiss {
  return { requirement: "RES-17", slug, words, sent: ({ whole }) => before + whole + after };
}

/** What has nothing to do with a resource of this service. */
function unrelated(slug: string, words: string, sent: NearMiss["sent"]): NearMiss {
  return { requirement: "RES-18", slug, words: `replaced by ${words}`, sent };
}

/** The whole value wrapped, or something else altogether. */
export const valueNearMisses: readonly NearMiss[] = [
  surrounded("leading-space", "with a leading space", " ", ""),
  surrounded("trailing-space", "with a trailing space", "", " "),
  surrounded("tab", "with a trailing tab", "", "\t"),
  surrounded("line-feed", "with a trailing line feed", "", "\n"),
  surrounded("nul", "with a trailing NUL", "", "\0"),
  surrounded("zero-width-space", "with a trailing zero-width space", "", "\u200b"),
  surrounded("byte-order-mark", "with a leading byte order mark", "\ufeff", ""),
  surrounded("in-brackets", "in angle brackets", "<", ">"),
  unrelated("foreign-url", "`https://example.com/`", () => "https://example.com/"),
  unrelated("name-alone", "`jmap`", () => "jmap"),
  unrelated("path-alone", "`/jmap`", () => "/jmap"),
  unrelated("asterisk", "`*`", () => "*"),
  unrelated("urn-without-agent", "the start of the agent URN", (_jmap, { agentUrnPrefix }) =>
    agentUrnPrefix.replace(/:$/u, ""),
  ),
  unrelated("client-id", "the `client_id`", (_jmap, { clientId }) => clientId),
  unrelated(
    "authorization-server",
    "the address of the authorization server",
    (_jmap, { authUrl }) => authUrl,
  ),
];
