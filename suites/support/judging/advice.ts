import { type Finding, Violation, warning } from "../verdict.ts";

/** Judges what an RFC alone asks for: where the document is silent, a violation is a warning and fails nothing. */
export function advise(judge: () => Finding | undefined | void): Finding | undefined {
  try {
    return judge() ?? undefined;
  } catch (error) {
    if (error instanceof Violation) return warning(error.message);
    throw error;
  }
}
