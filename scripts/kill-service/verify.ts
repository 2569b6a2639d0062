import { randomUUID } from "node:crypto";
import { callJmap, exchangeCode, get, openSession, refresh, solve } from "./caller.ts";
import type { AcknowledgedGrant, Ledger } from "./ledger.ts";
import type { Addresses } from "./service-child.ts";

/** What a crash must not do. */
export const promises = [
  "a redeemed code is accepted again",
  "a superseded refresh token is accepted again",
  "a spent challenge is accepted again",
  "a revoked grant is active again",
  "an acknowledged grant is lost",
  "an acknowledged client is lost",
  "an acknowledged agent is lost",
  "an acknowledged email is lost",
  "a mail state is lost",
  "a sign-in session is lost",
] as const;

export type BrokenPromise = (typeof promises)[number];

/** How often each promise was looked at, and how often it was broken. */
export type Findings = Record<BrokenPromise, { checked: number; broken: number }>;

export function noFindings(): Findings {
  return Object.fromEntries(promises.map((promise) => [promise, { checked: 0, broken: 0 }])) as Findings;
}

/** More would take longer than the writing. */
const checkedSignUps = 3;

/** Compares a service that was killed and started again with what it had acknowledged. */
export async function verifyLedger(
  addresses: Addresses,
  ledger: Ledger,
  { capability, findings }: { capability: string; findings: Findings },
): Promise<void> {
  const judge = (promise: BrokenPromise, isKept: boolean): void => {
    findings[promise].checked += 1;
    if (!isKept) findings[promise].broken += 1;
  };
  judge("a sign-in session is lost", ledger.signIns === 0);
  for (const [index, grant] of ledger.grants.entries()) await verifyGrant(addresses, grant, index, judge);
  for (const clientId of ledger.clients) {
    const answered = await exchangeCode(addresses, clientId, { code: "unknown", verifier: "v".repeat(43) });
    judge("an acknowledged client is lost", answered.body["error"] === "invalid_grant");
  }
  for (const { solved, apiKey } of ledger.signUps.slice(-checkedSignUps)) {
    const replay = await openSession(addresses, solved, { username: `replay-${randomUUID()}` });
    judge("a spent challenge is accepted again", replay.status === 401);
    const login = await openSession(addresses, await solve(addresses), { apiKey });
    judge("an acknowledged agent is lost", login.status === 200);
  }
  await verifyMail(addresses, ledger, capability, judge);
}

type Judge = (promise: BrokenPromise, isKept: boolean) => void;

/** Replays end a grant, so each grant gets one of them. */
async function verifyGrant(
  addresses: Addresses,
  grant: AcknowledgedGrant,
  index: number,
  judge: Judge,
): Promise<void> {
  const { clientId, code, verifier, accessToken, refreshToken, superseded, revocation } = grant;
  const use = await get(`${addresses.auth_url}/api/v1/agents`, accessToken);
  if (revocation === "acknowledged") {
    judge("a revoked grant is active again", use.status === 401);
    const refreshed = await refresh(addresses, clientId, refreshToken);
    judge("a revoked grant is active again", refreshed.status === 400);
    return;
  }
  if (revocation === "none") judge("an acknowledged grant is lost", use.status === 200);
  const former = superseded.at(-1);
  if (index % 3 === 0) {
    const replay = await exchangeCode(addresses, clientId, { code, verifier });
    judge("a redeemed code is accepted again", replay.body["error"] === "invalid_grant");
  } else if (index % 3 === 1 && former !== undefined) {
    const replay = await refresh(addresses, clientId, former);
    judge("a superseded refresh token is accepted again", replay.body["error"] === "invalid_grant");
  } else if (revocation === "none" && !grant.isRefreshing) {
    const refreshed = await refresh(addresses, clientId, refreshToken);
    judge("an acknowledged grant is lost", refreshed.status === 200);
  }
}

async function verifyMail(
  addresses: Addresses,
  { emails, states }: Ledger,
  capability: string,
  judge: Judge,
): Promise<void> {
  const found = await callJmap(addresses, capability, "Email/get", {
    ids: emails.slice(-500),
    properties: ["id"],
  });
  const lost = new Set(found["notFound"] as string[]);
  for (const id of emails.slice(-500)) judge("an acknowledged email is lost", !lost.has(id));
  judge("a mail state is lost", Number(found["state"]) >= Math.max(0, ...states));
}
