import { describe, expect, test } from "vitest";
import { alice, checkBoxes, stepOn } from "./example-pages.ts";

describe("a grant of less than was asked for", () => {
  test.for([
    {
      why: "a check box for sending",
      html: checkBoxes,
      fields: [
        ["scope", "mail.read"],
        ["inbox", "one"],
        ["new_inbox", ""],
      ],
    },
    {
      why: "radio buttons",
      html: `<form><input type=radio name=access value=full checked><input type=radio name=access value=read-only><button>Allow</button></form>`,
      fields: [["access", "read-only"]],
    },
    {
      why: "a list",
      html: `<form><select name=grant><option value=rw>Read and send</option><option value=ro>Read-only</option></select><button>Allow</button></form>`,
      fields: [["grant", "ro"]],
    },
    {
      why: "a check box that says read-only",
      html: `<form><label><input type=checkbox name=narrow value=1> Read-only access</label><button>Allow</button></form>`,
      fields: [["narrow", "1"]],
    },
  ])("narrows a grant by $why", ({ html, fields }) => {
    expect(stepOn(html, "approve read-only")).toMatchObject({ kind: "submit", fields });
  });

  test("narrows by a button of its own, and does not press it when everything is approved", () => {
    const page = `<form method=post><button name=d value=ro>Allow read-only</button><button name=d value=all>Allow</button></form>`;
    expect(stepOn(page, "approve read-only")).toMatchObject({ button: { value: "ro" } });
    expect(stepOn(page)).toMatchObject({ button: { value: "all" } });
  });

  test("narrows by a button that says no more than that", () => {
    const page = `<form method=post><button name=d value=1>Allow</button><button name=d value=2>Reading only</button><a href=/no>Cancel</a></form>`;
    expect(stepOn(page, "approve read-only")).toMatchObject({ button: { value: "2" }, narrows: true });
    expect(stepOn(page)).toMatchObject({ button: { value: "1" } });
  });

  test("narrows by the field that the profile names", () => {
    const page = `<form><input type=hidden name=level value=9><button>Allow</button></form>`;
    expect(stepOn(page, "approve read-only", { ...alice, read_only: "level=1" })).toMatchObject({
      fields: [["level", "1"]],
    });
  });

  test.for([
    { why: "the first of each pair is chosen", checked: "true" },
    { why: "none is chosen", checked: "" },
    { why: "the refusing one of each pair is chosen", checked: "false" },
  ])("reads a pair of radio buttons for each scope, where $why", ({ checked }) => {
    const button = (scope: string, value: string): string =>
      `<input type=radio name=scope.${scope} value=${value}${value === checked ? " checked" : ""}>`;
    const pairs = ["mail.read", "mail.send"].map(
      (scope) => `<li>${scope}: ${button(scope, "true")}Approve ${button(scope, "false")}Deny`,
    );
    const page = `<form method=post><ul>${pairs.join("")}</ul><button>Authorize</button></form>`;
    expect(stepOn(page)).toMatchObject({
      fields: [
        ["scope.mail.read", "true"],
        ["scope.mail.send", "true"],
      ],
    });
    expect(stepOn(page, "approve read-only")).toMatchObject({
      fields: [
        ["scope.mail.read", "true"],
        ["scope.mail.send", "false"],
      ],
    });
  });

  test("narrows by no field that the page does not have", () => {
    const page = `<form method=post><button name=d value=no>Deny</button><button name=d value=yes>Allow</button></form>`;
    expect(stepOn(page, "approve read-only", { ...alice, read_only: "level=1" })).toMatchObject({
      kind: "stuck",
    });
  });

  test("narrows by the button that the profile names, and only where the page has it", () => {
    const who = { ...alice, read_only: "decision=reading" };
    const [allow, deny] = ["yes", "no"].map(
      (value) => `<button name=decision value=${value}>${value}</button>`,
    );
    const narrow = "<button name=decision value=reading>Less</button>";
    const page = `<form method=post><input type=hidden name=t value=1>${allow}${narrow}${deny}</form>`;
    expect(stepOn(page, "approve read-only", who)).toMatchObject({
      narrows: true,
      button: { value: "reading" },
      fields: [["t", "1"]],
    });
    const withoutIt = `<form method=post>${allow}${deny}</form>`;
    expect(stepOn(withoutIt, "approve read-only", who)).toMatchObject({ kind: "stuck" });
  });

  test("says what is missing when a page offers no narrowing", () => {
    expect(stepOn(`<form><button>Allow</button></form>`, "approve read-only")).toMatchObject({
      kind: "stuck",
      sought: expect.stringContaining("consent.read_only"),
    });
  });
});
