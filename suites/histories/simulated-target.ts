import type { WhichHuman } from "../support/actors/human.ts";
import type { Action, ClientName, Place, ResourceName, Step } from "./grants.ts";

/** What a target may choose where the document is silent. */
export interface TargetChoices {
  /** What a second consent of one person to one client makes (C-34). */
  readonly secondGrant:
    "another grant" | "the only grant" | "the same grant, with all tokens" | "the same chain";
  readonly olderAccessToken: "lives" | "ends";
  readonly refusedExchange: "keeps the code" | "uses the code up";
  readonly replayedCode: "ends the grant" | "changes nothing";
  readonly foreignRefresh: "ends the grant" | "changes nothing";
  readonly olderRevocation: "ends the grant" | "changes nothing";
  readonly widerScopes: "are left out" | "are refused" | "are refused and end the grant";
  readonly declined: "changes nothing" | "ends the grants";
  /** Seconds before its time that something expires, and after it. */
  readonly clockLeeway: number;
}

interface Code {
  readonly client: ClientName;
  readonly human: WhichHuman;
  readonly isNarrowed: boolean;
  readonly resource: ResourceName;
  readonly issuedAt: number;
  grant: SimulatedGrant | undefined;
  isVoid: boolean;
}

interface SimulatedGrant {
  readonly client: ClientName;
  readonly human: WhichHuman;
  canSend: boolean;
  hasEnded: boolean;
}

interface Tokens {
  readonly grant: SimulatedGrant;
  readonly resource: ResourceName;
  readonly issuedAt: number;
  isCurrent: boolean;
  isServed: boolean;
}

export interface SimulatedAnswer {
  readonly isAccepted: boolean;
  readonly canSend?: boolean;
}

/** Everything that a target may choose. */
const permitted = {
  secondGrant: ["another grant", "the only grant", "the same grant, with all tokens", "the same chain"],
  olderAccessToken: ["lives", "ends"],
  refusedExchange: ["keeps the code", "uses the code up"],
  replayedCode: ["ends the grant", "changes nothing"],
  foreignRefresh: ["ends the grant", "changes nothing"],
  olderRevocation: ["ends the grant", "changes nothing"],
  widerScopes: ["are left out", "are refused", "are refused and end the grant"],
  declined: ["changes nothing", "ends the grants"],
  clockLeeway: [0, 30, 55],
} as const satisfies { [Name in keyof TargetChoices]: readonly TargetChoices[Name][] };

export function drawnChoices(random: () => number): TargetChoices {
  function drawn<Option>(options: readonly Option[]): Option {
    const option = options[Math.floor(random() * options.length)];
    if (option === undefined) throw new TypeError("nothing is permitted");
    return option;
  }
  return {
    secondGrant: drawn(permitted.secondGrant),
    olderAccessToken: drawn(permitted.olderAccessToken),
    refusedExchange: drawn(permitted.refusedExchange),
    replayedCode: drawn(permitted.replayedCode),
    foreignRefresh: drawn(permitted.foreignRefresh),
    olderRevocation: drawn(permitted.olderRevocation),
    widerScopes: drawn(permitted.widerScopes),
    declined: drawn(permitted.declined),
    clockLeeway: drawn(permitted.clockLeeway),
  };
}

