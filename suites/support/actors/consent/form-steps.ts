import type { FormConsent } from "../../target/consent-settings.ts";
import { firstOfAlike } from "./alike-choices.ts";
import { withoutAsides } from "./asides.ts";
import { choicesOn, meaningOf, meaningOfLink, primaryButton } from "./buttons.ts";
import { agreeToOtherQuestion, decide } from "./consent-page.ts";
import { skipBeside } from "./skipped-page.ts";
import { filled, setting } from "./form-values.ts";
import { isChoice, isScope } from "./scope-fields.ts";
import { withNewInbox } from "./scope-values.ts";
import type { Form, Page } from "./page.ts";
import { followed } from "./follow-link.ts";
import { isLocatedBy } from "./locator.ts";
import {
  asksForUser,
  byPassword,
  chosenAccount,
  chosenProvider,
  identify,
  passwordField,
  signIn,
  withCredentials,
} from "./sign-in-page.ts";
import type { Decision, Progress, Step } from "./step.ts";
import { says } from "./words.ts";

/**
 * Decides what a person with these credentials and this decision does next on a page. Pure. A form that nobody sees may be a
 * trap for robots, or one that a script shows: it is used only where nothing else leads on.
 */
export function nextStep(
  whole: Page,
  person: FormConsent,
  decision: Decision,
  progress: Progress = { hasNarrowed: false, hasCreatedInbox: false, hasChosenProvider: false },
): Step {
  if (whole.limit !== undefined) return { kind: "stuck", sought: `nothing, since ${whole.limit}` };
  const seen = { ...whole, forms: whole.forms.filter(({ isUnseen }) => !isUnseen) };
  const step = stepOn(seen, person, decision, progress);
  const isComplete = step.kind !== "stuck" || seen.forms.length === whole.forms.length;
  return isComplete ? step : stepOn(whole, person, decision, progress);
}

function stepOn(whole: Page, person: FormConsent, decision: Decision, progress: Progress): Step {
  const page = withoutAsides(whole);
  const provider = (): Step | undefined => chosenProvider(page, person, progress);
  return (
    refreshed(page) ??
    (person.sign_in_with === undefined ? undefined : provider()) ??
    confirmed(page, person, decision, progress) ??
    // A new password may be asked for, and left.
    skipBeside(page) ??
    signIn(page, person) ??
    agreeToOtherQuestion(page) ??
    decide(page, person, decision, progress) ??
    chosenAccount(page, person) ??
    identify(page, person) ??
    byPassword(page) ??
    provider() ??
    newInbox(page, person, decision) ??
    framed(page) ??
    onward(page, person, decision) ??
    firstOfAlike(page) ??
    // Cookies are asked about on a page of their own, too.
    onward(whole, person, decision) ?? {
      kind: "stuck",
      sought:
        "a form to sign in with (fields.username, fields.password, buttons.sign_in), an identity provider (sign_in_with), a decision (buttons.approve, buttons.deny) or a way on (buttons.continue)",
    }
  );
}

/**
 * A consent that the person confirms with their password, or signs in with at once: there is more to choose from than in a
 * form to sign in with, or an answer that only a client is given.
 */
function confirmed(
  page: Page,
  person: FormConsent,
  decision: Decision,
  progress: Progress,
): Step | undefined {
  const isConfirmation = ({ fields, buttons }: Form): boolean => {
    if (!fields.some(({ type }) => type === "password")) return false;
    const meanings = buttons.map(meaningOf);
    const isAnswered =
      meanings.includes("deny") &&
      buttons.some((button, at) => meanings[at] === "approve" && says("grant", button.text));
    const isChosen = fields.some((field) => isScope(field) || isChoice(field)) && !fields.some(asksForUser);
    return isAnswered || isChosen;
  };
  if (!page.forms.some(isConfirmation)) return undefined;
  const step = decide(page, person, decision, progress);
  if (step?.kind === "stuck") return step;
  if (step?.kind !== "submit" || !isConfirmation(step.form)) return undefined;
  if (decision === "deny") return step;
  const secret = passwordField(step.form, person);
  const fields = step.form.fields.some(asksForUser)
    ? withCredentials(step, person)
    : // A text beside the password may be the name of a new inbox.
      secret && setting(step.fields, secret.name, person.password);
  return fields && { ...step, fields };
}

