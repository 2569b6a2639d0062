import { expect, test } from "vitest";
import { missingCyrus } from "../../fixtures/test-servers/cyrus.ts";
import { nameWhatIsMissing } from "../../fixtures/service/name-what-is-missing.ts";
import { restartsTarget } from "../../suites/support/judging/check.ts";
import { suites } from "../suites.ts";
import known from "./cyrus-results.json" with { type: "json" };
import { judgeWithCyrus } from "./judge-with-cyrus.ts";

const missing = missingCyrus();
nameWhatIsMissing("all checks with the mail in Cyrus IMAP", missing);

// A service in this process cannot be restarted.
const checks = suites.flatMap((suite) => suite.checks).filter((check) => !restartsTarget(check));

test.skipIf(missing !== undefined)(
  "with Cyrus IMAP as its store the service conforms, but for what is known of Cyrus",
  { timeout: 1_800_000 },
  async () => {
    const others = await judgeWithCyrus(checks);
    for (const [id, reason] of others) expect.soft(known, `${id}: ${reason}`).toHaveProperty([id]);
    expect([...others.keys()].toSorted()).toEqual(Object.keys(known).toSorted());
  },
);
