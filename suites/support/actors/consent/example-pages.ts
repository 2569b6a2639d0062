import type { FormConsent } from "../../target/consent-settings.ts";
import { nextStep } from "./form-steps.ts";
import { readPage } from "./html-page.ts";
import type { Decision, Step } from "./step.ts";

export const alice: FormConsent = {
  driver: "form",
  username: "alice",
  password: "correct horse",
  fields: {},
  buttons: {},
};

/** What a person does next on a page. */
export function stepOn(html: string, decision: Decision = "approve", who: FormConsent = alice): Step {
  return nextStep(readPage(html), who, decision);
}

/** A consent page with check boxes for the scopes and radio buttons for the inbox. */
export const checkBoxes = `<h1>Allow Mailer?</h1><form method=post action=/consent>
  <label><input type=checkbox name=scope value=mail.read checked> Read</label>
  <label><input type=checkbox name=scope value=mail.send checked> Send</label>
  <input type=radio name=inbox value=one><input type=radio name=inbox value=new> <input name=new_inbox>
  <button name=decision value=approve>Approve</button><button name=decision value=deny>Deny</button></form>`;
