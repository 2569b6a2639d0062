import type { RunSuite } from "../../reports/run-format.ts";
import { sentenceOf } from "../../suites/support/judging/check.ts";
import type { Catalogue } from "./catalogue.ts";
import { sha256 } from "../sha256.ts";

/**
 * Tells what a run could judge, whichever way mailproof was installed: the code of a check is another text in a package than
 * in a clone, so the version of the suite stands for it.
 */
export function suiteDigests({
  suites,
  requirements,
}: Catalogue): Pick<RunSuite, "checksSha256" | "requirementsSha256"> {
  const checks = suites.flatMap(({ name, checks: own }) =>
    own.map((check) => [
      name,
      check.id,
      check.kind,
      sentenceOf(check),
      check.needs,
      check.unlockedBy ?? "",
      check.waitSeconds ?? 0,
    ]),
  );
  const statements = [...requirements.values()].map(({ id, source, section, level, statement }) => [
    id,
    source,
    section,
    level,
    statement,
  ]);
  return {
    checksSha256: sha256(JSON.stringify(checks)),
    requirementsSha256: sha256(JSON.stringify(statements)),
  };
}
