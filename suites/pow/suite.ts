import type { Check } from "../support/judging/check.ts";
import { acceptedSolution } from "./accepted-solutions.checks.ts";
import { acceptedProofChecks } from "./accepted-proofs.checks.ts";
import { bindingChecks } from "./binding.checks.ts";
import { challengeErrorChecks } from "./challenge-errors.checks.ts";
import { challengePlacementChecks } from "./challenge-placement.checks.ts";
import { challengeChecks } from "./challenges.checks.ts";
import { credentialChecks } from "./credentials.checks.ts";
import { exposedToken } from "./cross-origin.checks.ts";
import { expiryChecks } from "./expiry.checks.ts";
import { flawedSignupChecks } from "./flawed-signups.checks.ts";
import { forgedChallengeChecks } from "./forged-challenges.checks.ts";
import { guessChecks } from "./guesses.checks.ts";
import { laterReuseChecks } from "./later-reuse.checks.ts";
import { malformedBodyChecks } from "./malformed-bodies.checks.ts";
import { misreadNonceChecks } from "./misread-nonces.checks.ts";
import { namedValueChecks } from "./named-values.checks.ts";
import { otherInboxChecks } from "./other-inboxes.checks.ts";
import { ownAddressChecks } from "./own-addresses.checks.ts";
import { randomFlaws } from "./random-flaws.checks.ts";
import { requestFormChecks } from "./request-forms.checks.ts";
import { signupChecks } from "./signup.checks.ts";
import { singleUseChecks } from "./single-use.checks.ts";
import { tokenResponseChecks } from "./token-responses.checks.ts";
import { unusualNonceChecks } from "./unusual-nonces.checks.ts";
import { wholeRunChecks } from "./whole-run.checks.ts";
import { wrongProofChecks } from "./wrong-proofs.checks.ts";

/** Challenges, their proofs of work and the sessions they open. Document, "Authentication", proof-of-work path 1 to 3. */
export const powChecks: readonly Check[] = [
  ...challengeChecks,
  ...signupChecks,
  ...acceptedProofChecks,
  ...wrongProofChecks,
  ...bindingChecks,
  ...namedValueChecks,
  ...unusualNonceChecks,
  ...misreadNonceChecks,
  ...malformedBodyChecks,
  ...challengePlacementChecks,
  ...flawedSignupChecks,
  ...forgedChallengeChecks,
  ...singleUseChecks,
  ...guessChecks,
  ...laterReuseChecks,
  acceptedSolution,
  ...requestFormChecks,
  ...credentialChecks,
  ...otherInboxChecks,
  ...ownAddressChecks,
  ...expiryChecks,
  ...tokenResponseChecks,
  ...challengeErrorChecks,
  exposedToken,
  randomFlaws,
  ...wholeRunChecks,
];
