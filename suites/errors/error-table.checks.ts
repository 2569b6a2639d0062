import { check, type Need, requirementOf } from "../support/judging/check.ts";
import { formParameters } from "../support/wire/exchange.ts";
import { valueOf } from "../support/wire/parameters.ts";
import type { Target } from "../support/target/target.ts";
import { type Warning, InconclusiveError, Violation, warning } from "../support/verdict.ts";
import { type Endpoint, type OAuthAnswer, oauthAnswers, redirectedCodes, type Run } from "./oauth-answers.ts";
import { lostRace, mayBeUnauthorized } from "./open-answers.ts";
import { placeOf } from "./places.ts";
import {
  beyondClientScope,
  listWithUnknownToken,
  queryOfForeignInbox,
  queryWithForgedToken,
  readOnlySend,
  type Sample,
  unknownClient,
  unknownClientAtToken,
  unknownCode,
  withoutState,
} from "./samples.ts";

/** One status of the document's error table. */
interface TableRow {
  readonly id: string;
  readonly claim: string;
  readonly needs?: readonly Need[];
  readonly codes: readonly string[];
  readonly status: number;
  /** Where these codes mean what the table says. */
  readonly endpoints: readonly Endpoint[];
  /** Answers for which the interpretations leave the status open. */
  readonly isOpen?: (answer: OAuthAnswer, run: Run) => boolean;
  /** Why another status is tolerated, with a warning. */
  readonly tolerated?: (answer: OAuthAnswer) => string | undefined;
  /** Requests that are refused so, for endpoints where the run has seen none. */
  readonly samples: readonly { readonly endpoint: Endpoint; readonly send: Sample }[];
}

const human = ["human"] as const;

const rows: readonly TableRow[] = [
  {
    id: "ERR-03/every-answer",
    claim:
      "Every answer of the run with `invalid_request`, `unsupported_response_type` or `unsupported_grant_type` has status 400.",
    // What the table does not list has a code of RFC 6749 or `invalid_request`, and 400 either way (C-03).
    codes: ["invalid_request", "unsupported_response_type", "unsupported_grant_type"],
    status: 400,
    endpoints: ["authorize", "token", "revoke", "register", "agents", "jmap"],
    samples: [{ endpoint: "authorize", send: withoutState }],
  },
  {
    id: "ERR-04/every-answer",
    claim: "Every answer of the run with `invalid_client` for an unknown client has status 400.",
    codes: ["invalid_client"],
    status: 400,
    endpoints: ["authorize", "token", "revoke"],
    isOpen: mayBeUnauthorized,
    tolerated: ({ endpoint, exchange }) =>
      endpoint === "token" && exchange.response.status === 401
        ? "an unknown client was refused with 401 at the token endpoint, as RFC 6749 §5.2 has it"
        : undefined,
    samples: [
      { endpoint: "authorize", send: unknownClient },
      { endpoint: "token", send: unknownClientAtToken },
    ],
  },
  {
    id: "ERR-05/every-answer",
    claim: "Every answer of the run with `invalid_grant` has status 400.",
    needs: human,
    codes: ["invalid_grant"],
    status: 400,
    endpoints: ["token"],
    isOpen: lostRace,
    // The table lists codes alone; a superseded refresh token may get another 4xx (C-31).
    tolerated: ({ exchange }) =>
      valueOf(formParameters(exchange.request.body), "grant_type") === "refresh_token" &&
      exchange.response.status >= 400
        ? `a refresh was refused with ${exchange.response.status}; RFC 6749 §5.2 has 400`
        : undefined,
    samples: [{ endpoint: "token", send: unknownCode }],
  },
  {
    id: "ERR-06/every-answer",
    claim: "Every answer of the run with `invalid_scope` has status 400.",
    codes: ["invalid_scope"],
    status: 400,
    endpoints: ["authorize", "token"],
    samples: [{ endpoint: "authorize", send: beyondClientScope }],
  },
  {
    id: "ERR-07/every-answer",
    claim: "Every answer of the run with `invalid_token` has status 401.",
    needs: human,
    codes: ["invalid_token"],
    status: 401,
    endpoints: ["agents", "jmap"],
    samples: [
      { endpoint: "agents", send: listWithUnknownToken },
      { endpoint: "jmap", send: queryWithForgedToken },
    ],
  },
  {
    id: "ERR-08/every-answer",
    claim: "Every answer of the run with `insufficient_scope` has status 403.",
    needs: human,
    codes: ["insufficient_scope"],
    status: 403,
    endpoints: ["jmap"],
    samples: [{ endpoint: "jmap", send: readOnlySend }],
  },
  {
    id: "ERR-09/every-answer",
    claim: "Every answer of the run by JMAP with `access_denied` has status 403.",
    needs: ["human", "second-human"],
    codes: ["access_denied"],
    status: 403,
    endpoints: ["jmap"],
    samples: [{ endpoint: "jmap", send: queryOfForeignInbox }],
  },
];

