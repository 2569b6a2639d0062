/** Something that a run needs is missing. The message says what; `fix` how to supply it. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly fix: string;
  constructor(message: string, fix: string, options?: ErrorOptions) {
    super(message, options);
    this.fix = fix;
  }
}
