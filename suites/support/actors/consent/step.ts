import type { Parameters } from "../../wire/parameters.ts";
import type { Form, SubmitButton } from "./page.ts";

/** What the person decides on the consent page. */
export type Decision = "approve" | "approve read-only" | "approve with a new inbox" | "deny";

/** What a step is for; only a `decision` answers the question of the consent page. */
export type Purpose = "sign-in" | "decision" | "continue";

export interface Submission {
  readonly kind: "submit";
  readonly form: Form;
  /** Undefined when a script or the Enter key would submit. */
  readonly button: SubmitButton | undefined;
  readonly fields: Parameters;
  readonly purpose: Purpose;
  /** It takes sending out of what is granted. */
  readonly narrows?: true;
  /** It creates an inbox. */
  readonly createsInbox?: true;
  /** It leads to the identity provider that the person signs in with. */
  readonly choosesProvider?: true;
}

/** The next thing a person does on a page. */
export type Step =
  | Submission
  | {
      readonly kind: "follow";
      readonly href: string;
      readonly purpose: Purpose;
      /** The page leads on by itself. */
      readonly isRefresh?: true;
      readonly narrows?: true;
      readonly choosesProvider?: true;
    }
  /** `sought` reads after "looked for". */
  | { readonly kind: "stuck"; readonly sought: string };

/** What the person has done since the journey began. */
export interface Progress {
  readonly hasNarrowed: boolean;
  readonly hasCreatedInbox: boolean;
  readonly hasChosenProvider: boolean;
}
