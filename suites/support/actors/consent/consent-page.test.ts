import { describe, expect, test } from "vitest";
import { alice, checkBoxes, stepOn } from "./example-pages.ts";

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

describe("nothing is approved when denial was meant and the page offers none that can be followed", () => {
  test.for([
    { why: "one button grants", html: `<form method=post action=/c><button>Grant access</button></form>` },
    {
      why: "a script denies",
      html: `<form method=post action=/c><button type=button>Don't accept</button><button>Accept</button></form>`,
    },
    {
      why: "two buttons may deny",
      html: `<form method=post action=/c><button name=d value=1>Connect</button><button name=d value=2>Zzz</button><button name=d value=3>Report</button></form>`,
    },
    {
      why: "a link leads back",
      html: `<form method=post action=/c><button>Connect account</button></form><a href=/apps>Go back</a>`,
    },
  ])("$why", ({ html }) => {
    expect(stepOn(html, "deny")).toMatchObject({ kind: "stuck" });
    expect(stepOn(html)).toMatchObject({ purpose: "decision", form: { action: "/c" } });
  });
});

test("a form for a newsletter below the question is not a sign-in", () => {
  const page = `<form method=post action=/c><button name=d value=1>Allow</button><button name=d value=0>Deny</button></form><form action=/list method=post><input type=email name=email><button>Join</button></form>`;
  expect(stepOn(page)).toMatchObject({ purpose: "decision", button: { value: "1" } });
  expect(stepOn(page, "deny")).toMatchObject({ purpose: "decision", button: { value: "0" } });
});

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

describe.for([
  {
    by: "radio buttons",
    page: (answers: readonly (readonly [value: string, text: string])[]) =>
      answers
        .map(([value, text]) => `<label><input type=radio name=d value=${value}> ${text}</label>`)
        .join(""),
  },
  {
    by: "a list",
    page: (answers: readonly (readonly [value: string, text: string])[]) =>
      `<select name=d>${answers.map(([value, text]) => `<option value=${value}>${text}</option>`).join("")}</select>`,
  },
])("an answer of three that is chosen by $by", ({ page }) => {
  const answers = [
    ["deny", "Do not allow"],
    ["read_only", "Allow reading only"],
    ["approve", "Allow access"],
  ] as const;

  test.for([
    { decision: "approve", value: "approve" },
    { decision: "approve read-only", value: "read_only" },
    { decision: "deny", value: "deny" },
  ] as const)("$decision", ({ decision, value }) => {
    for (const offered of [answers, answers.toReversed()]) {
      const html = `<h1>Mailer wants access</h1><form method=post>${page(offered)}<button>Submit</button></form>`;
      for (const who of [alice, { ...alice, read_only: "d=read_only" }])
        expect(stepOn(html, decision, who)).toMatchObject({ purpose: "decision", fields: [["d", value]] });
    }
  });
});

describe.for([
  ["Full access", "Read only", "No access"],
  ["Vollzugriff", "Nur Lesezugriff", "Kein Zugriff"],
])("a level of access that is chosen and then sent: %s, %s, %s", ([full, reading, none]) => {
  const page = `<h1>Mailer</h1><form method=post><label><input type=radio name=a value=1 checked> ${full}</label><label><input type=radio name=a value=2> ${reading}</label><label><input type=radio name=a value=3> ${none}</label><button>Save</button></form>`;

  test.for([
    { decision: "approve", value: "1" },
    { decision: "approve read-only", value: "2" },
    { decision: "deny", value: "3" },
  ] as const)("$decision", ({ decision, value }) => {
    expect(stepOn(page, decision)).toMatchObject({ purpose: "decision", fields: [["a", value]] });
  });
});

describe("an answer for each scope, chosen from lists", () => {
  const list = (name: string): string =>
    `<select name=${name}><option value=y>Allow</option><option value=n>Deny</option></select>`;
  const page = `<form method=post>${list("send")}${list("read")}<button>Save</button></form>`;

  test.for([
    { decision: "approve", read: "y", send: "y" },
    { decision: "approve read-only", read: "y", send: "n" },
    { decision: "deny", read: "n", send: "n" },
  ] as const)("$decision", ({ decision, read, send }) => {
    expect(stepOn(page, decision)).toMatchObject({
      purpose: "decision",
      fields: expect.arrayContaining([
        ["read", read],
        ["send", send],
      ]),
    });
  });
});