/** A target in memory that does what the document says, written without the model: it shows which choices a model must allow. */
export function simulatedTarget(choices: TargetChoices) {
  const codes = new Map<number, Code>();
  const grants: SimulatedGrant[] = [];
  const issued = new Map<number, Tokens>();
  let now = 0;

  const refused: SimulatedAnswer = { isAccepted: false };

  function issue(number: number, grant: SimulatedGrant, resource: ResourceName): SimulatedAnswer {
    issued.set(number, { grant, resource, issuedAt: now, isCurrent: true, isServed: true });
    return { isAccepted: true, canSend: grant.canSend };
  }

  function grantFor({ client, human, isNarrowed }: Code): SimulatedGrant {
    const older = grants.filter((one) => one.client === client && one.human === human && !one.hasEnded);
    const [first] = older;
    const isSame = choices.secondGrant.startsWith("the same");
    if (first !== undefined && isSame) {
      first.canSend ||= !isNarrowed;
      if (choices.secondGrant === "the same chain")
        for (const tokens of issued.values()) if (tokens.grant === first) tokens.isCurrent = false;
      return first;
    }
    if (choices.secondGrant === "the only grant") for (const one of older) one.hasEnded = true;
    const grant = { client, human, canSend: !isNarrowed, hasEnded: false };
    grants.push(grant);
    return grant;
  }

  function exchange(number: number, code: Code, by: ClientName): SimulatedAnswer {
    if (code.grant !== undefined) {
      if (choices.replayedCode === "ends the grant") code.grant.hasEnded = true;
      return refused;
    }
    if (by !== code.client) {
      if (choices.refusedExchange === "uses the code up") code.isVoid = true;
      return refused;
    }
    if (code.isVoid || now - code.issuedAt > 60 + choices.clockLeeway) return refused;
    code.grant = grantFor(code);
    return issue(number, code.grant, code.resource);
  }

  function refresh(
    number: number,
    tokens: Tokens,
    { by, isWidening }: Extract<Action, { kind: "refresh" }>,
  ): SimulatedAnswer {
    const { grant } = tokens;
    if (by !== grant.client) {
      if (choices.foreignRefresh === "ends the grant") grant.hasEnded = true;
      return refused;
    }
    const hasExpired = now - tokens.issuedAt > 90 * 86_400 + choices.clockLeeway;
    // What has expired is forgotten, superseded or not.
    if (hasExpired || grant.hasEnded) return refused;
    if (!tokens.isCurrent) {
      grant.hasEnded = true;
      return refused;
    }
    if (isWidening && !grant.canSend && choices.widerScopes !== "are left out") {
      if (choices.widerScopes === "are refused and end the grant") grant.hasEnded = true;
      return refused;
    }
    tokens.isCurrent = false;
    if (choices.olderAccessToken === "ends") tokens.isServed = false;
    return issue(number, grant, tokens.resource);
  }

  function revoke(tokens: Tokens, { by, token }: Extract<Action, { kind: "revoke" }>): SimulatedAnswer {
    const isOlder = token === "refresh" ? !tokens.isCurrent : !tokens.isServed || now - tokens.issuedAt > 900;
    const isLatest = [...issued.values()].findLast(({ grant }) => grant === tokens.grant) === tokens;
    if (by !== tokens.grant.client) return { isAccepted: true };
    if ((isOlder || !isLatest) && choices.olderRevocation === "changes nothing") return { isAccepted: true };
    tokens.grant.hasEnded = true;
    return { isAccepted: true };
  }

  function tokensOf(step: number): Tokens {
    const tokens = issued.get(step);
    if (tokens === undefined) throw new TypeError(`step ${step} issued no tokens`);
    return tokens;
  }

  return {
    answer(step: Step): SimulatedAnswer {
      switch (step.kind) {
        case "authorize": {
          const { client, human, isNarrowed, resource = "JMAP" } = step;
          const code = {
            client,
            human,
            isNarrowed,
            resource,
            issuedAt: now,
            grant: undefined,
            isVoid: false,
          };
          codes.set(step.number, code);
          return { isAccepted: true };
        }
        case "deny":
          if (choices.declined === "ends the grants")
            for (const grant of grants)
              if (grant.client === step.client && grant.human === step.human) grant.hasEnded = true;
          return refused;
        case "exchange": {
          const code = codes.get(step.code);
          return code === undefined ? refused : exchange(step.number, code, step.by);
        }
        case "refresh":
          return refresh(step.number, tokensOf(step.tokens), step);
        case "revoke":
          return revoke(tokensOf(step.tokens), step);
        case "use":
          return { isAccepted: this.serves(step.tokens, "JMAP") };
        case "restart":
          return { isAccepted: true };
        case "wait":
          now += step.seconds;
          return { isAccepted: true };
      }
    },
    /** Whether an access token is served. */
    serves(step: number, place: Place): boolean {
      const { grant, resource, issuedAt, isServed } = tokensOf(step);
      if (resource === "MCP" && place === "JMAP") return false;
      if (resource === "JMAP" && place === "the MCP endpoint") return false;
      return isServed && !grant.hasEnded && now - issuedAt <= 900 + choices.clockLeeway;
    },
  };
}
