import { expect, test } from "vitest";
import { requirementAdvice } from "./requirement-checks.ts";

const many = ["a", "b", "c", "d", "e", "f", "g"].map((slug) => `PKCE-02/${slug}`);

test.for([
  { id: "REDIR-08", says: "REDIR-08 is a requirement; give one of its checks: REDIR-08/host, REDIR-08/port" },
  { id: "redir-08", says: "REDIR-08 is a requirement; give one of its checks: REDIR-08/host, REDIR-08/port" },
  { id: "PKCE-02", says: "PKCE-02/d, PKCE-02/e and 2 more" },
])("$id is a requirement", ({ id, says }) => {
  expect(requirementAdvice(id, ["REDIR-08/host", "REDIR-08/port", "REDIR-081", ...many])).toContain(says);
});

test.for(["REDIR-08/hots", "REDIR-0", "NO-01"])("%s is none", (id) => {
  expect(requirementAdvice(id, ["REDIR-08/host"])).toBeUndefined();
});
