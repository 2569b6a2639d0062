import type { FormConsent } from "../../target/consent-settings.ts";
import { valueOf } from "../../wire/parameters.ts";
import {
  affirmative,
  type Choice,
  choicesOn,
  meaningOfLink,
  meaningOfText,
  negative,
  primaryButton,
} from "./buttons.ts";
import { chosenAnswer, type ChosenAnswer } from "./chosen-answer.ts";
import { filled, setting } from "./form-values.ts";
import { asksAboutSending, isChoice, isScope } from "./scope-fields.ts";
import { narrowedFields, narrowingButton, withNewInbox, withoutScopes, withScopes } from "./scope-values.ts";
import { isReadOnly, isWide } from "./narrow-choices.ts";
import type { Field, Link, Page } from "./page.ts";
import { followed } from "./follow-link.ts";
import { isLocatedBy } from "./locator.ts";
import { asksForUser } from "./sign-in-page.ts";
import type { Decision, Progress, Step } from "./step.ts";
import { refusesSending, says, wordsOf } from "./words.ts";

/** The decision on a page that asks for one; undefined on every other page. */
export function decide(
  page: Page,
  person: FormConsent,
  decision: Decision,
  progress: Progress,
): Step | undefined {
  const named = namedDecision(page, person, decision);
  if (named !== undefined && "href" in named) return followed(named, { purpose: "decision" });
  const choices = choicesOn(page);
  if (named === undefined && !asksForDecision(page, choices))
    return decideByLink(page, choices, person, decision, progress);
  return decision === "deny"
    ? deny(page, named, person)
    : answered(page, approve(page, named, person, decision, progress), person);
}

/** The approval with its own choice made, where the page has one to make before the form is sent. */
function answered(
  page: Page,
  step: Step | undefined,
  { read_only: readOnly }: FormConsent,
): Step | undefined {
  const chosen = chosenAnswer(page, "approve");
  if (chosen === undefined || step?.kind !== "submit" || step.form !== chosen.form) return step;
  // "Allow reading only" beside "Allow" is the answer already, and so is "No" for sending, or what the profile names.
  const isLeft = ({ name, narrow }: ChosenAnswer["chosen"][number]): boolean =>
    step.narrows === true &&
    (asksAboutSending(name) ||
      readOnly?.startsWith(`${name}=`) === true ||
      (narrow !== undefined && valueOf(step.fields, name) === narrow));
  const fields = chosen.chosen
    .filter((it) => !isLeft(it))
    .reduce((sent, { name, value }) => setting(sent, name, value), step.fields);
  return { ...step, fields };
}

/** The button or link that the profile names for this decision. */
function namedDecision(page: Page, person: FormConsent, decision: Decision): Choice | Link | undefined {
  const locator =
    decision === "deny" ? (person.buttons.deny ?? person.deny) : (person.buttons.approve ?? person.approve);
  if (locator === undefined) return undefined;
  for (const form of page.forms) {
    const button = form.buttons.find((candidate) => isLocatedBy(locator, candidate));
    if (button !== undefined) return { form, button, meaning: undefined };
  }
  return page.links.find((link) => isLocatedBy(locator, link));
}

/**
 * Scopes to choose from, or a button that approves, make a consent page. "Continue" beside "Cancel" does where nothing else
 * is asked for.
 */
function asksForDecision(page: Page, choices: readonly Choice[]): boolean {
  const fields = page.forms.flatMap((form) => form.fields);
  if (choices.length > 0 && fields.some(isScope)) return true;
  // "Confirm" below a user name is still sign-in; "Allow" below a password too may be both.
  const isBoth = ({ form, button }: Choice): boolean =>
    says("grant", button.text) && form.fields.some(({ type }) => type === "password");
  const isSignIn = (choice: Choice): boolean =>
    choice.form.fields.some(asksForUser) && !choice.form.fields.some(isChoice) && !isBoth(choice);
  if (choices.some((choice) => choice.meaning === "approve" && !isSignIn(choice))) return true;
  if (fields.some(asksForUser) && !fields.some(isChoice)) return false;
  if (chosenAnswer(page, "approve") !== undefined) return true;
  const refuses = negative(choices) !== undefined || denialLink(page) !== undefined;
  return affirmative(choices) !== undefined && refuses && !fields.some(isInput);
}

