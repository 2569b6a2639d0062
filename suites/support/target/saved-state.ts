import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { parseJson } from "../wire/bounded-json.ts";

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
  const state = savedState.safeParse(parseJson(readFileSync(path, "utf8")));
  // Whoever signs in with it says that it cannot be used.
  if (!state.success) return [];
  const { cookies, origins } = state.data;
  return [...cookies, ...origins.flatMap(({ localStorage }) => localStorage)]
    .map(({ value }) => value)
    .filter(({ length }) => length >= shortestSecret);
}
