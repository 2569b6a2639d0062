import type { Diagnosis } from "../../suites/support/pow/diagnosis.ts";
import { leadingZeroBits } from "../../suites/support/pow/leading-zero-bits.ts";
import { describeZeroBits, formatNumber } from "./quantities.ts";

/** A diagnosis as text. */
export function verdictText(
  { isValid, problems, mistakes, digest }: Diagnosis,
  difficultyBits: number,
): string {
  const found = describeZeroBits(leadingZeroBits(digest));
  if (isValid) return `valid: ${found}, at least ${difficultyBits} required`;
  const explanations = mistakes.map(
    ({ id, description, chance }) =>
      `  ${id}: ${description}${chance === undefined ? "" : chanceText(chance)}`,
  );
  return [
    "invalid",
    ...problems.map((problem) => `  ${problem}`),
    ...(explanations.length === 0
      ? ["no single known mistake explains this answer"]
      : [mistakes.length === 1 ? "likely mistake:" : "likely mistakes:", ...explanations]),
    `correct digest of this nonce: ${Buffer.from(digest).toString("hex")}, ${found}`,
  ].join("\n");
}

function chanceText(chance: number): string {
  return chance === 1 ? " (fits any digest)" : ` (fits 1 in ${formatNumber(1 / chance)} digests by chance)`;
}
