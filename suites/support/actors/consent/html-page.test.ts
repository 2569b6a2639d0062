import { describe, expect, test } from "vitest";
import { nextStep } from "./form-steps.ts";
import { parseRefresh, readPage } from "./html-page.ts";

const person = {
  driver: "form",
  username: "alice",
  password: "correct horse",
  fields: {},
  buttons: {},
} as const;

/** Repeats a piece up to the longest page that is read. */
function filling(piece: (at: number) => string): string {
  const pieces: string[] = [];
  for (let length = 0; length < 800_000; length += pieces.at(-1)?.length ?? 0)
    pieces.push(piece(pieces.length));
  return pieces.join("");
}

describe("a page made to stop its reader", () => {
  // Seconds apart from what a walk over the whole tree takes: 15 s for the labels, a minute for the forms.
  const limitMs = 4_000;

  test.for([
    {
      why: "a label for each field",
      html: filling((at) => `<label for=i${at}>x</label><input id=i${at} name=n${at}>`),
    },
    { why: "a form for each field", html: filling((at) => `<form action=/${at}><input name=a></form>`) },
    {
      why: "radio buttons of as many groups",
      html: `<form>${filling((at) => `<input type=radio name=n${at} value=v>`)}`,
    },
    { why: "many links", html: filling((at) => `<a href=/${at}>x</a>`) },
    { why: "many lists", html: `<form>${filling((at) => `<select name=s${at}><option>a`)}` },
    { why: "many attributes of one element", html: `<div ${filling((at) => `a${at} `)}>` },
    { why: "formatting that is reopened in each paragraph", html: filling((at) => `<p><b id=${at}>`) },
    { why: "ends without a beginning", html: filling(() => "<a><i></b>") },
    { why: "nothing but nesting", html: filling(() => "<div>") },
    { why: "nested labels", html: filling(() => "<label>") },
    { why: "nothing but character references", html: `<button>${filling(() => "&amp;")}` },
    { why: "a comment without end", html: `<!--${filling(() => "-")}` },
    {
      why: "a text of one word for a button",
      html: `<form><button>${filling(() => "Allow")}</button></form>`,
    },
    {
      why: "a value without end",
      html: `<form><input name=a value="${filling(() => "send ")}"><button>Go</button></form>`,
    },
  ])("by $why is done with in time", ({ html }) => {
    const began = performance.now();
    nextStep(readPage(html), person, "approve read-only");
    expect(performance.now() - began).toBeLessThan(limitMs);
  });

  test.for([
    { why: "too deep", html: "<div>".repeat(5_000), limit: "its elements are nested more than 512 deep" },
    { why: "of too many elements", html: "<br>".repeat(20_001), limit: "it has more than 20000 elements" },
    { why: "too long", html: " ".repeat(1_000_001), limit: "it is longer than 1000000 characters" },
  ])("that is $why says so", ({ html, limit }) => {
    expect(readPage(html).limit).toBe(limit);
    expect(nextStep(readPage(html), person, "approve")).toMatchObject({
      kind: "stuck",
      sought: expect.stringContaining(limit),
    });
  });
});

describe("markup is read as a browser reads it", () => {
  const onlyForm = (html: string) => readPage(html).forms[0];

  test.for([
    { why: "by nesting", html: "<form><label>User <input name=a></label></form>", hint: "User" },
    {
      why: "by its id, later",
      html: "<form><input name=a id=x></form><label for=x>User</label>",
      hint: "User",
    },
    { why: "by a placeholder", html: "<form><input name=a placeholder=User></form>", hint: "User" },
  ])("a field has its label $why", ({ html, hint }) => {
    expect(onlyForm(html)?.fields[0]?.hint).toBe(hint);
  });

  test("a form goes on through a table until it is closed, and another one inside is none", () => {
    const { forms } = readPage(
      "<table><form id=f><tr><td><input name=a></td></tr><form><tr><td><input name=b></td></tr></form></table><input name=c>",
    );
    expect(forms.map(({ fields }) => fields.map(({ name }) => name))).toEqual([["a", "b"]]);
  });

  test.for([
    { why: "a script", html: `<script>"<form><input name=evil>"</script>` },
    { why: "a template", html: "<template><form><input name=evil></form></template>" },
    { why: "a comment", html: "<!-- <form><input name=evil></form> -->" },
    { why: "a disabled set of fields", html: "<form><fieldset disabled><input name=evil></fieldset></form>" },
    { why: "a button that submits nothing", html: "<form><button type=button name=evil>x</button></form>" },
  ])("nothing is taken from $why", ({ html }) => {
    expect(JSON.stringify(readPage(html).forms)).not.toContain("evil");
  });

  test("a text area keeps its lines but the first line break", () => {
    expect(onlyForm("<form><textarea name=a>\n one\ntwo</textarea></form>")?.fields[0]?.value).toBe(
      " one\ntwo",
    );
  });
});

test.for([
  { content: "0; url=/next", refresh: { seconds: 0, url: "/next" } },
  { content: " 5;URL='/a b' ", refresh: { seconds: 5, url: "/a b" } },
  { content: "3,/next", refresh: { seconds: 3, url: "/next" } },
  { content: "0.5;url=x", refresh: { seconds: 0, url: "x" } },
  { content: "30", refresh: { seconds: 30, url: "" } },
  { content: "soon; url=/next", refresh: undefined },
])("a refresh of $content", ({ content, refresh }) => {
  expect(parseRefresh(content)).toEqual(refresh);
});

describe("a link that a script sends as a form", () => {
  const url = "https://auth.example/consent";
  const page = (link: string): string =>
    `<meta name="csrf-param" content="token"><meta name="csrf-token" content="secret">${link}`;
  const sentBy = (link: string): unknown =>
    readPage(page(link), { url }).links[0]?.form?.fields.map(({ name, value }) => `${name}=${value}`);

  test("says its method, with the token of the page", () => {
    expect(sentBy('<a data-method=delete href="/deny">Deny</a>')).toEqual(["_method=delete", "token=secret"]);
  });

  test("may bring a token of its own", () => {
    expect(sentBy('<a data-method=delete data-csrf=own data-to="/deny" href="#">Deny</a>')).toEqual([
      "_method=delete",
      "_csrf_token=own",
    ]);
  });

  test("takes no token to another origin", () => {
    expect(sentBy('<a data-method=post href="https://other.example/">Deny</a>')).toEqual(["_method=post"]);
  });

  test.for(['<a href="/deny">Deny</a>', '<a data-method=get href="/deny">Deny</a>'])(
    "is not one that only leads to its address: %s",
    (link) => {
      expect(sentBy(link)).toBeUndefined();
    },
  );
});
