import { expect, test } from "vitest";
import { escapeHtml, html } from "./html-text.ts";

test.for([
  {
    text: `<b a="1" c='2'>&amp;`,
    escaped: "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;",
    why: "markup characters",
  },
  { text: "a\u{0}b\u{1B}[2Jc", escaped: String.raw`a\u{0}b\u{1b}[2Jc`, why: "control characters" },
  { text: "a\u{202E}b", escaped: String.raw`a\u{202e}b`, why: "bidirectional controls" },
  { text: "a\u{D800}b", escaped: String.raw`a\u{d800}b`, why: "an unpaired surrogate" },
  { text: "a\n\tß 😀", escaped: "a\n\tß 😀", why: "unchanged text" },
])("$why", ({ text, escaped }) => {
  expect(escapeHtml(text)).toBe(escaped);
});

test("interpolated values are escaped, except templates and lists of templates", () => {
  const items = ["<1>", "<2>"].map((item) => html`<li>${item}</li>`);
  expect(html`${items}`.markup).toBe("<li>&lt;1&gt;</li><li>&lt;2&gt;</li>");
  expect(html`<i title="${'"<'}">${3}</i>`.markup).toBe('<i title="&quot;&lt;">3</i>');
});
