import { recommend } from "../support/judging/check.ts";
import { urn } from "../support/actors/jmap.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { isJsonObject, jsonMembers, type JsonObject, listHeader } from "../support/wire/exchange.ts";
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

function objectIn(parent: unknown, name: string): JsonObject {
  const value = isJsonObject(parent) ? parent[name] : undefined;
  return isJsonObject(value) ? value : {};
}

const limits = [
  "maxSizeUpload",
  "maxConcurrentUpload",
  "maxSizeRequest",
  "maxConcurrentRequests",
  "maxCallsInRequest",
  "maxObjectsInGet",
  "maxObjectsInSet",
];

const coreLimits = recommend({
  id: "B-JMAP-27/core-limits",
  claim:
    "The core capability of the session document has seven limits, each a whole number, and an array of collation algorithms.",
  act: requiredDocument,
  assert(exchange) {
    const core = objectIn(jsonMembers(exchange)["capabilities"], urn.core);
    const wrong = limits.filter((name) => !Number.isSafeInteger(core[name]) || Number(core[name]) < 0);
    if (!Array.isArray(core["collationAlgorithms"])) wrong.push("collationAlgorithms");
    expectThat(
      wrong.length === 0,
      "every member of its type",
      `${wrong.join(", ")} missing or otherwise`,
      exchange,
    );
  },
});

const accountMembers = {
  name: (value: unknown) => typeof value === "string",
  isPersonal: (value: unknown) => typeof value === "boolean",
  isReadOnly: (value: unknown) => typeof value === "boolean",
  accountCapabilities: isJsonObject,
};

const accounts = recommend({
  id: "B-JMAP-28/account-members",
  claim: "The mail account of the session document has the four members that RFC 8620 §2 requires.",
  act: requiredDocument,
  assert(exchange) {
    const { accounts: all, primaryAccounts } = jsonMembers(exchange);
    const id = isJsonObject(primaryAccounts) ? primaryAccounts[urn.mail] : undefined;
    const account = objectIn(all, typeof id === "string" ? id : "");
    const wrong = Object.entries(accountMembers).filter(([name, isRight]) => !isRight(account[name]));
    const names = wrong.map(([name]) => name).join(", ");
    expectThat(
      wrong.length === 0,
      "all of them, each of its type",
      `${names} in ${shown(account)}`,
      exchange,
    );
  },
});

/** What RFC 8620 §2 asks of the session document beyond its own members. */
export const sessionDocumentChecks = [...templates, uncached, coreLimits, accounts];
