import type { Attempt } from "../support/actors/authorization.ts";
import type { Target } from "../support/target/target.ts";
import { InconclusiveError } from "../support/verdict.ts";
import type { Exchange } from "../support/wire/exchange.ts";
import type { Outgoing } from "../support/wire/outgoing.ts";

const formType = "application/x-www-form-urlencoded";

interface PostedForm extends Outgoing {
  readonly body: string;
}

/** Whether the person's browser posts a form to the authorization server. */
export function isPostedForm(target: Target, outgoing: Outgoing): outgoing is PostedForm {
  const { method, url, headers = [], body } = outgoing;
  const isForm = headers.some(([name, value]) => name === "Content-Type" && value === formType);
  return method === "POST" && isForm && typeof body === "string" && isAtServer(target, url);
}

export function isAtServer({ authUrl }: Target, url: string): boolean {
  return url.startsWith(`${authUrl}/`);
}

/** How an attempt ended, or the page that led nowhere any more, which is a refusal. */
export type Ended = Attempt | { readonly refusal: Exchange | undefined };

export async function endOf(target: Target, attempted: () => Promise<Attempt>): Promise<Ended> {
  try {
    return await attempted();
  } catch (error) {
    if (!(error instanceof InconclusiveError) || error.code !== "consent-stuck") throw error;
    return { refusal: target.runExchanges.find(({ number }) => number === error.exchange?.number) };
  }
}