/** A control with which a person chooses or types something. */
function isInput({ type }: Field): boolean {
  return type !== "hidden" && type !== "checkbox";
}

function deny(page: Page, named: Choice | undefined, person: FormConsent): Step | undefined {
  const choices = choicesOn(page);
  const button = named ?? negative(choices);
  const chosen = button === undefined ? chosenAnswer(page, "deny") : undefined;
  if (chosen !== undefined) {
    const { form } = chosen;
    const fields = chosen.chosen.reduce((sent, { name, value }) => setting(sent, name, value), filled(form));
    return { kind: "submit", form, button: primaryButton(form), fields, purpose: "decision" };
  }
  const link = denialLink(page, person);
  // A button that is only left beside an approval may be for something else, where a link says that it denies.
  const isGuess = button !== undefined && button.meaning !== "deny" && button !== named;
  if (button !== undefined && !(isGuess && link !== undefined))
    return { kind: "submit", ...button, fields: filled(button.form), purpose: "decision" };
  if (link !== undefined) return followed(link, { purpose: "decision" });
  const form = page.forms.find(({ fields }) => fields.some(isScope));
  const isDenial = (text: string): boolean => meaningOfText(text) === "deny";
  // Where a script cancels, it sends the form without a scope.
  if (form?.scriptButtons.some(isDenial))
    return { kind: "submit", form, button: undefined, fields: withoutScopes(form), purpose: "decision" };
  // Without scopes, a single "Accept" may be about something else.
  const mayBeOther =
    choices.length === 1 &&
    !choices.some(({ form: { scriptButtons } }) => scriptButtons.some(isDenial)) &&
    !choices.some(({ button: { text } }) => says("grant", text)) &&
    !page.links.some((it) => meaningOfLink(it) === "back");
  if (form === undefined && mayBeOther) return undefined;
  return { kind: "stuck", sought: "a button or link that denies (name it in buttons.deny)" };
}

/** The decision where a page has no form for it, but a link for either answer. */
function decideByLink(
  page: Page,
  choices: readonly Choice[],
  person: FormConsent,
  decision: Decision,
  { hasNarrowed }: Progress,
): Step | undefined {
  const denial = denialLink(page, person);
  const approvals = page.links.filter((link) => meaningOfLink(link) === "approve");
  const { narrow, widest } = byBreadth(approvals, ({ text }) => text);
  const approval = widest ?? approvals.find((link) => link !== narrow);
  if (denial === undefined || approval === undefined || affirmative(choices) !== undefined) return undefined;
  const purpose = "decision";
  if (decision === "deny") return followed(denial, { purpose });
  if (decision === "approve" || hasNarrowed) return followed(approval, { purpose });
  return narrow === undefined
    ? { kind: "stuck", sought: "a link that narrows the grant to reading" }
    : followed(narrow, { purpose, narrows: true });
}

/** Where a page has a button or link for each breadth of a grant: the one without sending, and the one with it. */
function byBreadth<Item>(
  approvals: readonly Item[],
  textOf: (approval: Item) => string,
): { readonly narrow: Item | undefined; readonly widest: Item | undefined } {
  const widest = approvals.find((it) => isWide(textOf(it)));
  const narrow = approvals.find(
    (it) =>
      isReadOnly(textOf(it)) ||
      refusesSending(textOf(it)) ||
      (widest !== undefined && says("read", textOf(it)) && !isWide(textOf(it))),
  );
  return { narrow, widest };
}

/** A link such as "Cancel"; one that names the person leads to another account. */
function denialLink(page: Page, person?: FormConsent): Link | undefined {
  const username = person === undefined ? "" : wordsOf(person.username);
  return page.links.find(
    (link) => meaningOfLink(link) === "deny" && (username === "" || !wordsOf(link.text).includes(username)),
  );
}

