import caughtBy from "../../fixtures/faults/caught-by.json" with { type: "json" };
import type { Certificate } from "../../reports/certificate-format.ts";
import { canonicalJson } from "../certificate/canonical-json.ts";
import { sha256 } from "../sha256.ts";

/** What the checks of this mailproof are proved by: which of them catch which deliberate defect. */
export function faultMatrix(): Certificate["suite"]["faultMatrix"] {
  const matrix: Readonly<Record<string, object>> = caughtBy;
  return {
    sha256: sha256(canonicalJson(matrix)),
    faults: Object.keys(matrix).length,
    checks: new Set(Object.values(matrix).flatMap((checks) => Object.keys(checks))).size,
  };
}
