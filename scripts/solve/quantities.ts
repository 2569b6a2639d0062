const units = [
  { name: "years", seconds: 31_557_600 },
  { name: "days", seconds: 86_400 },
  { name: "h", seconds: 3600 },
  { name: "min", seconds: 60 },
  { name: "s", seconds: 1 },
  { name: "ms", seconds: 0.001 },
];

/** `1 leading zero bit`. */
export function leadingZeroBitsInWords(bits: number): string {
  return `${bits} leading zero ${bits === 1 ? "bit" : "bits"}`;
}

/** Up to three significant digits and the largest unit that fits: `1.5 min`. */
export function inWords(seconds: number): string {
  const unit = units.find((candidate) => seconds >= candidate.seconds);
  return unit === undefined
    ? `${threeDigits(seconds * 1000)} ms`
    : `${threeDigits(seconds / unit.seconds)} ${unit.name}`;
}

/** At most three significant digits below 1000; above, whole numbers in full up to a quadrillion. */
export function threeDigits(value: number): string {
  if (value >= 1e15) return value.toExponential(2);
  return value >= 1000 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(3)));
}