/** A page that leads on at once, or has nothing else to offer. Others only end a session that was left open. */
function refreshed({ refresh, forms }: Page): Step | undefined {
  if (refresh === undefined || refresh.url === "") return undefined;
  const isLeft = refresh.seconds <= 1 || (refresh.seconds <= 60 && forms.length === 0);
  return isLeft ? { kind: "follow", href: refresh.url, purpose: "continue", isRefresh: true } : undefined;
}

/** A page that shows its form within it, and has nothing itself that leads on. */
function framed({ forms, frames, links }: Page): Step | undefined {
  const [href, ...others] = frames;
  const leadsOn = forms.length > 0 || links.some((link) => meaningOfLink(link) === "proceed");
  if (href === undefined || others.length > 0 || leadsOn) return undefined;
  return { kind: "follow", href, purpose: "continue" };
}

/** The button or link that goes on; where there is only one, its words do not matter. */
function onward(page: Page, person: FormConsent, decision: Decision): Step | undefined {
  const { continue: locator } = person.buttons;
  const isNamed = (it: Parameters<typeof isLocatedBy>[1]): boolean =>
    locator !== undefined && isLocatedBy(locator, it);
  for (const form of page.forms) {
    const button = form.buttons.find(isNamed);
    if (button !== undefined) return submitted(form, button, person, decision);
  }
  const namedLink = page.links.find(isNamed);
  if (namedLink !== undefined) return followed(namedLink, { purpose: "continue" });

  const form =
    page.forms.find(({ buttons }) =>
      buttons.some((button) => ["proceed", "approve"].includes(meaningOf(button) ?? "")),
    ) ?? onlyForm(page);
  if (form !== undefined) return submitted(form, primaryButton(form), person, decision);

  const link =
    page.links.find((it) => ["proceed", "approve"].includes(meaningOfLink(it) ?? "")) ??
    (page.forms.length === 0 && page.links.length === 1
      ? // "Not now" below an offer, such as of a passkey, is not a decision where nothing can be approved.
        page.links.find((it) => meaningOfLink(it) === undefined || says("later", it.text))
      : undefined);
  return link && followed(link, { purpose: "continue" });
}

/** A new inbox may have a button of its own. */
function newInbox(page: Page, person: FormConsent, decision: Decision): Step | undefined {
  if (decision !== "approve with a new inbox") return undefined;
  for (const form of page.forms) {
    const { fields, button } = withNewInbox(form, person.new_inbox) ?? {};
    if (fields !== undefined && button !== undefined)
      return { kind: "submit", form, button, fields, purpose: "continue", createsInbox: true };
  }
  return undefined;
}

/** The inbox may be chosen on a page before the one that asks for approval. */
function submitted(
  form: Form,
  button: Form["buttons"][number] | undefined,
  person: FormConsent,
  decision: Decision,
): Step {
  const going = { kind: "submit", form, button, purpose: "continue" } as const;
  const creating = decision === "approve with a new inbox" ? withNewInbox(form, person.new_inbox) : undefined;
  return creating === undefined
    ? { ...going, fields: filled(form) }
    : { ...going, ...creating, createsInbox: true };
}

/** A form with one button, or one that a script would submit, such as a `form_post` response. */
function onlyForm(page: Page): Form | undefined {
  const [form, ...others] = page.forms;
  if (form === undefined || others.length > 0) return undefined;
  const [choice, ...more] = choicesOn(page);
  if (choice !== undefined) return choice.meaning === undefined && more.length === 0 ? form : undefined;
  const isHidden = form.fields.length > 0 && form.fields.every(({ type }) => type === "hidden");
  return isHidden && form.buttons.length === 0 ? form : undefined;
}
