import { describe, expect, test } from "vitest";
import { alice, stepOn } from "./example-pages.ts";

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

  test.for(["Sign up", "Create account", "Registrieren"])(
    "leaves the form beside it alone that says %s",
    (text) => {
      const register = `<form action=/register method=post><input name=user><input type=password name=p><button>${text}</button></form>`;
      const page = `${register}<form action=/login method=post><input name=user><input type=password name=p><button>Log in</button></form>`;
      expect(stepOn(page)).toMatchObject({ purpose: "sign-in", form: { action: "/login" } });
    },
  );

  test("gives the user name where the button says that it authorizes", () => {
    expect(stepOn(`<form method=post><input name=user><button>Authorize</button></form>`)).toMatchObject({
      purpose: "sign-in",
      fields: [["user", "alice"]],
    });
  });

  test("does not press what goes on without the password", () => {
    const page = `<form method=post><input type=email name=email><input type=password name=p><button name=by value=mail>Continue without password</button><button name=by value=form>Log in</button></form>`;
    expect(stepOn(page)).toMatchObject({ button: { value: "form" } });
  });

  test.for([
    {
      why: "a link beside the code",
      html: `<h1>Check your e-mail</h1><form method=post><input name=code><button>Continue</button></form><a href=/pw>Use password instead</a>`,
      step: { href: "/pw" },
    },
    {
      why: "a link among others",
      html: `<h1>Choose how to sign in</h1><a href=/m/code>Get a code</a><a href=/m/pw>Use your password</a>`,
      step: { href: "/m/pw" },
    },
    {
      why: "a button among others",
      html: `<h1>Sign in</h1><form method=post><button name=m value=code>Get a code</button><button name=m value=password>Password</button></form>`,
      step: { button: { value: "password" } },
    },
  ])("asks to be asked for the password by $why", ({ html, step }) => {
    expect(stepOn(html)).toMatchObject({ purpose: "continue", ...step });
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
    expect(stepOn(page, "approve", { ...alice, sign_in_with: "Other" })).toMatchObject({
      kind: "follow",
      href: "/idp/other",
    });
  });
});
