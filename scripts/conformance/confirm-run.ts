import { createInterface } from "node:readline/promises";
import { printable } from "../../reports/printable.ts";
import type { Profile } from "../../suites/support/target/profile.ts";

/** What a run may make on a target and send to it, for the person who starts it. */
export function planLines(profile: Profile, checks: number, isReadOnly: boolean): string[] {
  const judging = `judging ${profile.auth_url} with ${checks} checks`;
  if (isReadOnly) return [judging, "  it makes nothing: --read-only"];
  const { registrations, grants, sign_ups, concurrency, requests_per_second } = profile.budget;
  const limit = profile.registration_limit;
  const people = profile.humans.map(({ name }) => name);
  const inboxes = ["the agents that it signs up", ...people].toReversed().join(", ");
  return [
    judging,
    `  it makes at most ${registrations} clients${limit === undefined ? "" : ` and some ${limit} more to reach registration_limit`}, ${grants} grants, which it revokes at the end, and ${sign_ups} agents with an inbox each, and up to twice as many where answers are lost`,
    `  messages go only to the inboxes of ${inboxes}`,
    `  ${concurrency} checks at the same time, ${requests_per_second === undefined ? "as fast as the target answers; budget.requests_per_second in the profile limits that" : `at most ${requests_per_second} requests a second`}`,
  ].map(printable);
}

export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** Whether somebody is there who could be asked: a terminal, and no CI. */
export function canAsk({ input, output }: Terminal, environment: NodeJS.ProcessEnv): boolean {
  return Boolean(input.isTTY) && Boolean(output.isTTY) && !environment["CI"];
}

/** Asks whether to go on. Ctrl-C and the end of input mean no. */
export async function askToGoOn({ input, output }: Terminal): Promise<boolean> {
  const lines = createInterface({ input, output });
  const noAnswer = new Promise<string>((resolve) => {
    lines.once("SIGINT", () => resolve(""));
    lines.once("close", () => resolve(""));
  });
  try {
    const answer = await Promise.race([lines.question("go on? [y/N] "), noAnswer]);
    return /^\s*y(?:es)?\s*$/iu.test(answer);
  } finally {
    lines.close();
  }
}
