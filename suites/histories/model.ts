import type { WhichHuman } from "../support/actors/human.ts";
import type { ClientKind } from "../support/material/clients.ts";

/**
 * What the document promises of a few grants from consent to their end. Pure, and the only file of this suite that knows the
 * document: "States and transitions"; "Authentication", OAuth 2.0 path 2; "Endpoints", POST /oauth/token and POST
 * /oauth/revoke. Where the document is silent, a state is `unknown` and nothing is expected of it.
 */

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
  /** The target ends and begins anew; `isKill`: as in a crash. `ofNode`: one of its nodes, while the others serve. */
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

type Fate =
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

const refused = (requirement: string): Expectation => ({ answer: "refused", requirement });
const accepted = (requirement: string): Expectation => ({ answer: "accepted", requirement });

const day = 86_400;

/** From when on something may have expired, and when it has: "Limits", with what clocks may differ by (C-28, C-39). */
const lifetimes = {
  code: { mayHaveEnded: 10, hasEnded: 660 },
  accessToken: { mayHaveEnded: 900 - 120, hasEnded: 900 + 60 },
  refreshToken: { mayHaveEnded: 90 * day - 3600, hasEnded: 90 * day + 3600 },
} as const;

/** @throws {TypeError} for a step that names a credential that does not exist */
export function expectationOf(state: State, step: Action): Expectation {
  switch (step.kind) {
    // What a person decides is set-up: a refusal of it makes no history.
    case "authorize":
      return any;
    // Accepted would be a code.
    case "deny":
      return refused("AUTHZ-18");
    case "exchange":
      return expectedOfExchange(grantOfCode(state, step.code), step.by);
    case "refresh":
      return expectedOfRefresh(state, step);
    // That a revocation is answered with 200, and to whom, is judged by checks of their own.
    case "revoke":
    case "wait":
    case "restart":
      return any;
    case "use":
      return expectationOfAccessToken(state, step.tokens, "JMAP");
  }
}

function expectedOfExchange(
  { client, code, codeAge, fate, generations }: Grant,
  by: ClientName,
): Expectation {
  if (code === "used")
    return refused(generations.length > 1 || fate.kind === "ended" ? "CODE-03" : "CODE-01");
  if (by !== client) return refused(by === "confidential" ? "CODE-06" : "CODE-05");
  if (codeAge > lifetimes.code.hasEnded) return refused("CODE-04");
  return code === "unused" && codeAge <= lifetimes.code.mayHaveEnded ? accepted("CODE-12") : any;
}

function expectedOfRefresh(
  state: State,
  { tokens, by, isWidening }: Extract<Action, { kind: "refresh" }>,
): Expectation {
  const { client, fate, generations, ages, newest } = grantOfTokens(state, tokens)[1];
  const rotations = generations.length - 1 - generations.indexOf(tokens);
  if (rotations > 0) return refused(rotations === 1 ? "REFRESH-03" : "REFRESH-06");
  if (fate.kind === "ended") return refused(fate.by === "reuse" ? "REFRESH-04" : "REFRESH-19");
  if (by !== client) return refused("REFRESH-11");
  const age = ages.at(-1) ?? 0;
  if (age > lifetimes.refreshToken.hasEnded) return refused("REFRESH-17");
  // The document does not say what a refresh that names scopes gets; what it may not get is judged by its answer.
  if (isWidening || fate.kind === "unknown" || newest === "unknown") return any;
  return age > lifetimes.refreshToken.mayHaveEnded ? any : accepted("REFRESH-01");
}

