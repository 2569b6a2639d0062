import { expect, test } from "vitest";
import { fieldsOf, multipartForm, urlEncoded, withFields } from "./posted-form.ts";

const fields = [
  ["csrf", "a b+c"],
  ["scope", "mail.read"],
  ["scope", "mail.send"],
  ["empty", ""],
  ['with "quotes"', "two\r\nlines"],
] as const;

test("a multipart form holds the fields that were put into it, as the platform reads it", async () => {
  const form = multipartForm(fields);
  const read = await new Response(form.body, { headers: { "Content-Type": form.contentType } }).formData();
  expect([...read]).toEqual(fields);
  expect(fieldsOf(form)).toEqual(fields);
});

test.for([
  { form: multipartForm([["a", "1"]]), why: "multipart/form-data" },
  { form: { contentType: urlEncoded, body: "a=1" }, why: "urlencoded" },
])("a form sent as $why keeps its encoding when its fields are changed", ({ form }) => {
  const changed = withFields(form, fields);
  expect(changed.contentType).toBe(form.contentType);
  expect(fieldsOf(changed)).toEqual(fields);
});

test("a body that is not a form holds no fields", () => {
  expect(fieldsOf({ contentType: "application/json", body: "{}" })).toBeUndefined();
});
