import { mailSession } from "../actors/mail-session.ts";
import type { Target } from "../target/target.ts";
import { NotApplicableError } from "../verdict.ts";
import { freshCapability } from "./agents.ts";

/**
 * `apiUrl` of the session document that agents get, where it is an address of its own (C-53).
 *
 * @throws {NotApplicableError} when it is `{api_url}/jmap`: whatever is judged there is judged here too
 */
export async function agentsApiUrl(target: Target): Promise<string> {
  const { apiUrl } = await mailSession(target.setup, await freshCapability(target.setup));
  if (apiUrl !== URL.parse(`${target.apiUrl}/jmap`)?.href) return apiUrl;
  throw new NotApplicableError("`apiUrl` is `{api_url}/jmap`: agents have no address of their own");
}
