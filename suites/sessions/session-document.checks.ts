import { recommend } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { jsonMembers, listHeader } from "../support/wire/exchange.ts";
import { requiredDocument } from "./capabilities.checks.ts";

const templates = [
  { member: "downloadUrl", variables: ["accountId", "blobId", "type", "name"] },
  { member: "uploadUrl", variables: ["accountId"] },
  { member: "eventSourceUrl", variables: ["types", "closeafter", "ping"] },
].map(({ member, variables }) =>
  recommend({
    id: `B-JMAP-29/${member}`,
    claim: `\`${member}\` of the session document has ${variables.map((name) => `\`{${name}}\``).join(", ")}.`,
    act: requiredDocument,
    assert(exchange) {
      const template = jsonMembers(exchange)[member];
      const missing = variables.filter(
        (name) => typeof template !== "string" || !template.includes(`{${name}}`),
      );
      expectThat(missing.length === 0, "all of them", `none of the name ${missing.join(", ")}`, exchange);
    },
  }),
);

const uncached = recommend({
  id: "B-JMAP-30",
  claim: "The session document has `no-store` or `no-cache` in its `Cache-Control`.",
  act: requiredDocument,
  assert(exchange) {
    const directives = (listHeader(exchange, "cache-control") ?? "").toLowerCase().split(/[\s,]+/u);
    const isUncached = ["no-store", "no-cache"].some((name) => directives.includes(name));
    expectThat(
      isUncached,
      "one of them",
      listHeader(exchange, "cache-control") ?? "no Cache-Control",
      exchange,
    );
  },
});

/** What RFC 8620 §2 asks of the session document beyond its members. */
export const sessionDocumentChecks = [...templates, uncached];
