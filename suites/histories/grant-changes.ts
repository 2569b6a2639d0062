import {
  type Doubt,
  type Fate,
  type Grant,
  grantOf,
  grantOfCode,
  grantOfTokens,
  siblingsOf,
  type State,
  type Step,
} from "./grants.ts";
import { lifetimes } from "./limits.ts";

/**
 * What becomes of a few grants, step by step, as the document has it: "States and transitions"; "Endpoints", POST
 * /oauth/token and POST /oauth/revoke. Pure. Where the document is silent, a state is `unknown`.
 */

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
    case "restart":
      return new Map(
        [...state].map(([number, grant]) => [number, afterRestart(grant, step.ofNode === true)]),
      );
  }
}

// What a target has acknowledged stays true; nobody says how long a code has to live through it, nor a signing key.
function afterRestart(grant: Grant, isOfNode: boolean): Grant {
  const kept: Grant = grant.code === "unused" ? { ...grant, code: "unknown" } : grant;
  const newest = grant.generations.at(-1);
  return isOfNode || newest === undefined ? kept : { ...kept, newestBeforeRestart: newest };
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
