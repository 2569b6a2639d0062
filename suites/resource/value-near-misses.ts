import type { NearMiss } from "./near-miss.ts";

function surrounded(slug: string, words: string, before: string, behind: string): NearMiss {
  return { requirement: "RES-17", slug, words, sent: ({ whole }) => before + whole + behind };
}

/** What has nothing to do with a resource of this service. */
function unrelated(slug: string, value: NearMiss["sent"]): NearMiss {
  return { requirement: "RES-18", slug, words: `replaced by something else (${slug})`, sent: value };
}

/** The whole value wrapped, or something else altogether. */
export const valueNearMisses: readonly NearMiss[] = [
  surrounded("leading-space", "with a space before it", " ", ""),
  surrounded("trailing-space", "with a space behind it", "", " "),
  surrounded("tab", "with a tab behind it", "", "\t"),
  surrounded("line-feed", "with a line feed behind it", "", "\n"),
  surrounded("nul", "with a NUL behind it", "", "\0"),
  surrounded("zero-width-space", "with a zero-width space behind it", "", "\u200b"),
  surrounded("byte-order-mark", "with a byte order mark before it", "\ufeff", ""),
  surrounded("in-brackets", "in angle brackets", "<", ">"),
  unrelated("foreign-url", () => "https://example.com/"),
  unrelated("name-alone", () => "jmap"),
  unrelated("path-alone", () => "/jmap"),
  unrelated("asterisk", () => "*"),
  unrelated("urn-without-agent", (_jmap, { agentUrnPrefix }) => agentUrnPrefix.replace(/:$/u, "")),
  unrelated("client-id", (_jmap, { clientId }) => clientId),
  unrelated("authorization-server", (_jmap, { authUrl }) => authUrl),
];