/** The button that the profile names for a narrowed approval. */
function pressedToNarrow(
  choices: readonly Choice[],
  { read_only: readOnly }: FormConsent,
): Pick<Choice, "form" | "button"> | undefined {
  for (const form of new Set(choices.map((choice) => choice.form))) {
    const button = narrowingButton(form, readOnly);
    if (button !== undefined) return { form, button };
  }
  return undefined;
}

function approve(
  page: Page,
  named: Choice | undefined,
  person: FormConsent,
  decision: Exclude<Decision, "deny">,
  { hasNarrowed }: Progress,
): Step | undefined {
  const choices = choicesOn(page);
  const approvals = choices.filter(
    // "Reading only" beside "Allow" approves as well.
    ({ meaning, button }) => meaning === "approve" || (meaning === undefined && isReadOnly(button.text)),
  );
  const { narrow, widest } = byBreadth(approvals, ({ button }) => button.text);
  const isNarrowing = decision === "approve read-only";
  const pressed = isNarrowing ? pressedToNarrow(choices, person) : undefined;
  if (pressed !== undefined)
    return { kind: "submit", ...pressed, fields: filled(pressed.form), purpose: "decision", narrows: true };
  if (isNarrowing && narrow !== undefined)
    return { kind: "submit", ...narrow, fields: filled(narrow.form), purpose: "decision", narrows: true };
  // "Allow all" beside "Allow selected" may not look at what is chosen.
  const bySelection = approvals.find(({ button }) => !says("everything", button.text));
  const approval =
    named ??
    (isNarrowing ? bySelection : undefined) ??
    widest ??
    affirmative(choices.filter((choice) => choice !== narrow));
  if (approval === undefined)
    return { kind: "stuck", sought: "a button that approves (name it in buttons.approve)" };
  const { form } = approval;
  const creating = decision === "approve with a new inbox" ? withNewInbox(form, person.new_inbox) : undefined;
  if (creating !== undefined)
    return { kind: "submit", ...approval, ...creating, purpose: "decision", createsInbox: true };
  if (!isNarrowing) return { kind: "submit", ...approval, fields: withScopes(form), purpose: "decision" };
  const fields = narrowedFields(form, person.read_only);
  if (fields !== undefined)
    return { kind: "submit", ...approval, fields, purpose: "decision", narrows: true };
  // Where nothing can be refused, a choice may be of the inbox, and the scopes on the next page.
  const mayComeLater =
    negative(choices) === undefined &&
    chosenAnswer(page, "approve") === undefined &&
    form.fields.some(isChoice);
  if (hasNarrowed || mayComeLater)
    return { kind: "submit", ...approval, fields: filled(form), purpose: "decision" };
  return {
    kind: "stuck",
    sought: "a way to narrow the grant to reading (name the field in consent.read_only as name=value)",
  };
}

/**
 * Pages beside the question that the client asks: "stay signed in?" and terms of use. Their "No" and "Decline" are not
 * the person's decision about the client.
 */
export function agreeToOtherQuestion(page: Page): Step | undefined {
  const fields = page.forms.flatMap((form) => form.fields);
  if (fields.some((field) => isScope(field) || field.type === "password")) return undefined;
  const choices = choicesOn(page);
  const heading = `${page.title} ${page.headings}`;
  const isSessionAlone = says("staySignedIn", heading);
  // "Allow" beside "Deny" is about the client, whatever else the page says.
  const isAboutClient =
    choices.some(({ button }) => says("grant", button.text)) && negative(choices) !== undefined;
  if (isAboutClient && !isSessionAlone) return undefined;
  const isAboutSession =
    isSessionAlone ||
    choices.some(({ button }) => says("staySignedIn", `${button.text} ${button.name} ${button.value}`));
  const asksForTerms =
    says("terms", heading) ||
    (negative(choices) === undefined &&
      fields.some(({ type, name, hint }) => type === "checkbox" && says("terms", `${name} ${hint}`)));
  if (!isAboutSession && !asksForTerms) return undefined;
  const agreement = affirmative(choices);
  return agreement && { kind: "submit", ...agreement, fields: filled(agreement.form), purpose: "continue" };
}
