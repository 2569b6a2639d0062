import { describe, expect, test } from "vitest";
import type { FormConsent } from "../../target/consent-settings.ts";
import { nextStep } from "./form-steps.ts";
import { readPage } from "./html-page.ts";
import type { Decision } from "./step.ts";

const person: FormConsent = {
  driver: "form",
  username: "alice",
  password: "correct horse",
  fields: {},
  buttons: {},
};

function stepOn(html: string, decision: Decision = "approve", who: FormConsent = person) {
  return nextStep(readPage(html), who, decision);
}

describe("an answer that is chosen and then sent", () => {
  const page = `<form method=post><label><input type=radio name=d value=0 checked> Cancel</label><label><input type=radio name=d value=1> Allow</label><label><input type=checkbox name=scopes value=mail.read checked> Read</label><button>Next</button></form>`;

  test.for([
    { decision: "approve", value: "1" },
    { decision: "deny", value: "0" },
  ] as const)("$decision", ({ decision, value }) => {
    expect(stepOn(page, decision)).toMatchObject({
      purpose: "decision",
      fields: expect.arrayContaining([["d", value]]),
    });
  });
});

describe("a consent that is confirmed with the password", () => {
  const page = `<form method=post action=/consent><label><input type=radio name=inbox value=1 checked> Work</label><label>Your password, to allow sending <input type=password name=sudo></label><button name=answer value=yes>Allow</button><button name=answer value=no>Deny</button></form>`;

  test.for([
    {
      decision: "approve",
      button: "yes",
      fields: [
        ["inbox", "1"],
        ["sudo", "correct horse"],
      ],
    },
    {
      decision: "deny",
      button: "no",
      fields: [
        ["inbox", "1"],
        ["sudo", ""],
      ],
    },
  ] as const)("$decision", ({ decision, button, fields }) => {
    expect(stepOn(page, decision)).toMatchObject({ purpose: "decision", button: { value: button }, fields });
  });
});

test("a link that denies, beside a form for something else", () => {
  const other = `<form method=post action=/zone><select name=zone><option>UTC</option></select><button>Apply</button></form>`;
  const page = `${other}<form method=post action=/consent><label><input type=checkbox name=scopes value=mail.read checked> Read</label><button>Allow</button></form><a href="/denied">Deny</a>`;
  expect(stepOn(page, "deny")).toMatchObject({ kind: "follow", href: "/denied", purpose: "decision" });
  expect(stepOn(page, "approve")).toMatchObject({ kind: "submit", form: { action: "/consent" } });
});

test("a choice of language is no answer", () => {
  const languages = `<form method=post action=/lang><select name=lang><option>en</option></select><button>Apply</button></form>`;
  const page = `${languages}<form method=post action=/consent><button>Allow</button></form><form method=post action=/consent/no><button>Zzz</button></form>`;
  expect(stepOn(page, "deny")).toMatchObject({ kind: "submit", form: { action: "/consent/no" } });
});

describe("signing in", () => {
  test.for([
    {
      why: "a trap for robots that is not displayed, and the user name given before",
      html: `<form method=post><div style="display: none"><label>Leave this empty <input name=website></label></div><input type=hidden name=u value=alice><input type=password name=p><button>Sign in</button></form>`,
      fields: [
        ["website", ""],
        ["u", "alice"],
        ["p", "correct horse"],
      ],
    },
    {
      why: "a trap for robots beside the page, and the user name given before",
      html: `<form method=post><div style="position:absolute; left:-9999px" aria-hidden="true"><label>Leave this empty <input name=website></label></div><input type=hidden name=u value=alice><input type=password name=p><button>Sign in</button></form>`,
      fields: [
        ["website", ""],
        ["u", "alice"],
        ["p", "correct horse"],
      ],
    },
    {
      why: "fields that a script shows later",
      html: `<form method=post><div hidden><input name=u><input type=password name=p></div><button>Sign in</button></form>`,
      fields: [
        ["u", "alice"],
        ["p", "correct horse"],
      ],
    },
    {
      why: "labels and a token",
      html: `<form method=post action=/login><input type=hidden name=csrf value=t><label>User <input name=u></label><input type=password name=p><button>Sign in</button></form>`,
      fields: [
        ["csrf", "t"],
        ["u", "alice"],
        ["p", "correct horse"],
      ],
    },
    {
      why: "an e-mail field and a cancel button first",
      html: `<form method=post><button name=action value=cancel>Cancel</button><input type=email name=email><input type=password name=password><button name=action value=login>Log in</button></form>`,
      fields: [
        ["email", "alice"],
        ["password", "correct horse"],
      ],
    },
    {
      why: "the user name asked for first, on a page of its own",
      html: `<form method=post><label for=i>Username</label><input id=i name=identifier><button>Next</button></form>`,
      fields: [["identifier", "alice"]],
    },
  ])("fills a form with $why", ({ html, fields }) => {
    expect(stepOn(html)).toMatchObject({ kind: "submit", purpose: "sign-in", fields });
  });

  test("does not press cancel", () => {
    const step = stepOn(
      `<form><button>Cancel</button><input name=user><input type=password name=pw><button>Go</button></form>`,
    );
    expect(step).toMatchObject({ button: { text: "Go" } });
  });

  test("follows a link to an identity provider", () => {
    expect(stepOn(`<a href="/help">Help</a><a href="/idp/acme">Sign in with Acme</a>`)).toMatchObject({
      kind: "follow",
      href: "/idp/acme",
    });
  });

  test.for([
    {
      why: "buttons",
      html: `<form method=post><button name=u value=bob>Bob</button><button name=u value=alice>Alice</button></form>`,
      step: { button: { value: "alice" } },
    },
    {
      why: "a list",
      html: `<form><select name=u><option>bob</option><option>alice</option></select><button>Go on</button></form>`,
      step: { fields: [["u", "alice"]] },
    },
    {
      why: "radio buttons",
      html: `<form><input type=radio name=u value=bob checked><input type=radio name=u value=alice><button>Go on</button></form>`,
      step: { fields: [["u", "alice"]] },
    },
    {
      why: "links",
      html: `<a href=/as/bob>bob</a><a href=/as/alice>alice (work)</a>`,
      step: { kind: "follow", href: "/as/alice" },
    },
  ])("picks the person's account among $why", ({ html, step }) => {
    expect(stepOn(html)).toMatchObject(step);
  });

  test("follows the provider that the profile names", () => {
    const page = `<a href="/idp/acme">Acme</a><a href="/idp/other">Other</a>`;
    expect(stepOn(page, "approve", { ...person, sign_in_with: "Other" })).toMatchObject({
      kind: "follow",
      href: "/idp/other",
    });
  });
});

