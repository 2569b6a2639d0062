import type { WhichHuman } from "../support/actors/human.ts";
import type { ClientKind } from "../support/material/clients.ts";

/**
 * What the document promises of a few grants from consent to their end. Pure, and the only file of this suite that knows the
 * document: "States and transitions"; "Authentication", OAuth 2.0 path 2; "Endpoints", POST /oauth/token and POST
 * /oauth/revoke. Where the document is silent, a state is `unknown` and nothing is expected of it.
 */

export type ClientName = Extract<ClientKind, "public" | "other" | "confidential">;

export type TokenKind = "access" | "refresh";

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
    }
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
  | { readonly kind: "use"; readonly tokens: number };

export type Step = Action & { readonly number: number };

type Fate =
  | { readonly kind: "active" }
  | { readonly kind: "unknown" }
  | { readonly kind: "ended"; readonly by: "reuse" | "revocation"; readonly token: TokenKind };

export interface Grant {
  readonly client: ClientName;
  readonly human: WhichHuman;
  readonly isNarrowed: boolean;
  readonly code: "unused" | "used" | "unknown";
  readonly fate: Fate;
  /** The steps that issued its tokens, oldest first: the exchange, then each refresh. */
  readonly generations: readonly number[];
  /** Whether the newest refresh token can still be used. */
  readonly newest: "usable" | "unknown";
}

/** By the number of the step that authorized it. */
export type State = ReadonlyMap<number, Grant>;

export const noGrants: State = new Map();

/** What the document says of an answer, and the requirement that says it. */
export type Expectation =
  { readonly answer: "accepted" | "refused"; readonly requirement: string } | { readonly answer: "any" };

const any: Expectation = { answer: "any" };

/** @throws {TypeError} for a step that names a credential that does not exist */
export function expectationOf(state: State, step: Action): Expectation {
  switch (step.kind) {
    // What a person decides is set-up: a refusal of it makes no history.
    case "authorize":
      return any;
    case "exchange":
      return expectedOfExchange(grantOfCode(state, step.code), step.by);
    case "refresh":
      return expectedOfRefresh(state, step);
    // That a revocation is answered with 200, and to whom, is judged by checks of their own.
    case "revoke":
      return any;
    case "use":
      return expectationOfAccessToken(state, step.tokens);
  }
}

function expectedOfExchange({ client, code, fate, generations }: Grant, by: ClientName): Expectation {
  if (code === "used") {
    const isLater = generations.length > 1 || fate.kind === "ended";
    return { answer: "refused", requirement: isLater ? "CODE-03" : "CODE-01" };
  }
  if (by !== client) return { answer: "refused", requirement: by === "confidential" ? "CODE-06" : "CODE-05" };
  return code === "unused" ? { answer: "accepted", requirement: "CODE-12" } : any;
}

function expectedOfRefresh(
  state: State,
  { tokens, by, isWidening }: Extract<Action, { kind: "refresh" }>,
): Expectation {
  const { client, fate, generations, newest } = grantOfTokens(state, tokens)[1];
  const age = generations.length - 1 - generations.indexOf(tokens);
  if (age > 0) return { answer: "refused", requirement: age === 1 ? "REFRESH-03" : "REFRESH-06" };
  if (fate.kind === "ended")
    return { answer: "refused", requirement: fate.by === "reuse" ? "REFRESH-04" : "REFRESH-19" };
  if (by !== client) return { answer: "refused", requirement: "REFRESH-11" };
  // The document does not say what a refresh that names scopes gets; what it may not get is judged by its answer.
  if (isWidening || fate.kind === "unknown" || newest === "unknown") return any;
  return { answer: "accepted", requirement: "REFRESH-01" };
}

/** What the document says of the access token that a step issued, when it is used. */
export function expectationOfAccessToken(state: State, tokens: number): Expectation {
  const [number, { fate, generations }] = grantOfTokens(state, tokens);
  if (fate.kind === "ended") {
    if (fate.by === "reuse") return { answer: "refused", requirement: "REFRESH-05" };
    return { answer: "refused", requirement: fate.token === "access" ? "REVOKE-03" : "REVOKE-04" };
  }
  // Whether an older access token survives a refresh is left open (REFRESH-20).
  if (fate.kind === "unknown" || generations.at(-1) !== tokens) return any;
  return { answer: "accepted", requirement: reasonToLive(state, number) };
}

/** An active grant that something else ended is judged as a bystander of it. */
function reasonToLive(state: State, number: number): string {
  const others = [...state].filter(([other]) => other !== number).map(([, { fate }]) => fate);
  if (others.some((fate) => fate.kind === "ended" && fate.by === "reuse")) return "REFRESH-10";
  if (others.some(({ kind }) => kind === "ended")) return "REVOKE-09";
  return "BEARER-01";
}

/** The scopes that an accepted exchange or refresh may name. */
export function mayHoldSend(state: State, step: Action): boolean {
  if (step.kind === "exchange") return !grantOfCode(state, step.code).isNarrowed;
  return step.kind !== "refresh" || !grantOfTokens(state, step.tokens)[1].isNarrowed;
}

/** The state after a step, by whether the target accepted it. */
export function stateAfter(state: State, step: Step, isAccepted: boolean): State {
  switch (step.kind) {
    case "authorize": {
      if (!isAccepted) return state;
      const { client, human, isNarrowed } = step;
      return withGrant(state, step.number, {
        client,
        human,
        isNarrowed,
        code: "unused",
        fate: { kind: "active" },
        generations: [],
        newest: "usable",
      });
    }
    case "exchange":
      return withGrant(state, step.code, afterExchange(grantOfCode(state, step.code), step, isAccepted));
    case "refresh": {
      const [number, grant] = grantOfTokens(state, step.tokens);
      return withGrant(state, number, afterRefresh(grant, step, isAccepted));
    }
    case "revoke": {
      const [number, grant] = grantOfTokens(state, step.tokens);
      return withGrant(state, number, afterRevocation(grant, step));
    }
    case "use":
      return state;
  }
}