test("the answer that the profile names for reading is sent, whatever its words", () => {
  const html = `<form method=post><label><input type=radio name=level value=all> Allow</label><label><input type=radio name=level value=some> Basic</label><label><input type=radio name=level value=none> Deny</label><button>Save</button></form>`;
  const who = { ...alice, read_only: "level=some" };
  expect(stepOn(html, "approve read-only", who)).toMatchObject({ fields: [["level", "some"]] });
  expect(stepOn(html, "approve", who)).toMatchObject({ fields: [["level", "all"]] });
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

describe.for([
  {
    why: "the password again",
    asked: "<input type=password name=p>",
    given: [["p", "correct horse"]],
  },
  {
    why: "name and password",
    asked: "<input name=user><input type=password name=p>",
    given: [
      ["user", "alice"],
      ["p", "correct horse"],
    ],
  },
])("a consent without a choice of scopes that asks for $why", ({ asked, given }) => {
  const page = `<h1>Mailer</h1><form method=post>${asked}<button name=d value=1>Allow</button><button name=d value=0>Deny</button></form>`;

  test("is approved with it", () => {
    expect(stepOn(page)).toMatchObject({ purpose: "decision", button: { value: "1" }, fields: given });
  });

  test("is denied without it", () => {
    const step = stepOn(page, "deny");
    expect(step).toMatchObject({ purpose: "decision", button: { value: "0" } });
    expect(JSON.stringify(step)).not.toContain("correct horse");
  });

  test("is not narrowed", () => {
    expect(stepOn(page, "approve read-only")).toMatchObject({ kind: "stuck" });
  });
});

test("a consent with scopes at which one signs in at once is narrowed", () => {
  const page = `<form method=post><input name=user><input type=password name=p><input type=checkbox name=scope value=mail.read checked><input type=checkbox name=scope value=mail.send checked><button>Allow</button><button name=no>Deny</button></form>`;
  expect(stepOn(page, "approve read-only")).toMatchObject({
    narrows: true,
    fields: [
      ["user", "alice"],
      ["p", "correct horse"],
      ["scope", "mail.read"],
    ],
  });
});

test("buttons may show nothing but an image", () => {
  const page = `<form method=post><button name=d value=1><img src=yes.svg alt=Approve></button><button name=d value=2><img src=no.svg alt=Deny></button></form>`;
  expect(stepOn(page)).toMatchObject({ button: { value: "1" } });
  expect(stepOn(page, "deny")).toMatchObject({ button: { value: "2" } });
});

test.for([
  { why: "terms", html: "<h1>Mailer: terms and permissions</h1>{}" },
  { why: "staying signed in", html: "{}", more: "<button name=remember_me>Allow and remember me</button>" },
])("'Allow' beside 'Deny' is about the client where the page speaks of $why", ({ html, more = "" }) => {
  const answers = "<button name=d value=1>Allow</button><button name=d value=0>Deny</button>";
  const page = html.replace("{}", `<form method=post>${answers}${more}</form>`);
  expect(stepOn(page)).toMatchObject({ purpose: "decision", button: { value: "1" } });
  expect(stepOn(page, "deny")).toMatchObject({ purpose: "decision", button: { value: "0" } });
  expect(stepOn(page, "approve read-only")).toMatchObject({ kind: "stuck" });
});

test("a link that denies, beside a form for something else", () => {
  const other = `<form method=post action=/zone><select name=zone><option>UTC</option></select><button>Apply</button></form>`;
  const page = `${other}<form method=post action=/consent><label><input type=checkbox name=scopes value=mail.read checked> Read</label><button>Allow</button></form><a href="/denied">Deny</a>`;
  expect(stepOn(page, "deny")).toMatchObject({ kind: "follow", href: "/denied", purpose: "decision" });
  expect(stepOn(page, "approve")).toMatchObject({ kind: "submit", form: { action: "/consent" } });
});

test("a choice of language is not an answer", () => {
  const languages = `<form method=post action=/lang><select name=lang><option>en</option></select><button>Apply</button></form>`;
  const page = `${languages}<form method=post action=/consent><button>Allow</button></form><form method=post action=/consent/no><button>Zzz</button></form>`;
  expect(stepOn(page, "deny")).toMatchObject({ kind: "submit", form: { action: "/consent/no" } });
});

test("of answers that nobody understands none is taken for the choice of an inbox", () => {
  const page = `<h1>Mailer wants to open your inbox</h1><form method=post><button name=answer value=1>Kyll\u00E4</button><button name=answer value=2>Ei</button></form>`;
  expect(stepOn(page, "deny")).toMatchObject({ kind: "stuck" });
});
