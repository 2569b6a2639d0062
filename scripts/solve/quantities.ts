import { counted } from "../../reports/format.ts";

const units = [
  { name: "years", seconds: 31_557_600 },
  { name: "days", seconds: 86_400 },
  { name: "h", seconds: 3600 },
  { name: "min", seconds: 60 },
  { name: "s", seconds: 1 },
  { name: "ms", seconds: 0.001 },
];

/** `1 leading zero bit`. */
export function describeZeroBits(bits: number): string {
  return counted(bits, "leading zero bit");
}

/** Up to three significant digits, in the largest unit of which there is at least one: `1.5 min`. */
export function formatDuration(seconds: number): string {
  const unit = units.find((candidate) => seconds >= candidate.seconds);
  return unit === undefined
    ? `${formatNumber(seconds * 1000)} ms`
    : `${formatNumber(seconds / unit.seconds)} ${unit.name}`;
}

/** Three significant digits below 1000, whole numbers up to a quadrillion, exponents above. */
export function formatNumber(value: number): string {
  if (value >= 1e15) return value.toExponential(2);
  return value >= 1000 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(3)));
}
