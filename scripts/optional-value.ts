/**
 * Lets options stand without their value, which `parseArgs` does not know: `--bail` becomes `--bail=1`.
 *
 * @param defaults - of each such option
 */
export function withOptionalValues(
  args: readonly string[],
  defaults: Readonly<Record<string, string>>,
): string[] {
  return args.map((arg, at) => {
    const next = args[at + 1];
    const hasValue = next !== undefined && !next.startsWith("-");
    return Object.hasOwn(defaults, arg) && !hasValue ? `${arg}=${defaults[arg]}` : arg;
  });
}