const checkBoxes = `<h1>Allow Mailer?</h1><form method=post action=/consent>
  <label><input type=checkbox name=scope value=mail.read checked> Read</label>
  <label><input type=checkbox name=scope value=mail.send checked> Send</label>
  <input type=radio name=inbox value=one><input type=radio name=inbox value=new> <input name=new_inbox>
  <button name=decision value=approve>Approve</button><button name=decision value=deny>Deny</button></form>`;

describe("deciding", () => {
  test("approves everything that is offered, in an inbox that exists", () => {
    const step = stepOn(checkBoxes);
    expect(step).toMatchObject({
      purpose: "decision",
      button: { value: "approve" },
      fields: [
        ["scope", "mail.read"],
        ["scope", "mail.send"],
        ["inbox", "one"],
        ["new_inbox", ""],
      ],
    });
  });

  test("ticks scopes that are offered unticked", () => {
    const step = stepOn(
      `<form><input type=checkbox name=mail.read><input type=checkbox name=newsletter><button>Allow</button></form>`,
    );
    expect(step).toMatchObject({ fields: [["mail.read", "on"]] });
  });

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

  test("narrows by the field that the profile names", () => {
    const page = `<form><input type=hidden name=level value=9><button>Allow</button></form>`;
    expect(stepOn(page, "approve read-only", { ...person, read_only: "level=1" })).toMatchObject({
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
    expect(stepOn(page, "approve read-only", { ...person, read_only: "level=1" })).toMatchObject({
      kind: "stuck",
    });
  });

  test("narrows by the button that the profile names, and only where the page has it", () => {
    const who = { ...person, read_only: "decision=reading" };
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

  test("creates an inbox by the fields that the profile names", () => {
    const newInbox = { choose: "inbox=new", name: "new_inbox" };
    const step = stepOn(checkBoxes, "approve with a new inbox", { ...person, new_inbox: newInbox });
    expect(step).toMatchObject({
      createsInbox: true,
      fields: [
        ["scope", "mail.read"],
        ["scope", "mail.send"],
        ["inbox", "new"],
        ["new_inbox", expect.stringMatching(/^mailproof-[0-9a-f]{10}$/u)],
      ],
    });
  });

  test("creates no inbox on a page without such a field", () => {
    const newInbox = { choose: "mailbox=new" };
    const step = stepOn(checkBoxes, "approve with a new inbox", { ...person, new_inbox: newInbox });
    expect(step).not.toHaveProperty("createsInbox");
  });

  test("says what is missing when a page offers no narrowing", () => {
    expect(stepOn(`<form><button>Allow</button></form>`, "approve read-only")).toMatchObject({
      kind: "stuck",
      sought: expect.stringContaining("consent.read_only"),
    });
  });

  test.for([
    { why: "a button beside approval", html: checkBoxes, value: "deny" },
    {
      why: "a form of its own",
      html: `<form action=/no><button value=n>Do not allow</button></form><form action=/yes><button value=y>Allow</button></form>`,
      value: "n",
    },
  ])("denies by $why", ({ html, value }) => {
    expect(stepOn(html, "deny")).toMatchObject({ kind: "submit", purpose: "decision", button: { value } });
  });

  test("does not take a refusing button for an approving one", () => {
    const page = `<form><button value=n>Don't allow</button><button value=y>Allow</button></form>`;
    expect(stepOn(page)).toMatchObject({ button: { value: "y" } });
  });
});

test("a new inbox is chosen on a page before the one that asks for approval", () => {
  const page = `<form method=post><label><input type=radio name=inbox value=a checked> a</label><label><input type=radio name=inbox value=new> New</label><input name=name><button>Continue</button></form>`;
  const who = { ...person, new_inbox: { choose: "inbox=new", name: "name" } };
  expect(stepOn(page, "approve with a new inbox", who)).toMatchObject({
    purpose: "continue",
    createsInbox: true,
    fields: expect.arrayContaining([["inbox", "new"]]),
  });
});

test("of answers that nobody understands none is taken for the choice of an inbox", () => {
  const page = `<h1>Mailer wants to open your inbox</h1><form method=post><button name=answer value=1>Kyll\u00E4</button><button name=answer value=2>Ei</button></form>`;
  expect(stepOn(page, "deny")).toMatchObject({ kind: "stuck" });
});

test("a new inbox is created by a button of its own", () => {
  const page = `<h1>Inbox</h1><form method=post><button name=inbox value=a>a</button><input name=name><button name=inbox value=new>Create</button></form>`;
  const who = { ...person, new_inbox: { choose: "inbox=new", name: "name" } };
  expect(stepOn(page, "approve with a new inbox", who)).toMatchObject({
    createsInbox: true,
    button: { value: "new" },
    fields: [["name", expect.stringMatching(/^mailproof-/u)]],
  });
});

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