/** What was under way together with a request, as far as it matters to its answer. */
export interface Race {
  /** `same token`: another request for the same tokens. `same grant`: another that changes its grant. */
  readonly rivals: "same token" | "same grant" | "none";
  /** The end of a grant may not have reached every part of the target yet. */
  readonly mayBeLate: boolean;
}

/**
 * The states that may follow a request that was sent together with others.
 *
 * @param isAccepted - undefined without an answer
 * @returns none where the document does not allow this answer in this state
 */
export function statesAfterRace(
  state: State,
  step: Step,
  isAccepted: boolean | undefined,
  race: Race,
): readonly State[] {
  if (!isPossible(state, step)) return [];
  if (isAccepted === undefined)
    return [true, false].flatMap((either) => statesAfterRace(state, step, either, race));
  const expected = expectationOf(state, step);
  const after = stateAfter(state, step, isAccepted);
  if (expected.answer === "any" || (expected.answer === "accepted") === isAccepted) {
    const isBeaten = step.kind === "refresh" && !isAccepted && race.rivals === "same token";
    // REFRESH-08 leaves open whether the loser of a race ends the grant.
    return [isBeaten ? withDoubt(state, step) : after];
  }
  if (isAccepted) return race.mayBeLate && lateEnds.has(expected.requirement) ? [after] : [];
  // Nothing says that one of several requests that collide has to succeed.
  return race.rivals === "none" || step.kind === "use" ? [] : [withDoubt(state, step)];
}

/** Requirements that refuse a credential since its grant has ended. */
export const lateEnds: ReadonlySet<string> = new Set([
  "REFRESH-04",
  "REFRESH-05",
  "REFRESH-19",
  "REVOKE-03",
  "REVOKE-04",
]);

function withDoubt(state: State, step: Step): State {
  const number = grantOf(state, step);
  const grant = number === undefined ? undefined : state.get(number);
  if (number === undefined || grant === undefined) return state;
  return withGrant(state, number, {
    ...doubted(grant),
    code: grant.code === "unused" ? "unknown" : grant.code,
  });
}

/** The number of the grant that a step is about; undefined for one that makes a grant. */
export function grantOf(state: State, step: Action): number | undefined {
  if (step.kind === "authorize") return undefined;
  return step.kind === "exchange" ? step.code : grantOfTokens(state, step.tokens)[0];
}

function afterExchange(grant: Grant, { number }: Step, isAccepted: boolean): Grant {
  if (isAccepted) return { ...grant, code: "used", generations: [...grant.generations, number] };
  // CODE-09 and CODE-10 leave open what a refused exchange does to the code, and a replay to the grant.
  if (grant.code === "used") return doubted(grant);
  return { ...grant, code: "unknown" };
}

function afterRefresh(
  grant: Grant,
  { number, tokens, by, isWidening }: Extract<Step, { kind: "refresh" }>,
  isAccepted: boolean,
): Grant {
  if (isAccepted) {
    const fate: Fate = grant.fate.kind === "ended" ? grant.fate : { kind: "active" };
    return { ...grant, fate, generations: [...grant.generations, number], newest: "usable" };
  }
  // Left open: whether a refresh token in the hands of another client, or one that asks for more, ends the grant.
  if (by !== grant.client) return doubted(grant);
  if (grant.generations.at(-1) === tokens)
    return isWidening ? { ...doubted(grant), newest: "unknown" } : grant;
  return grant.fate.kind === "ended"
    ? grant
    : { ...grant, fate: { kind: "ended", by: "reuse", token: "refresh" } };
}

function afterRevocation(grant: Grant, { tokens, token, by }: Extract<Step, { kind: "revoke" }>): Grant {
  if (grant.fate.kind === "ended") return grant;
  // REVOKE-12 and B-REV-03 leave open what the revocation of an older token, or by another client, does.
  if (by !== grant.client || grant.generations.at(-1) !== tokens) return doubted(grant);
  return { ...grant, fate: { kind: "ended", by: "revocation", token } };
}

function doubted(grant: Grant): Grant {
  return grant.fate.kind === "ended" ? grant : { ...grant, fate: { kind: "unknown" } };
}

function withGrant(state: State, number: number, grant: Grant): State {
  return new Map([...state, [number, grant]]);
}

function grantOfCode(state: State, code: number): Grant {
  const grant = state.get(code);
  if (grant === undefined) throw new TypeError(`no step ${code} was answered with a code`);
  return grant;
}

function grantOfTokens(state: State, tokens: number): readonly [number: number, grant: Grant] {
  const found = [...state].find(([, { generations }]) => generations.includes(tokens));
  if (found === undefined) throw new TypeError(`no step ${tokens} was answered with tokens`);
  return found;
}

/** Whether all that a step names exists. */
export function isPossible(state: State, step: Action): boolean {
  switch (step.kind) {
    case "authorize":
      // Whether two grants of one person to one client stand apart is left open (REFRESH-10/same-client).
      return ![...state.values()].some(({ client, human }) => client === step.client && human === step.human);
    case "exchange":
      return state.has(step.code);
    case "refresh":
    case "revoke":
    case "use":
      return [...state.values()].some(({ generations }) => generations.includes(step.tokens));
  }
}
