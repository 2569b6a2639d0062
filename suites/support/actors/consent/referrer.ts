import { type Exchange, headerValues } from "../../wire/exchange.ts";

/** W3C Referrer Policy §3. */
const policies = [
  "no-referrer",
  "no-referrer-when-downgrade",
  "same-origin",
  "origin",
  "strict-origin",
  "origin-when-cross-origin",
  "strict-origin-when-cross-origin",
  "unsafe-url",
] as const;

export type ReferrerPolicy = (typeof policies)[number];

/** Of browsers, where a page has none of its own. */
export const defaultReferrerPolicy: ReferrerPolicy = "strict-origin-when-cross-origin";

const metaPolicy = /<meta\b(?=[^>]*\bname\s*=\s*["']?referrer\b)[^>]*\bcontent\s*=\s*["']?([\w-]+)/iu;

/** The policy of a page: that of its element, else the last one of its header that browsers know; undefined for none. */
export function referrerPolicyOf(page: Exchange): ReferrerPolicy | undefined {
  const inHeader = headerValues(page, "referrer-policy").flatMap((value) => value.split(","));
  const inPage = metaPolicy.exec(page.response.body)?.[1] ?? "";
  return [...inHeader, inPage].map((value) => value.trim().toLowerCase()).findLast(isPolicy);
}

function isPolicy(value: string): value is ReferrerPolicy {
  return policies.some((policy) => policy === value);
}

/** What a browser sends as Referer on its way from a page; undefined for nothing. W3C Referrer Policy §8.3. */
export function refererFor(policy: ReferrerPolicy, from: string, to: string): string | undefined {
  const [page, next] = [new URL(from), new URL(to)];
  const isSameOrigin = page.origin === next.origin;
  const isDowngrade = page.protocol === "https:" && next.protocol !== "https:";
  const origin = `${page.origin}/`;
  page.username = page.password = page.hash = "";
  switch (policy) {
    case "no-referrer":
      return undefined;
    case "no-referrer-when-downgrade":
      return isDowngrade ? undefined : page.href;
    case "same-origin":
      return isSameOrigin ? page.href : undefined;
    case "origin":
      return origin;
    case "strict-origin":
      return isDowngrade ? undefined : origin;
    case "origin-when-cross-origin":
      return isSameOrigin ? page.href : origin;
    case "strict-origin-when-cross-origin":
      if (isSameOrigin) return page.href;
      return isDowngrade ? undefined : origin;
    case "unsafe-url":
      return page.href;
  }
}
