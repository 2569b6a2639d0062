import type { Check } from "../support/check.ts";
import { acceptedProofChecks } from "./accepted-proofs.ts";
import { bindingChecks } from "./binding.ts";
import { challengePlacementChecks } from "./challenge-placement.ts";
import { challengeChecks } from "./challenges.ts";
import { credentialChecks } from "./credentials.ts";
import { errorChecks } from "./errors.ts";
import { expiryChecks } from "./expiry.ts";
import { forgedChallengeChecks } from "./forged-challenges.ts";
import { malformedBodyChecks } from "./malformed-bodies.ts";
import { randomFlaws } from "./random-flaws.ts";
import { signupChecks } from "./signup.ts";
import { singleUseChecks } from "./single-use.ts";
import { unusualNonceChecks } from "./unusual-nonces.ts";
import { wrongProofChecks } from "./wrong-proofs.ts";

/** Challenges, their proofs of work and the sessions they open. Document, "Authentication", proof-of-work path 1 to 3. */
export const powChecks: readonly Check[] = [
  ...challengeChecks,
  ...signupChecks,
  ...acceptedProofChecks,
  ...wrongProofChecks,
  ...bindingChecks,
  ...unusualNonceChecks,
  ...malformedBodyChecks,
  ...challengePlacementChecks,
  ...forgedChallengeChecks,
  ...singleUseChecks,
  ...credentialChecks,
  ...expiryChecks,
  ...errorChecks,
  randomFlaws,
];
