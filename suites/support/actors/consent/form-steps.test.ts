import { expect, test } from "vitest";
import { stepOn } from "./example-pages.ts";

test("a form that a script would submit is submitted", () => {
  expect(stepOn(`<form method=post action=/cb><input type=hidden name=code value=c></form>`)).toMatchObject({
    kind: "submit",
    fields: [["code", "c"]],
  });
});

test("a page with nothing to do is said to be so", () => {
  expect(stepOn(`<title>Gone</title><p>Nothing here.`)).toMatchObject({
    kind: "stuck",
    sought: expect.stringContaining("buttons.continue"),
  });
});
