/** Something that a run needs is missing. The message says what; `mend` how to supply it. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly mend: string;
  constructor(message: string, mend: string, options?: ErrorOptions) {
    super(message, options);
    this.mend = mend;
  }
}
