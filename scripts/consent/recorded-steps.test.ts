import { expect, test } from "vitest";
import { recordedAction, stepsOf } from "./recorded-steps.ts";

const field = {
  tag: "input",
  role: "",
  id: "",
  name: "",
  autocomplete: "",
  page: "https://id.example/login",
};

function action(more: object) {
  return recordedAction.parse({ ...field, type: "text", ...more });
}

test("credentials become placeholders, and sign-in ends on the page of the last one", () => {
  const steps = stepsOf(
    [
      action({ action: "click", tag: "a", text: "Sign in with Acme", page: "https://auth.example/start" }),
      action({ action: "fill", label: "E-mail", value: "Alice@example.com" }),
      action({ action: "fill", type: "password", name: "pw" }),
      action({ action: "click", tag: "button", text: "Sign in" }),
      action({ action: "fill", name: "otp_code", page: "https://id.example/mfa" }),
      action({ action: "click", tag: "button", text: "Verify", page: "https://id.example/mfa" }),
      action({ action: "uncheck", type: "checkbox", id: "send", page: "https://auth.example/consent" }),
      action({ action: "click", tag: "button", text: "Allow", page: "https://auth.example/consent" }),
    ],
    "alice@example.com",
  );
  expect(steps.sign_in).toEqual([
    { click: { role: "link", name: "Sign in with Acme" } },
    { fill: { label: "E-mail" }, value: "{username}" },
    { fill: { css: 'input[type="password"][name="pw"]' }, value: "{password}" },
    { click: { role: "button", name: "Sign in" } },
    { fill: { css: 'input[type="text"][name="otp_code"]' }, value: "{totp}" },
    { click: { role: "button", name: "Verify" } },
  ]);
  expect(steps.decision).toEqual([{ uncheck: { id: "send" } }, { click: { role: "button", name: "Allow" } }]);
});

test("a person who is signed in already has a decision alone", () => {
  const allow = action({ action: "click", tag: "button", text: "Allow" });
  expect(stepsOf([allow], "alice")).toEqual({
    sign_in: [],
    decision: [{ click: { role: "button", name: "Allow" } }],
  });
});

test("what is typed again counts once, and an id that looks generated is not used", () => {
  const typed = (value: string) => action({ action: "fill", id: "field-83741", name: "user", value });
  expect(stepsOf([typed("alic"), typed("alice")], "alice").sign_in).toEqual([
    { fill: { css: 'input[type="text"][name="user"]' }, value: "{username}" },
  ]);
});
