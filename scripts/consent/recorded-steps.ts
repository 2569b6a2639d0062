import { z } from "zod";

/** What a page tells of one thing that a person did. */
export const recordedAction = z.object({
  action: z.enum(["click", "fill", "check", "uncheck", "select"]),
  /** Address without query. */
  page: z.string(),
  tag: z.string(),
  type: z.string(),
  role: z.string(),
  id: z.string(),
  name: z.string(),
  autocomplete: z.string(),
  /** On a button or link. */
  text: z.string().default(""),
  /** Of a field. */
  label: z.string().default(""),
  /** Empty for a secret. */
  value: z.string().default(""),
});

export type RecordedAction = z.output<typeof recordedAction>;

/** A step as a profile has it. */
export type RecordedStep = Readonly<Record<string, unknown>>;

export interface RecordedConsent {
  readonly sign_in: readonly RecordedStep[];
  readonly decision: readonly RecordedStep[];
}

/** What a person did as the steps of a profile: sign-in ends on the page where the last credential was typed. */
export function stepsOf(actions: readonly RecordedAction[], username: string): RecordedConsent {
  const lasting = withoutCorrections(actions);
  const steps = lasting.map((action) => stepOf(action, username));
  const lastCredential = steps.findLastIndex(({ value }) =>
    ["{username}", "{password}", "{totp}"].includes(String(value)),
  );
  const next = lasting.findIndex(
    ({ page }, at) => at > lastCredential && page !== lasting[lastCredential]?.page,
  );
  const end = lastCredential < 0 ? 0 : next < 0 ? steps.length : next;
  return { sign_in: steps.slice(0, end), decision: steps.slice(end) };
}

/** What was typed again into the same field counts once. */
function withoutCorrections(actions: readonly RecordedAction[]): RecordedAction[] {
  return actions.filter((action, at) => {
    const following = actions[at + 1];
    const isRepeated =
      action.action === "fill" &&
      following?.action === "fill" &&
      following.page === action.page &&
      following.id === action.id &&
      following.name === action.name;
    return !isRepeated;
  });
}

function stepOf(action: RecordedAction, username: string): RecordedStep {
  const step = { [action.action]: locatorOf(action) };
  if (action.action === "select") return { ...step, value: action.value };
  return action.action === "fill" ? { ...step, value: valueOf(action, username) } : step;
}

function valueOf({ type, autocomplete, name, id, value }: RecordedAction, username: string): string {
  if (type === "password") return "{password}";
  if (autocomplete === "one-time-code" || /otp|one.?time/iu.test(`${name} ${id}`)) return "{totp}";
  return value.toLowerCase() === username.toLowerCase() ? "{username}" : value;
}

/** By what a person sees, where there is such; else by an id that looks lasting; else by the markup. */
function locatorOf({ tag, role, text, label, id, name, type, value, action }: RecordedAction): RecordedStep {
  if (action === "click" && text !== "")
    return { role: role === "" ? (tag === "a" ? "link" : "button") : role, name: text };
  if (label !== "") return { label };
  if (id !== "" && !/\d{4}|[0-9a-f]{8}/iu.test(id)) return { id };
  const attributes = { ...(type !== "" && { type }), ...(name !== "" && { name }) };
  const chosen = action === "fill" || action === "select" || value === "" ? {} : { value };
  const parts = Object.entries({ ...attributes, ...chosen });
  return { css: `${tag}${parts.map(([key, it]) => `[${key}=${JSON.stringify(it)}]`).join("")}` };
}
