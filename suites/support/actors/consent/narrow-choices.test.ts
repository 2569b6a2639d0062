import { describe, expect, test } from "vitest";
import { alice, checkBoxes, stepOn } from "./example-pages.ts";

/** Whatever the order. */
function sendsExactly(expected: readonly (readonly string[])[]) {
  const sorted = (fields: readonly (readonly string[])[]): string => JSON.stringify(fields.toSorted());
  return (fields: readonly (readonly string[])[]): boolean => sorted(fields) === sorted(expected);
}

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

describe("sending is withheld wherever the page offers it", () => {
  const ticked = (name: string, value: string, text: string): string =>
    `<label><input type=checkbox name="${name}" value="${value}" checked> ${text}</label>`;
  const list = (name: string, ...options: string[]): string =>
    `<select name="${name}">${options.map((text) => `<option>${text}</option>`).join("")}</select>`;
  const pair = (name: string, [first, second]: readonly [string, string]): string =>
    `<label><input type=radio name=${name} value=${first} checked> ${first}</label><label><input type=radio name=${name} value=${second}> ${second}</label>`;

  test.for([
    {
      why: "two check boxes",
      html:
        ticked("scope", "mail.read", "Read") +
        ticked("scope", "mail.send", "Send") +
        ticked("scope", "mail.send.as", "Send as others"),
      fields: [["scope", "mail.read"]],
    },
    {
      why: "a check box for each inbox",
      html: ["work", "home"]
        .map((inbox) => ticked(`grant[${inbox}][read]`, "1", "") + ticked(`grant[${inbox}][send]`, "1", ""))
        .join(""),
      fields: [
        ["grant[work][read]", "1"],
        ["grant[home][read]", "1"],
      ],
    },
    {
      why: "a check box for everything beside the others",
      html:
        ticked("every", "1", "Select all") +
        ticked("scope", "mail.read", "Read") +
        ticked("scope", "mail.send", "Send"),
      fields: [["scope", "mail.read"]],
    },
    {
      why: "a list of several",
      html: "<select name=scopes multiple><option value=mail.read selected>Read<option value=mail.send selected>Send<option value=mail.send.as selected>Send as others</select>",
      fields: [["scopes", "mail.read"]],
    },
    {
      why: "news beside the scopes",
      html:
        ticked("perm", "r", "Read mail") +
        ticked("perm", "s", "Send mail") +
        ticked("news", "1", "Send me product news"),
      fields: [
        ["perm", "r"],
        ["news", "1"],
      ],
    },
    {
      why: "a list for each inbox",
      html: ["work", "home"]
        .map((inbox) => list(`access[${inbox}]`, "Read and send", "Read", "None"))
        .join(""),
      fields: [
        ["access[work]", "Read"],
        ["access[home]", "Read"],
      ],
    },
    {
      why: "a list for each scope",
      html: list("send", "On", "Off") + list("read", "On", "Off"),
      fields: [
        ["read", "On"],
        ["send", "Off"],
      ],
    },
    {
      why: "radio buttons for each scope",
      html: pair("send", ["yes", "no"]) + pair("read", ["yes", "no"]),
      fields: [
        ["send", "no"],
        ["read", "yes"],
      ],
    },
  ])("by $why", ({ html, fields }) => {
    const page = `<form method=post>${html}<button name=d value=1>Allow</button><button name=d value=0>Deny</button></form>`;
    const step = stepOn(page, "approve read-only");
    expect(step).toMatchObject({ narrows: true, button: { value: "1" } });
    expect(step).toHaveProperty("fields", expect.toSatisfy(sendsExactly(fields)));
  });

  test.for([
    {
      why: "a scope that is required",
      html: `<input type=checkbox name=scope value=mail.send checked required>`,
    },
    { why: "news", html: ticked("news", "1", "Send me product news") },
    { why: "notifications", html: ticked("notify", "1", "Send me a message when my data is used") },
    { why: "diagnostics", html: ticked("diag", "1", "Send diagnostics to Mailer") },
    { why: "what was read", html: ticked("seen", "1", "I have only read the terms") },
    {
      why: "an inbox for reading",
      html: `<select name=inbox><option value=1>Reading list<option value=2>All else</select>`,
    },
    {
      why: "an inbox that can only be read",
      html: `<label><input type=radio name=inbox value=1> Shared (read-only)</label><label><input type=radio name=inbox value=2 checked> Work</label>`,
    },
    { why: "an answer of two in a list", html: list("answer", "Allow", "Deny"), button: "Save" },
    { why: "an answer of two by radio buttons", html: pair("d", ["Allow", "Deny"]), button: "Save" },
  ])("but not by $why", ({ html, button }) => {
    const answers = button ?? "Allow</button><button name=no>Deny";
    const page = `<h1>Mailer</h1><form method=post>${html}<button>${answers}</button></form>`;
    expect(stepOn(page, "approve read-only")).toMatchObject({ kind: "stuck" });
    expect(stepOn(page)).toMatchObject({ purpose: "decision" });
  });

  test("and not by a button that allows everything", () => {
    const boxes = ticked("scope", "mail.read", "Read") + ticked("scope", "mail.send", "Send");
    const page = `<form method=post>${boxes}<button name=d value=all>Allow all</button><button name=d value=some>Allow selected</button><button name=d value=no>Deny</button></form>`;
    expect(stepOn(page, "approve read-only")).toMatchObject({
      button: { value: "some" },
      fields: [["scope", "mail.read"]],
    });
  });
});

test.for([
  { wide: "Allow everything", narrow: "Allow reading" },
  { wide: "Grant full access", narrow: "Grant read access" },
  { wide: "Zugriff auf alles erlauben", narrow: "Lesen erlauben" },
])("of buttons for each breadth, $wide is the wider one", ({ wide, narrow }) => {
  const page = `<form method=post><button name=d value=narrow>${narrow}</button><button name=d value=wide>${wide}</button><button name=d value=no>Cancel</button></form>`;
  expect(stepOn(page)).toMatchObject({ button: { value: "wide" } });
  expect(stepOn(page, "approve read-only")).toMatchObject({ button: { value: "narrow" }, narrows: true });
});

test.for([
  {
    why: "a read-only switch that is on",
    html: "<label><input type=checkbox name=ro value=1 checked> Read-only</label>",
    fields: [],
  },
  {
    why: "check boxes that are not ticked",
    html: "<label><input type=checkbox name=a value=1> Read your mail</label><label><input type=checkbox name=b value=1> Send mail</label>",
    fields: [
      ["a", "1"],
      ["b", "1"],
    ],
  },
  {
    why: "inboxes of which none is ticked",
    html: "<label><input type=checkbox name=inbox value=new> Create</label><label><input type=checkbox name=inbox value=1> Work</label><label><input type=checkbox name=inbox value=2> Home</label>",
    fields: [["inbox", "1"]],
  },
  {
    why: "a list that proposes nothing",
    html: "<select name=level><option value=0>Choose\u2026<option value=1>View<option value=2>View and send</select>",
    fields: [["level", "2"]],
  },
])("everything is approved against $why", ({ html, fields }) => {
  const page = `<h1>Mailer</h1><form method=post>${html}<button name=d value=1>Allow</button><button name=d value=0>Deny</button></form>`;
  expect(stepOn(page)).toMatchObject({ purpose: "decision", fields });
});
