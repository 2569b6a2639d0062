import type { GrantSpec } from "./grants.ts";

/** Grants that the end of a grant of the first person to the public client must not touch. */
export const bystanders = [
  {
    slug: "other-client",
    words: "another client of the same person",
    spec: { human: "first", client: "other" },
    needs: [],
  },
  {
    slug: "other-user",
    words: "the same client of another person",
    spec: { human: "second", client: "public" },
    needs: ["second-human"],
  },
] as const satisfies readonly { slug: string; words: string; spec: GrantSpec; needs: readonly string[] }[];
