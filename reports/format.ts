/** Rounds to about three significant digits, with thousands separators: 0.35, 12.4, 16,712. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size >= 100) return Math.round(value).toLocaleString("en-US");
  if (size >= 10) return trimZeros(value.toFixed(1));
  if (size >= 0.1 || size === 0) return trimZeros(value.toFixed(2));
  return trimZeros(value.toPrecision(2));
}

function trimZeros(text: string): string {
  return text.includes("e") || !text.includes(".") ? text : text.replace(/\.?0+$/u, "");
}

/** `1 check`, `1204 checks`: for terminals, and text that is pasted. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** `1 check`, `1,204 checks`: for pages, and the reports of load runs. */
export function formatCount(value: number, singular: string, plural = `${singular}s`): string {
  return `${value.toLocaleString("en-US")} ${value === 1 ? singular : plural}`;
}

/** `3.4 s`, `2.5 min`. */
export function formatDuration(ms: number): string {
  const seconds = ms / 1000;
  return seconds < 90 ? `${seconds.toFixed(1)} s` : `${(seconds / 60).toFixed(1)} min`;
}
