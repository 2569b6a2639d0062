import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";

const entry = z.object({ value: z.string() });
const savedState = z.object({
  cookies: z.array(entry).default([]),
  origins: z.array(z.object({ localStorage: z.array(entry).default([]) })).default([]),
});

// What is shorter is a word, such as a language.
const shortestSecret = 12;

/** What a `state_file` of the browser driver holds that signs a person in: the values of cookies and of local storage. */
export function savedSecrets(path: string): string[] {
  if (!existsSync(path)) return [];
  const { cookies, origins } = savedState.parse(JSON.parse(readFileSync(path, "utf8")));
  return [...cookies, ...origins.flatMap(({ localStorage }) => localStorage)]
    .map(({ value }) => value)
    .filter(({ length }) => length >= shortestSecret);
}
