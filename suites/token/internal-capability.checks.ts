import { randomUUID } from "node:crypto";
import { check } from "../support/judging/check.ts";
import { type Exchange, headerValues, summary } from "../support/wire/exchange.ts";
import { expectThat } from "../support/judging/expect.ts";
import { sharedAccessToken } from "../support/material/grants.ts";
import { inboxOf } from "../support/material/inboxes.ts";
import { inboxQuery, jmapAs, jmapBody, requireServed } from "../support/actors/jmap.ts";

const bodies: readonly { slug: string; words: string; body: string }[] = [
  { slug: "served", words: "a request that is served", body: inboxQuery },
  {
    slug: "method-error",
    words: "a request with an unknown method",
    body: jmapBody([["Mailproof/unknown", {}, "0"]]),
  },
  { slug: "malformed", words: "a body that is no JSON", body: "{" },
];

// Three base64url parts, the first of which decodes to what begins with {".
const jwtLike = /eyJ[\w-]*\.[\w-]+\.[\w-]*/gu;

/** What the response shows of any other credential than the request's own. */
function leaks({ response, request }: Exchange): string[] {
  const sent = request.headers.find(([name]) => name === "Authorization")?.[1] ?? "";
  const places = [
    ...response.headers.map(([name, value]) => ({ place: `header ${name}`, text: value })),
    { place: "body", text: response.body },
  ];
  return places
    .filter(({ text }) => (text.match(jwtLike) ?? []).some((found) => !sent.includes(found)))
    .map(({ place }) => place);
}

function expectNoCredential(exchange: Exchange): void {
  const [credential] = headerValues(exchange, "authorization");
  expectThat(credential === undefined, "no Authorization header", `${summary(exchange)} with one`);
  const found = leaks(exchange);
  expectThat(
    found.length === 0,
    "nothing like a JWT but the request's own token",
    `one in ${found.join(", ")}`,
  );
}

const cases = [
  ...bodies.map((row) => ({ ...row, inbox: inboxOf })),
  {
    slug: "unknown-inbox",
    words: "a request for an inbox that nobody has",
    body: inboxQuery,
    inbox: async () => randomUUID(),
  },
];

export const internalCapabilityChecks = cases.map(({ slug, words, body, inbox }) =>
  check({
    id: `TOKEN-24/${slug}`,
    claim: `The response of JMAP to ${words} carries no other credential than the request's.`,
    needs: ["human"],
    async act(target) {
      const token = await sharedAccessToken(target);
      const exchange = await jmapAs(target, token, await inbox(target), body);
      requireServed(await jmapAs(target, token, await inboxOf(target), inboxQuery), "a JMAP request");
      return exchange;
    },
    assert: expectNoCredential,
  }),
);
