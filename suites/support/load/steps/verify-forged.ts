import { sharedAgent } from "../../material/agents.ts";
import { openChallengeStock } from "./challenge-stock.ts";
import type { LoadStep } from "../load-step.ts";
import { claimedZeros, forgedLogin } from "./forged-proof.ts";

/** `POST {auth_url}/api/v1/session` with a fresh challenge and a forged digest: costs the target a full verification, and the generator nothing. */
export const verifyForged: LoadStep = {
  name: "verify-forged",
  scryptsPerRequest: 1,
  proofsPerRequest: 0,
  at: "auth",
  async supply(target, demand) {
    const agent = await sharedAgent(target);
    const stock = await openChallengeStock(target, demand);
    return {
      next() {
        const challenge = stock.take();
        if (challenge === undefined) return undefined;
        const login = forgedLogin(target, agent, challenge, claimedZeros(challenge.difficultyBits));
        return { ...login, judgesAll: true };
      },
      close: stock.close,
    };
  },
};
