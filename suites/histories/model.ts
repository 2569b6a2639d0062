import {
  type Action,
  type ClientName,
  type Grant,
  type Place,
  grantOf,
  grantOfCode,
  grantOfTokens,
  siblingsOf,
  type State,
} from "./grants.ts";
import { lifetimes } from "./limits.ts";

/**
 * What the document promises of a few grants from consent to their end: "States and transitions"; "Authentication", OAuth
 * 2.0 path 2; "Endpoints", POST /oauth/token and POST /oauth/revoke. Pure; with `grant-changes.ts` and `limits.ts` the only
 * file of this suite that knows the document. Of what is `unknown` nothing is expected.
 */

/** What the document says of an answer, and the requirement that says it. */
export type Expectation =
  { readonly answer: "accepted" | "refused"; readonly requirement: string } | { readonly answer: "any" };

const any: Expectation = { answer: "any" };

const refused = (requirement: string): Expectation => ({ answer: "refused", requirement });
const accepted = (requirement: string): Expectation => ({ answer: "accepted", requirement });

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
  const [number, grant] = grantOfTokens(state, tokens);
  const { resource, fate, generations, ages, newestBeforeRestart = -1 } = grant;
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
  if (tokens <= newestBeforeRestart) return any;
  if (resource === "MCP") return accepted(place === "the inbox list" ? "RES-31" : "MCP-04");
  return accepted(acceptanceRequirement(state, number));
}

/** An active grant that something else ended is judged as a bystander of it. */
function acceptanceRequirement(state: State, number: number): string {
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
