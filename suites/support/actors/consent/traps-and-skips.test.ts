import { expect, test } from "vitest";
import { stepOn } from "./example-pages.ts";

const trap =
  "<form {} action=/trap method=post><input name=login><input type=password name=p><button>Allow</button></form>";

test.for([
  { attribute: "hidden", why: "hidden" },
  { attribute: 'style="display:none"', why: "not displayed" },
  { attribute: 'style="position:absolute;left:-9999px"', why: "off the screen" },
  { attribute: 'aria-hidden="true"', why: "hidden from screen readers" },
])("a sign-in form that is $why is left alone where another leads on", ({ attribute }) => {
  const link = '<a href="/signin/acme">Continue with Acme ID</a>';
  expect(stepOn(trap.replace("{}", attribute) + link)).toMatchObject({
    href: "/signin/acme",
  });
});

test("a sign-in form that a script shows is filled in where nothing else leads on", () => {
  expect(stepOn(trap.replace("{}", "hidden"))).toMatchObject({
    purpose: "sign-in",
  });
});

test.for([
  { why: "is to be opened", dialog: "<dialog>" },
  { why: "is open", dialog: "<dialog open>" },
])("a form that only closes a dialog which $why is left alone", ({ dialog }) => {
  const html = `${dialog}<form method=dialog><button value=all>Accept all</button></form></dialog><form method=post action=/consent><button name=decision value=approve>Allow</button><button name=decision value=deny>Deny</button></form>`;
  expect(stepOn(html)).toMatchObject({
    form: { action: "/consent" },
    purpose: "decision",
  });
});

test.for([
  {
    why: "cookies are asked about",
    form: "<form action=/prefs method=post><button>Accept all</button><button>Reject all</button></form>",
  },
  {
    why: "only some cookies may be accepted",
    form: "<form action=/prefs method=post><button>Accept</button><button>Only necessary</button></form>",
  },
  { why: "one may sign out", form: "<form action=/out method=post><button>Log out</button></form>" },
])("a form beside the question is left alone, with which $why", ({ form }) => {
  const consent =
    "<form action=/consent method=post><button>Allow</button><button name=no>Deny</button></form>";
  for (const decision of ["approve", "deny"] as const)
    expect(stepOn(form + consent, decision)).toMatchObject({
      purpose: "decision",
      form: { action: "/consent" },
    });
});

test("a new password is not set where the page offers to leave it", () => {
  const html = `<h1>Change your password</h1><form method=post><input type=password name=p1 autocomplete=new-password><input type=password name=p2 autocomplete=new-password><button>Change password</button></form><a href=/next>Skip for now</a>`;
  expect(stepOn(html)).toMatchObject({ kind: "follow", href: "/next", purpose: "continue" });
});

test("a way to sign out beside the only way on is left alone", () => {
  const html = `<nav><form action=/out method=post><button>Log out</button></form></nav><form action=/resume method=post><button>Return to Mailer</button></form>`;
  expect(stepOn(html)).toMatchObject({ purpose: "continue", form: { action: "/resume" } });
});

test("a page may offer to go on as the person or as someone else", () => {
  const html = `<form method=post><button name=who value=other>Log in as someone else</button><button name=who value=me>Continue</button></form>`;
  expect(stepOn(html)).toMatchObject({ button: { value: "me" } });
});

test("a notice is left by the link that says so, not by the one that tells more", () => {
  const html = `<h1>New: folders</h1><a href=/folders>Learn more</a><a href=/next>Got it</a>`;
  expect(stepOn(html)).toMatchObject({ href: "/next", purpose: "continue" });
});

test("a password that nobody sees is not given", () => {
  const html = `<form method=post><div hidden><input type=password name=trap></div><input name=u><input type=password name=p><button>Sign in</button></form>`;
  expect(stepOn(html)).toMatchObject({
    fields: [
      ["trap", ""],
      ["u", "alice"],
      ["p", "correct horse"],
    ],
  });
});

