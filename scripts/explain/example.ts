import { indented, keyExchanges, wireParts } from "../../reports/evidence.ts";
import type { Check } from "../../suites/support/judging/check.ts";
import type { Catalogue } from "../conformance/catalogue.ts";
import { judgeOnce } from "../conformance/judge-once.ts";
import { startEmbeddedService } from "../embedded-service.ts";

/** What a check sends to the reference service, and what that answers. */
export async function exampleLines(check: Check, catalogue: Catalogue): Promise<string[]> {
  const embedded = await startEmbeddedService();
  try {
    const { run } = await judgeOnce(embedded.profile, [check], { catalogue, isEmbedded: true });
    const [judged] = run.checks;
    if (judged === undefined) return ["", "the reference service could not be judged with it"];
    const shown = keyExchanges(judged, run);
    return [
      "",
      `the reference service: ${judged.verdict}${judged.reason === undefined ? "" : `, ${judged.reason}`}`,
      ...shown.flatMap(({ exchange, role, isBeginning }) => {
        const { sent, received } = wireParts(exchange, isBeginning);
        return [`  ${role}`, ...indented(indented([...sent, ...received]))];
      }),
    ];
  } finally {
    await embedded.stop();
  }
}