/** What the document says of the access token that a step issued, when it is used somewhere. */
export function expectationOfAccessToken(state: State, tokens: number, place: Place): Expectation {
  const [number, { resource, fate, generations, ages }] = grantOfTokens(state, tokens);
  if (resource === "MCP" && place === "JMAP") return refused("RES-29");
  // What the MCP endpoint makes of a token for JMAP, or of one that has ended and can be verified offline, is left open.
  if (place === "the MCP endpoint" && (resource === "JMAP" || fate.kind === "ended")) return any;
  if (fate.kind === "ended") {
    if (fate.by === "reuse") return refused("REFRESH-05");
    return refused(fate.token === "access" ? "REVOKE-03" : "REVOKE-04");
  }
  const age = ages[generations.indexOf(tokens)] ?? 0;
  if (age > lifetimes.accessToken.hasEnded)
    return refused(place === "the MCP endpoint" ? "BEARER-10" : "TOKEN-19");
  if (age > lifetimes.accessToken.mayHaveEnded) return any;
  // Whether an older access token survives a refresh is left open (REFRESH-20).
  if (fate.kind === "unknown" || generations.at(-1) !== tokens) return any;
  if (resource === "MCP") return accepted(place === "the inbox list" ? "RES-31" : "MCP-04");
  return accepted(reasonToLive(state, number));
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
  const number = step.kind === "exchange" || step.kind === "refresh" ? grantOf(state, step) : undefined;
  if (number === undefined) return true;
  // Grants of one person to one client may be one to the target (C-34).
  return (
    !state.get(number)?.isNarrowed || siblingsOf(state, number).some(([, { isNarrowed }]) => !isNarrowed)
  );
}

/** Other grants of the same person to the same client. Whether they stand apart is left open (C-34). */
function siblingsOf(state: State, number: number): (readonly [number: number, grant: Grant])[] {
  const grant = state.get(number);
  return [...state].filter(
    ([other, { client, human }]) => other !== number && client === grant?.client && human === grant.human,
  );
}

/** The other grants of the same person and client in doubt, since the target may take them for one. */
function withSiblingsInDoubt(state: State, number: number): State {
  return siblingsOf(state, number).reduce<State>(
    (so, [other, grant]) =>
      withGrant(so, other, {
        ...doubted(grant, "beside a second one of its client and person"),
        code: grant.code === "unused" ? "unknown" : grant.code,
      }),
    state,
  );
}

/** The state after a step, by whether the target accepted it. */
export function stateAfter(state: State, step: Step, isAccepted: boolean): State {
  const next = ownStateAfter(state, step, isAccepted);
  const number = step.kind === "authorize" ? step.number : grantOf(state, step);
  return number === undefined || step.kind === "use" ? next : withSiblingsInDoubt(next, number);
}

function ownStateAfter(state: State, step: Step, isAccepted: boolean): State {
  switch (step.kind) {
    case "authorize": {
      if (!isAccepted) return state;
      const { client, human, isNarrowed, resource = "JMAP" } = step;
      return withGrant(state, step.number, {
        client,
        human,
        isNarrowed,
        resource,
        code: "unused",
        codeAge: 0,
        fate: { kind: "active" },
        generations: [],
        ages: [],
        newest: "usable",
      });
    }
    case "deny":
      return new Map(
        [...state].map(([number, grant]) =>
          grant.client === step.client && grant.human === step.human
            ? [
                number,
                {
                  ...doubted(grant, "whose client the person declined afterwards"),
                  code: grant.code === "unused" ? "unknown" : grant.code,
                },
              ]
            : [number, grant],
        ),
      );
    case "exchange":
      return withGrant(state, step.code, afterExchange(grantOfCode(state, step.code), step, isAccepted));
    case "refresh": {
      const [number, grant] = grantOfTokens(state, step.tokens);
      return withGrant(state, number, afterRefresh(grant, step, isAccepted));
    }
    case "revoke": {
      const [number, grant] = grantOfTokens(state, step.tokens);
      const isLatest = siblingsOf(state, number).every(([, { generations }]) =>
        generations.every((tokens) => tokens < step.tokens),
      );
      return withGrant(state, number, afterRevocation(grant, step, isLatest));
    }
    case "use":
      return state;
    case "wait":
      return new Map([...state].map(([number, grant]) => [number, older(grant, step.seconds)]));
    // What a target has acknowledged stays true; nobody says how long a code has to live through it.
    case "restart":
      return new Map(
        [...state].map(([number, grant]) => [
          number,
          grant.code === "unused" ? { ...grant, code: "unknown" } : grant,
        ]),
      );
  }
}