interface Seen {
  readonly answers: readonly OAuthAnswer[];
  /** How many went to a client by redirect, where the table's status does not apply (C-01). */
  readonly redirects: number;
}

function seenBy(run: Run, { codes, endpoints, status, isOpen }: TableRow): Seen {
  const answers = oauthAnswers(run)
    .filter(({ code, endpoint }) => codes.includes(code ?? "") && endpoints.includes(endpoint))
    .filter((answer) => answer.exchange.response.status === status || !isOpen?.(answer, run));
  return { answers, redirects: redirectedCodes(run).filter((code) => codes.includes(code)).length };
}

/** @throws {InconclusiveError} precondition-missing, when the run saw none, not even for the samples */
async function everyAnswer(target: Target, row: TableRow): Promise<Seen> {
  for (const { endpoint, send } of row.samples) {
    const { answers, redirects } = seenBy(target, row);
    const isSeen =
      answers.some((answer) => answer.endpoint === endpoint) || (endpoint === "authorize" && redirects > 0);
    if (!isSeen) await send(target);
  }
  const seen = seenBy(target, row);
  if (seen.answers.length + seen.redirects > 0) return seen;
  throw new InconclusiveError("precondition-missing", `no answer of the run had the code ${row.codes[0]}`);
}

function othersIn({ answers }: Seen, { status }: TableRow): readonly OAuthAnswer[] {
  return answers.filter(({ exchange }) => exchange.response.status !== status);
}

function brokenIn(seen: Seen, row: TableRow): readonly OAuthAnswer[] {
  return othersIn(seen, row).filter((answer) => row.tolerated?.(answer) === undefined);
}

/** How many answers of a run break the row of a requirement, such as `ERR-05`. */
export function statusesBroken(requirement: string, run: Run): number {
  return rows
    .filter(({ id }) => requirementOf(id) === requirement)
    .flatMap((row) => brokenIn(seenBy(run, row), row)).length;
}

function judge(seen: Seen, row: TableRow): Warning | undefined {
  const { answers } = seen;
  const { codes, status, tolerated } = row;
  const broken = brokenIn(seen, row);
  const [first] = broken;
  if (first !== undefined) {
    const { exchange } = first;
    throw new Violation(
      `${status} with every ${codes.join(" or ")}`,
      `${broken.length} of ${answers.length} with another status, the first ${exchange.response.status} at ${placeOf(exchange)}`,
      { exchange },
    );
  }
  const others = othersIn(seen, row);
  const [deviation] = others;
  return deviation && warning(`${tolerated?.(deviation)}, ${others.length} of ${answers.length} times`);
}

/** Status and code together, over every answer of the run. Document, "Errors", OAuth endpoints. */
export const errorTableChecks = rows.map((row) =>
  check({
    id: row.id,
    claim: row.claim,
    needs: row.needs ?? [],
    last: true,
    act: (target) => everyAnswer(target, row),
    assert: (seen) => judge(seen, row),
  }),
);
