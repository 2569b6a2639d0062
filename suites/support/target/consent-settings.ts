import { z } from "zod";
import { address, assignment, line, secret } from "./profile-values.ts";

const username = line().describe("The name that the person signs in with, and by which hooks know them.");
const positive = z.number().positive();

const newInbox = z.strictObject({
  choose: assignment.describe("`name=value` of the form field or button that chooses a new inbox."),
  name: line().optional().describe("Name of the form field for the name of the new inbox."),
});

const formConsent = z.strictObject({
  driver: z.literal("form").describe("Follows redirects and fills HTML forms over HTTP."),
  username,
  password: secret,
  sign_in_with: line()
    .optional()
    .describe(
      "Text of the link or button of the identity provider to sign in with, where there is a choice.",
    ),
  fields: z
    .strictObject({ username: line().optional(), password: line().optional() })
    .prefault({})
    .describe(
      "Fields that are not recognised, each by its name, its id, or a selector of one element such as `#login`.",
    ),
  buttons: z
    .strictObject({
      sign_in: line().optional(),
      continue: line().optional(),
      approve: line().optional(),
      deny: line().optional(),
    })
    .prefault({})
    .describe(
      "Buttons and links that are not recognised, each by its text, its name, its id, or a selector such as `button.primary`.",
    ),
  approve: line().optional().describe("Short for `buttons.approve`."),
  deny: line().optional().describe("Short for `buttons.deny`."),
  read_only: assignment
    .optional()
    .describe(
      "`name=value` of the form field that narrows the grant to mail.read, when it is not recognised.",
    ),
  new_inbox: newInbox
    .optional()
    .describe("How to create an inbox on the consent page. Each run then creates one, which stays."),
});

const texts = z.union([line(), z.array(line()).min(1)]).meta({
  id: "texts",
  description:
    "A whole text, without regard to case; a list gives alternatives, such as in several languages.",
});

const locators = ["role", "label", "text", "id", "css"] as const;

const locator = z
  .strictObject({
    role: line().optional().describe("ARIA role, such as `button`, `link`, `checkbox`."),
    name: texts.optional().describe("The accessible name beside `role`."),
    label: texts.optional().describe("The label of a field."),
    text: texts.optional().describe("The text of an element."),
    id: line().optional(),
    css: line().optional().describe("A CSS selector."),
  })
  .superRefine((given, context) => {
    if (locators.filter((key) => given[key] !== undefined).length !== 1)
      context.addIssue({ code: "custom", message: `expected exactly one of ${locators.join(", ")}` });
    if (given.name !== undefined && given.role === undefined)
      context.addIssue({ code: "custom", message: "expected name beside role alone" });
  })
  .meta({ id: "element" });

const placeholders = ["username", "password", "totp", "new_inbox"] as const;

const actions = ["goto", "click", "fill", "check", "uncheck", "select", "waitFor"] as const;

const browserStep = z
  .strictObject({
    goto: address.optional(),
    click: locator.optional(),
    fill: locator.optional().describe("Types `value` into a field."),
    check: locator.optional(),
    uncheck: locator.optional(),
    select: locator.optional().describe("Chooses the option whose text or value is `value`."),
    waitFor: locator.optional().describe("Waits until it is visible."),
    value: z
      .string()
      .optional()
      .describe(
        "For `fill` and `select`. `{username}`, `{password}`, `{totp}` and `{new_inbox}` are replaced.",
      ),
    optional: z.boolean().default(false).describe("Left out where the page shows the next step instead."),
    at: z
      .string()
      .regex(/^(?:https?:\/\/|\/)/u, "expected the beginning of an address, or a path that begins with /")
      .optional()
      .describe(
        "Taken only on pages whose address, or path, begins so; `*` stands for anything. Left out elsewhere.",
      ),
  })
  .superRefine((step, context) => {
    const given = actions.filter((action) => step[action] !== undefined);
    if (given.length !== 1)
      context.addIssue({ code: "custom", message: `expected exactly one of ${actions.join(", ")}` });
    const needsValue = step.fill !== undefined || step.select !== undefined;
    if (needsValue !== (step.value !== undefined))
      context.addIssue({
        code: "custom",
        message: needsValue ? `expected value beside ${given[0]}` : "expected value beside fill or select",
      });
    for (const [, name = ""] of (step.value ?? "").matchAll(/\{(\w+)\}/gu))
      if (!placeholders.some((known) => known === name))
        context.addIssue({
          code: "custom",
          path: ["value"],
          message: `unknown placeholder {${name}}; there are ${placeholders.map((known) => `{${known}}`).join(", ")}`,
        });
  })
  .meta({ id: "step" });

