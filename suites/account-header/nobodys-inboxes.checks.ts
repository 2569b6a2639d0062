import { randomUUID } from "node:crypto";
import { check, observe } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { foreignInbox, listedInboxes } from "../support/material/inboxes.ts";
import { firstDistinct } from "../support/material/mutations.ts";
import type { Target } from "../support/target/target.ts";
import { type Warning, warning } from "../support/verdict.ts";
import { summary } from "../support/wire/exchange.ts";
import { expectDenied, foreignDenied, unknownDenied } from "./denied.ts";
import { expectRefusedWith, selectingValue, servedSelection } from "./selection.ts";
import { versionAt } from "./uuid-forms.ts";

const nobodys = [
  { slug: "nil", words: "the nil UUID", value: "00000000-0000-0000-0000-000000000000" },
  { slug: "max", words: "the max UUID", value: "ffffffff-ffff-ffff-ffff-ffffffffffff" },
].map(({ slug, words, value }) =>
  check({
    id: `HDR-10/${slug}`,
    claim: `The account header with ${words} is refused with 400 or 403.`,
    needs: ["human"],
    async act(target) {
      const { token } = await servedSelection(target);
      return selectingValue(target, token, value);
    },
    assert: (exchange) => expectRefusedWith(exchange, [400, 403], { status: unknownDenied }),
  }),
);

const unowned = [
  {
    id: unknownDenied,
    words: "an owned UUID whose last digit was changed",
    value: nearMissOf,
    explainedBy: foreignDenied,
  },
  {
    id: "HDR-12/other-beginning",
    words: "an owned UUID whose first digit was changed",
    value: otherBeginningOf,
    explainedBy: unknownDenied,
  },
].map(({ id, words, value, explainedBy }) =>
  check({
    id,
    claim: `The account header with ${words} is refused with 403 \`access_denied\`.`,
    needs: ["human"],
    async act(target) {
      const { token, accountId } = await servedSelection(target);
      return selectingValue(target, token, await value(accountId, target));
    },
    assert: (exchange) => explained(explainedBy, () => expectDenied(exchange)),
  }),
);

const otherVersions = [1, 4, 7].map((version) =>
  check({
    id: version === 4 ? "HDR-10/random" : `HDR-12/version-${version}`,
    claim: `The account header with a UUID of version ${version} that nobody has is refused with 403 \`access_denied\`.`,
    needs: ["human"],
    async act(target) {
      const { token, accountId } = await servedSelection(target);
      const isOwnVersion = accountId[versionAt] === String(version);
      return {
        exchange: await selectingValue(target, token, ofVersion(version, randomUUID())),
        isOwnVersion,
      };
    },
    assert({ exchange, isOwnVersion }): Warning | undefined {
      // Whether a UUID of a version that no inbox has is in the format, nobody says (C-16).
      if (!isOwnVersion && exchange.response.status === 400)
        return warning(`a UUID of this version is refused as malformed: ${summary(exchange)}`);
      explained(unknownDenied, () => expectDenied(exchange));
      return undefined;
    },
  }),
);

/** The UUID with another version, its variant and everything else unchanged. */
function ofVersion(version: number, uuid: string): string {
  return uuid.slice(0, versionAt) + version + uuid.slice(versionAt + 1);
}

/** The UUID with another last digit, or the one before, that is no other inbox of the person. */
async function nearMissOf(uuid: string, target: Target): Promise<string> {
  const digits = [..."78019a"];
  const candidates = [
    ...digits.map((digit) => uuid.slice(0, -1) + digit),
    ...digits.map((digit) => uuid.slice(0, -2) + digit + uuid.slice(-1)),
  ];
  const owned = (await listedInboxes(target)).map((entry) => entry.accountId);
  return firstDistinct(uuid, candidates, "UUIDs of inboxes", owned);
}

/** The UUID with another first digit that is no other inbox of the person. */
async function otherBeginningOf(uuid: string, target: Target): Promise<string> {
  const candidates = [..."78019a"].map((digit) => digit + uuid.slice(1));
  const owned = (await listedInboxes(target)).map((entry) => entry.accountId);
  return firstDistinct(uuid, candidates, "UUIDs of inboxes", owned);
}

const existence = observe({
  id: "HDR-12/existence",
  question: "Do the refusals for another person's inbox and for an `accountId` that nobody has differ?",
  needs: ["human", "second-human"],
  async act(target) {
    const { token } = await servedSelection(target);
    return [
      await selectingValue(target, token, await foreignInbox(target)),
      await selectingValue(target, token, randomUUID()),
    ] as const;
  },
  answer([foreign, unknown]) {
    const isSame =
      foreign.response.status === unknown.response.status && foreign.response.body === unknown.response.body;
    return isSame ? "no" : `yes: ${summary(foreign)} and ${summary(unknown)}, bodies differ`;
  },
});

/** UUIDs of no inbox at all. Document, "JMAP API", account header, and "Errors". */
export const nobodysInboxChecks = [...nobodys, ...unowned, ...otherVersions, existence];
