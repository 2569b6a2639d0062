import type { Diagnosis } from "../../suites/support/pow/diagnosis.ts";
import { leadingZeroBits } from "../../suites/support/pow/leading-zero-bits.ts";
import { leadingZeroBitsInWords, threeDigits } from "./quantities.ts";

/** What a diagnosis says to a person. */
export function verdictText(
  { isValid, problems, mistakes, digest }: Diagnosis,
  difficultyBits: number,
): string {
  const found = leadingZeroBitsInWords(leadingZeroBits(digest));
  if (isValid) return `valid: ${found}, at least ${difficultyBits} asked for`;
  const causes = mistakes.map(
    ({ id, says, chance }) => `  ${id}: ${says}${chance === undefined ? "" : chanceText(chance)}`,
  );
  return [
    "invalid",
    ...problems.map((problem) => `  ${problem}`),
    ...(causes.length === 0
      ? ["no known mistake produces this answer (each is tried alone)"]
      : [mistakes.length === 1 ? "the mistake that produces it:" : "mistakes that produce it:", ...causes]),
    `the digest of this nonce is ${Buffer.from(digest).toString("hex")}, ${found}`,
  ].join("\n");
}

function chanceText(chance: number): string {
  return chance === 1 ? " (any digest fits)" : ` (1 in ${threeDigits(1 / chance)} digests fits by chance)`;
}
