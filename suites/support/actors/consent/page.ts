/** Where something stands in the markup, for profiles that name it. */
export interface Element {
  /** Lower case. */
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** One control of a form, as a person sees it. */
export interface Field {
  /** Lower case: `text`, `password`, `hidden`, `checkbox`, `radio`, `select`, `textarea`, … */
  readonly type: string;
  readonly name: string;
  readonly value: string;
  /** For check boxes and radio buttons. */
  readonly checked: boolean;
  readonly required: boolean;
  /** For a select: its options in order. */
  readonly options: readonly Option[];
  /** For a select that takes several. */
  readonly multiple: boolean;
  /** Not shown to a person as the page stands. */
  readonly isUnseen: boolean;
  /** Label, placeholder, `autocomplete`, `aria-label` and `title`, for recognising what it asks for. */
  readonly hint: string;
  readonly element: Element;
}

export interface Option {
  readonly value: string;
  readonly text: string;
  readonly selected: boolean;
}

/** A button that submits its form. */
export interface SubmitButton {
  readonly text: string;
  readonly name: string;
  readonly value: string;
  /** It sends the coordinates of the click instead of a value. */
  readonly isImage: boolean;
  /** `formaction`, `formmethod` and `formenctype`, which win over those of the form. */
  readonly overrides: Partial<Pick<Form, "action" | "method" | "enctype">>;
  readonly element: Element;
}

export interface Form {
  /** Empty when it posts to the address of the page. */
  readonly action: string;
  /** Upper case. */
  readonly method: string;
  /** Lower case. */
  readonly enctype: string;
  readonly fields: readonly Field[];
  readonly buttons: readonly SubmitButton[];
  /** The texts of buttons that only a script gives a meaning. */
  readonly scriptButtons: readonly string[];
  /** Not shown to a person as the page stands. */
  readonly isUnseen: boolean;
  readonly element: Element;
}

export interface Link {
  readonly href: string;
  readonly text: string;
  /** What a script of the page sends in place of following it. */
  readonly form?: Form;
  readonly element: Element;
}

export interface Page {
  readonly title: string;
  /** The text of `h1` and `h2`. */
  readonly headings: string;
  /** The beginning of what is to be read. */
  readonly text: string;
  /** `<base href>`, against which links are resolved. */
  readonly base: string | undefined;
  readonly refresh: Refresh | undefined;
  readonly forms: readonly Form[];
  readonly links: readonly Link[];
  /** The addresses of documents that are shown within it. */
  readonly frames: readonly string[];
  /** Why the page was read only in part; no decision should rest on it. */
  readonly limit: string | undefined;
}

/** A page that leads on by itself. */
export interface Refresh {
  readonly seconds: number;
  /** Empty for the page itself. */
  readonly url: string;
}