function older(grant: Grant, seconds: number): Grant {
  return { ...grant, codeAge: grant.codeAge + seconds, ages: grant.ages.map((age) => age + seconds) };
}

/** The state after a step of which nobody knows whether it took effect before something else. */
export function withDoubt(state: State, step: Step): State {
  const number = grantOf(state, step);
  const grant = number === undefined ? undefined : state.get(number);
  if (number === undefined || grant === undefined) return state;
  return withGrant(state, number, {
    ...doubted(grant, "that a race has left open"),
    code: grant.code === "unused" ? "unknown" : grant.code,
  });
}

/** The number of the grant that a step is about; undefined for one that is about none that exists. */
export function grantOf(state: State, step: Action): number | undefined {
  if (step.kind === "exchange") return step.code;
  return "tokens" in step ? grantOfTokens(state, step.tokens)[0] : undefined;
}

function afterExchange(
  grant: Grant,
  { number, by }: Extract<Step, { kind: "exchange" }>,
  isAccepted: boolean,
): Grant {
  if (isAccepted)
    return {
      ...grant,
      code: "used",
      generations: [...grant.generations, number],
      ages: [...grant.ages, 0],
    };
  // CODE-09 and CODE-10 leave open what a refused exchange does to the code, and a replay to the grant.
  if (grant.code === "used")
    return doubted(
      grant,
      by === grant.client ? "whose code was replayed" : "whose used code another client presented",
    );
  return { ...grant, code: "unknown" };
}

function afterRefresh(
  grant: Grant,
  { number, tokens, by, isWidening }: Extract<Step, { kind: "refresh" }>,
  isAccepted: boolean,
): Grant {
  if (isAccepted) {
    const fate: Fate = grant.fate.kind === "ended" ? grant.fate : { kind: "active" };
    return {
      ...grant,
      fate,
      generations: [...grant.generations, number],
      ages: [...grant.ages, 0],
      newest: "usable",
    };
  }
  // Left open: whether a refresh token in the hands of another client, or one that asks for more, ends the grant.
  if (by !== grant.client) return doubted(grant, "whose refresh token another client presented");
  if (grant.generations.at(-1) === tokens)
    return isWidening ? { ...doubted(grant, "that was refused wider scopes"), newest: "unknown" } : grant;
  // A target may forget a token that could not be used any more, superseded or not.
  const age = grant.ages[grant.generations.indexOf(tokens)] ?? 0;
  if (age > lifetimes.refreshToken.mayHaveEnded)
    return doubted(grant, "whose expired refresh token was presented");
  return grant.fate.kind === "ended"
    ? grant
    : { ...grant, fate: { kind: "ended", by: "reuse", token: "refresh" } };
}

/** @param isLatest - no grant of the same person and client was given tokens since */
function afterRevocation(
  grant: Grant,
  { tokens, token, by }: Extract<Step, { kind: "revoke" }>,
  isLatest: boolean,
): Grant {
  if (grant.fate.kind === "ended") return grant;
  // REVOKE-12 and B-REV-03 leave open what the revocation of an older token, or by another client, does.
  if (by !== grant.client) return doubted(grant, "whose token another client revoked");
  if (grant.generations.at(-1) !== tokens || !isLatest)
    return doubted(grant, "whose older token was revoked");
  // So they do of the revocation of a token that has expired.
  const age = grant.ages.at(-1) ?? 0;
  if (age > lifetimes[token === "access" ? "accessToken" : "refreshToken"].mayHaveEnded)
    return doubted(grant, "whose older token was revoked");
  return { ...grant, fate: { kind: "ended", by: "revocation", token } };
}

function doubted(grant: Grant, since: Doubt): Grant {
  const { fate } = grant;
  if (fate.kind === "ended") return grant;
  const isSame = fate.kind === "active" || fate.since === since;
  return {
    ...grant,
    fate: { kind: "unknown", since: isSame ? since : "that several open questions are about" },
  };
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