const browserSteps = z.array(browserStep);

const browserSections = ["sign_in", "approve", "deny", "read_only", "new_inbox"] as const;

const browserConsent = z
  .strictObject({
    driver: z
      .literal("browser")
      .describe("Takes recorded steps in a Chromium that is installed on this machine."),
    username,
    password: secret.optional(),
    totp: secret
      .refine(
        (text) => /^(?:otpauth:\/\/totp\/.*\bsecret=|[A-Z2-7\s]+=*$)/iu.test(text),
        "expected the secret in base32, or an otpauth://totp/ address",
      )
      .optional()
      .describe("The secret of an authenticator app (RFC 6238), in base32 or as an otpauth address."),
    sign_in: browserSteps.default([]).describe("Left out as a whole while the person is signed in."),
    approve: browserSteps.default([]).describe("Approves everything that is asked for."),
    deny: browserSteps.optional().describe("Refuses."),
    read_only: browserSteps.optional().describe("Takes sending away, and approves the rest."),
    new_inbox: browserSteps
      .optional()
      .describe("Creates an inbox and approves. Each run then creates one, which stays."),
    state_file: line()
      .optional()
      .describe("Where the person's cookies are kept from run to run. Whoever reads it is signed in."),
    executable_path: line().optional().describe("The Chromium to start."),
    channel: line().optional().describe("Or an installed browser by its name, such as `chrome` or `msedge`."),
    timeout_seconds: positive.max(600).default(15).describe("How long each step is waited for."),
  })
  .superRefine((consent, context) => {
    for (const section of browserSections)
      for (const [at, { value = "" }] of (consent[section] ?? []).entries())
        for (const key of ["password", "totp"] as const)
          if (value.includes(`{${key}}`) && consent[key] === undefined)
            context.addIssue({
              code: "custom",
              path: [section, at, "value"],
              message: `uses {${key}}, but consent has no ${key}`,
            });
  });

const commandConsent = z.strictObject({
  driver: z
    .literal("command")
    .describe(
      'A program: gets `{"authorization_url", "redirect_uri", "decision", "scopes", "human", "username"}` on standard input, and writes the address that the browser is sent back to.',
    ),
  username,
  command: z.array(line()).min(1).describe("The program and its arguments."),
  timeout_seconds: positive.max(3600).default(60).describe("How long it may take for one authorization."),
});

const manualConsent = z.strictObject({
  driver: z.literal("manual").describe("Asks whoever sits at the terminal."),
  username,
  timeout_seconds: positive.max(86_400).default(300).describe("How long each answer is waited for."),
});

/** How a person signs in and decides: one of four drivers. */
export const consentSettings = z.discriminatedUnion(
  "driver",
  [formConsent, browserConsent, commandConsent, manualConsent],
  { error: 'expected driver to be "form", "browser", "command" or "manual"' },
);

export type Consent = z.output<typeof consentSettings>;
export type FormConsent = z.output<typeof formConsent>;
export type BrowserConsent = z.output<typeof browserConsent>;
export type CommandConsent = z.output<typeof commandConsent>;
export type ManualConsent = z.output<typeof manualConsent>;
export type BrowserStep = z.output<typeof browserStep>;
export type BrowserSection = (typeof browserSections)[number];
export type Locator = z.output<typeof locator>;

/** Whether the target's own answers on the way through sign-in and consent are seen, and the cookies that it sets. */
export function showsAnswers({ driver }: Pick<Consent, "driver">): boolean {
  return driver === "form" || driver === "browser";
}

/** The password, where the driver types one. */
export function passwordOf(consent: Consent): string | undefined {
  return "password" in consent ? consent.password : undefined;
}
