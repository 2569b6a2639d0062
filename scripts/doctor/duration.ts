const units = [
  { name: "h", seconds: 3600 },
  { name: "min", seconds: 60 },
  { name: "s", seconds: 1 },
] as const;

/** For people: `40 ms`, `2.5 s`, `12 min`, `30 h`. */
export function duration(seconds: number): string {
  if (seconds < 0.95) return `${Math.max(1, Math.round(seconds * 1000))} ms`;
  const { name, seconds: unit } = units.find((each) => seconds >= 2 * each.seconds) ?? units[2];
  const amount = seconds / unit;
  return `${amount < 10 ? Number(amount.toFixed(1)) : Math.round(amount)} ${name}`;
}