test.for([
  {
    why: "a telephone number, with one button",
    html: "<h1>Add a phone number?</h1><form method=post><input type=tel name=phone><button name=act value=skip>Not now</button></form>",
  },
  {
    why: "a telephone number, with two buttons",
    html: "<h1>Add a phone number?</h1><form method=post><input type=tel name=phone><button name=act value=add>Continue</button><button name=act value=skip>Not now</button></form>",
  },
  {
    why: "how one heard of the service",
    html: "<h1>How did you hear about us?</h1><form method=post><label><input type=radio name=how value=web> Web</label><button name=act value=send>Send</button><button name=act value=skip>Skip</button></form>",
  },
  {
    why: "a passkey, which a script sets up",
    html: "<h1>Create a passkey?</h1><form method=post><button type=button>Create</button><button name=act value=skip>Not now</button></form>",
  },
  {
    why: "a fingerprint, with an answer to either",
    html: "<h1>Use your fingerprint next time?</h1><form method=post><button name=act value=yes>Yes, set up</button><button name=act value=skip>Not now</button></form>",
  },
  {
    why: "a confirmed address",
    html: "<h1>Please verify your email address</h1><form method=post><button name=act value=again>Resend</button><button name=act value=skip>Verify later</button></form>",
  },
])("a page is left out that asks for $why, whatever the decision", ({ html }) => {
  for (const decision of ["approve", "deny"] as const)
    expect(stepOn(html, decision)).toMatchObject({
      button: { value: "skip" },
      purpose: "continue",
    });
});

test("a form to register is left alone beside one that asks for the user name first", () => {
  const html =
    "<form action=/identify method=post><input name=login><button>Next</button></form><form action=/signup method=post><input type=email name=email><input type=password name=p1><input type=password name=p2><button>Create account</button></form>";
  expect(stepOn(html)).toMatchObject({
    form: { action: "/identify" },
    fields: [["login", "alice"]],
    purpose: "sign-in",
  });
});

test("an offer is left by its only link, whatever the decision", () => {
  const html = '<h1>Set up a passkey?</h1><p>Sign in faster next time.</p><a href="/consent?r=1">Not now</a>';
  for (const decision of ["approve", "deny"] as const)
    expect(stepOn(html, decision)).toMatchObject({
      href: "/consent?r=1",
      purpose: "continue",
    });
});

const frame = '<iframe src="/frame/sign-in?r=1" title="Sign in"></iframe>';

test("the document within a page is opened where the page itself has nothing that leads on", () => {
  const step = { kind: "follow", href: "/frame/sign-in?r=1", purpose: "continue" };
  expect(stepOn(`${frame}<a href=/privacy>Privacy</a>`)).toMatchObject(step);
  for (const beside of [
    "<a href=/next>Continue</a>",
    "<form method=post><input name=login><input type=password name=p></form>",
  ])
    expect(stepOn(frame + beside)).not.toMatchObject(step);
  expect(stepOn(`<div hidden>${frame}</div>`).kind).toBe("stuck");
});

test("'Not now' is the decision where a client is to see the telephone number", () => {
  const html =
    "<h1>Mailer wants to see your phone number</h1><form method=post><button name=d value=1>Allow</button><button name=d value=0>Not now</button></form>";
  expect(stepOn(html)).toMatchObject({ button: { value: "1" }, purpose: "decision" });
  expect(stepOn(html, "deny")).toMatchObject({ button: { value: "0" }, purpose: "decision" });
});

test("'Not now' below a question about the client is the decision", () => {
  const html =
    "<h1>Grant access</h1><form method=post><label><input type=radio name=inbox value=1 checked> a@example</label><button name=d value=1>Allow</button><button name=d value=0>Not now</button></form>";
  expect(stepOn(html)).toMatchObject({
    button: { value: "1" },
    purpose: "decision",
  });
});
