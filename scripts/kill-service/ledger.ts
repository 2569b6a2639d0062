import type { SolvedChallenge } from "./caller.ts";

/** What the service has acknowledged in one life, and must keep. */
export interface Ledger {
  readonly clients: string[];
  readonly grants: AcknowledgedGrant[];
  readonly signUps: AcknowledgedSignUp[];
  /** Ids of emails, by when they were acknowledged. */
  readonly emails: string[];
  /** States that followed from changes of emails. */
  readonly states: number[];
  /** Whether the browser had to sign in. */
  signIns: number;
}

export interface AcknowledgedGrant {
  readonly clientId: string;
  readonly code: string;
  readonly verifier: string;
  accessToken: string;
  /** The newest one that was acknowledged. */
  refreshToken: string;
  readonly superseded: string[];
  /** A refresh was sent and not answered: it may have taken effect. */
  isRefreshing: boolean;
  /** `sent` is not answered, and may have taken effect. */
  revocation: "none" | "sent" | "acknowledged";
}

export interface AcknowledgedSignUp {
  readonly solved: SolvedChallenge;
  readonly username: string;
  readonly apiKey: string;
}

/** How many writes were acknowledged. */
export function writesIn({ clients, grants, signUps, emails }: Ledger): number {
  const ofGrants = grants.map(({ superseded }) => 1 + superseded.length);
  return clients.length + signUps.length + emails.length + ofGrants.reduce((sum, count) => sum + count, 0);
}

export function newLedger(): Ledger {
  return { clients: [], grants: [], signUps: [], emails: [], states: [], signIns: 0 };
}
