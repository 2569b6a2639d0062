/** `1 check`, `2 checks`: a count as terminals and pasted text show it. HTML pages separate thousands: `formatCount`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
