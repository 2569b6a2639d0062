import type { Check } from "../support/judging/check.ts";
import { acceptHtmlChecks } from "./accept-html.checks.ts";
import { internalUrlChecks } from "./internal-urls.checks.ts";
import { addressChecks } from "./addresses.checks.ts";
import { errorTableChecks } from "./error-table.checks.ts";
import { euroSignChecks } from "./euro-signs.checks.ts";
import { httpConductChecks } from "./http-conduct.checks.ts";
import { largeBodyChecks } from "./large-bodies.checks.ts";
import { nulCharacterChecks } from "./nul-characters.checks.ts";
import { oauthErrorShapeChecks } from "./oauth-error-shape.checks.ts";
import { objectMemberChecks } from "./object-members.checks.ts";
import { undecodableChecks } from "./undecodable.checks.ts";
import { lookingBackChecks } from "./whole-run.checks.ts";

/** Errors: their shape, their table, and what no answer of a run may be. Document, "Errors", and "Versioning". */
export const errorsChecks: readonly Check[] = [
  ...errorTableChecks,
  ...oauthErrorShapeChecks,
  ...acceptHtmlChecks,
  ...addressChecks,
  ...internalUrlChecks,
  ...httpConductChecks,
  ...nulCharacterChecks,
  ...objectMemberChecks,
  ...undecodableChecks,
  ...euroSignChecks,
  ...largeBodyChecks,
  ...lookingBackChecks,
];
