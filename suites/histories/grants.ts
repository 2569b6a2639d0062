import type { WhichHuman } from "../support/actors/human.ts";
import type { ClientKind } from "../support/material/clients.ts";

/** What histories speak of: the requests of callers, and the grants that they are about. */

export type ClientName = Extract<ClientKind, "public" | "other" | "confidential">;

export type TokenKind = "access" | "refresh";

export type ResourceName = "JMAP" | "MCP";

/** Where an access token is used. */
export type Place = "JMAP" | "the inbox list" | "the MCP endpoint";

/**
 * One request of a caller. A credential goes by the number of the step that issued it, so that a history from which steps
 * were taken still means the same.
 */
export type Action =
  /** Asks for both scopes; `isNarrowed`: the person leaves `mail.read` alone. */
  | {
      readonly kind: "authorize";
      readonly client: ClientName;
      readonly human: WhichHuman;
      readonly isNarrowed: boolean;
      /** JMAP unless given. */
      readonly resource?: ResourceName;
    }
  /** The person declines. */
  | { readonly kind: "deny"; readonly client: ClientName; readonly human: WhichHuman }
  | { readonly kind: "exchange"; readonly code: number; readonly by: ClientName }
  /** `isWidening`: names both scopes. */
  | {
      readonly kind: "refresh";
      readonly tokens: number;
      readonly by: ClientName;
      readonly isWidening: boolean;
    }
  | { readonly kind: "revoke"; readonly tokens: number; readonly token: TokenKind; readonly by: ClientName }
  /** Uses the access token. */
  | { readonly kind: "use"; readonly tokens: number }
  /** Time passes on the target's clock. */
  | { readonly kind: "wait"; readonly seconds: number }
  /** The target ends and starts again; `isKill`: as in a crash. `ofNode`: one of its nodes, while the others serve. */
  | { readonly kind: "restart"; readonly isKill: boolean; readonly ofNode?: true };

export type Step = Action & { readonly number: number };

/** What the document does not decide about a grant that it happened to. Reads after "a grant". */
export type Doubt =
  | "whose code was replayed"
  | "whose used code another client presented"
  | "whose refresh token another client presented"
  | "whose older token was revoked"
  | "whose token another client revoked"
  | "that was refused wider scopes"
  | "whose expired refresh token was presented"
  | "beside a second one of its client and person"
  | "whose client the person declined afterwards"
  | "that a race has left open"
  | "that several open questions are about";

export type Fate =
  | { readonly kind: "active" }
  | { readonly kind: "unknown"; readonly since: Doubt }
  | { readonly kind: "ended"; readonly by: "reuse" | "revocation"; readonly token: TokenKind };

export interface Grant {
  readonly client: ClientName;
  readonly human: WhichHuman;
  readonly isNarrowed: boolean;
  readonly resource: ResourceName;
  readonly code: "unused" | "used" | "unknown";
  /** Seconds on the target's clock since the code was issued. */
  readonly codeAge: number;
  readonly fate: Fate;
  /** The steps that issued its tokens, oldest first: the exchange, then each refresh. */
  readonly generations: readonly number[];
  /** Seconds on the target's clock since each of them. */
  readonly ages: readonly number[];
  /** The last of them before the target was restarted, which may have other signing keys since. */
  readonly newestBeforeRestart?: number;
  /** Whether the newest refresh token can still be used. */
  readonly newest: "usable" | "unknown";
}

/** By the number of the step that authorized it. */
export type State = ReadonlyMap<number, Grant>;

export const noGrants: State = new Map();

/** The number of the grant that a step is about; undefined for one that is about none that exists. */
export function grantOf(state: State, step: Action): number | undefined {
  if (step.kind === "exchange") return step.code;
  return "tokens" in step ? grantOfTokens(state, step.tokens)[0] : undefined;
}

/** @throws {TypeError} when no step was answered with such a code */
export function grantOfCode(state: State, code: number): Grant {
  const grant = state.get(code);
  if (grant === undefined) throw new TypeError(`no step ${code} was answered with a code`);
  return grant;
}

/** @throws {TypeError} when no step was answered with such tokens */
export function grantOfTokens(state: State, tokens: number): readonly [number: number, grant: Grant] {
  const found = [...state].find(([, { generations }]) => generations.includes(tokens));
  if (found === undefined) throw new TypeError(`no step ${tokens} was answered with tokens`);
  return found;
}

/** Other grants of the same person to the same client. Whether they stand apart is left open (C-34). */
export function siblingsOf(state: State, number: number): (readonly [number: number, grant: Grant])[] {
  const grant = state.get(number);
  return [...state].filter(
    ([other, { client, human }]) => other !== number && client === grant?.client && human === grant.human,
  );
}

/** Whether all that a step names exists. */
export function isPossible(state: State, step: Action): boolean {
  switch (step.kind) {
    case "authorize":
    case "deny":
    case "wait":
    case "restart":
      return true;
    case "exchange":
      return state.has(step.code);
    case "refresh":
    case "revoke":
    case "use":
      return [...state.values()].some(({ generations }) => generations.includes(step.tokens));
  }
}
