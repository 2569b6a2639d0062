import { isDisturbed } from "../wire/disturbance.ts";
import { type Exchange, valuesOf } from "../wire/exchange.ts";

/** What an exchange is to the check whose evidence it is. */
export type Role =
  /** It prepared the experiment. */
  | "setup"
  /** The request without its flaw, or what had to be accepted for a refusal to mean anything. */
  | "control"
  /** What the verdict is about. */
  | "subject"
  /** A limit that was waited for, or a lost answer, before the request was sent again or given up. */
  | "waited";

/** How an exchange was sent: `direct` by the check itself, which makes it the subject when it is judged, else setup. */
export type SentAs = "direct" | "setup" | "control" | "waited";

export interface EvidenceEntry {
  readonly exchange: Exchange;
  readonly sentAs: SentAs;
  /** Made once for several checks. */
  readonly isShared: boolean;
}

/** The exchanges of one check, each once. */
export interface Evidence {
  /** An exchange that is there already takes the more telling of the two ways in which it was sent. */
  add(entry: EvidenceEntry): void;
  entries(): readonly EvidenceEntry[];
}

const telling: readonly SentAs[] = ["setup", "direct", "control", "waited"];

export function createEvidence(): Evidence {
  const entries = new Map<number, EvidenceEntry>();
  return {
    add(entry) {
      const before = entries.get(entry.exchange.number);
      if (before === undefined) {
        entries.set(entry.exchange.number, entry);
        return;
      }
      const isMoreTelling = telling.indexOf(entry.sentAs) > telling.indexOf(before.sentAs);
      entries.set(entry.exchange.number, {
        exchange: entry.exchange,
        sentAs: isMoreTelling ? entry.sentAs : before.sentAs,
        isShared: entry.isShared && before.isShared,
      });
    },
    entries: () => [...entries.values()],
  };
}

/** Whether an answer was kept away by the network or a gateway, and the request not sent again. */
export function holdsDisturbed(evidence: Evidence): boolean {
  return evidence.entries().some(({ exchange, sentAs }) => sentAs !== "waited" && isDisturbed(exchange));
}

// Each carries something that can be used once: a code, a refresh token, a challenge.
const usesUp = /\/(?:oauth\/token|api\/v1\/session)$/u;

/**
 * Whether a request was refused that a limit had refused before it was sent again: the limit may have used up what it
 * carries.
 */
export function holdsSpent(evidence: Evidence): boolean {
  const entries = evidence.entries();
  const limited = entries.filter(
    ({ exchange, sentAs }) =>
      sentAs === "waited" && !isDisturbed(exchange) && usesUp.test(exchange.request.url),
  );
  return entries.some(
    ({ exchange, sentAs }) =>
      sentAs !== "waited" &&
      exchange.response.status >= 400 &&
      limited.some((before) => isSameRequest(before.exchange, exchange)),
  );
}

function isSameRequest({ request: one }: Exchange, { request: other }: Exchange): boolean {
  return (
    one.method === other.method &&
    one.url === other.url &&
    one.body === other.body &&
    String(valuesOf(one.headers, "authorization")) === String(valuesOf(other.headers, "authorization"))
  );
}

/** One exchange of a check with its role. */
export interface RoledExchange {
  readonly exchange: Exchange;
  readonly role: Role;
}

/** What the roles of a check's exchanges follow from, beside how they were sent. */
export interface Judged {
  /** By their numbers, the exchanges in what `act` returned. */
  readonly subjects: ReadonlyMap<number, Exchange>;
  /** The exchange that broke the claim, or stood in the way, with its role where that is certain. */
  readonly decisive?: { readonly exchange: Exchange; readonly role?: Role } | undefined;
  /** A passing check lists what it rests on, and not all that its shared setup ever sent. */
  readonly isPass: boolean;
}

/** The exchanges of a check in sending order, each with its role. */
export function withRoles(
  entries: readonly EvidenceEntry[],
  { subjects, decisive, isPass }: Judged,
): RoledExchange[] {
  const isDecisive = ({ number }: Exchange): boolean => number === decisive?.exchange.number;
  const roleOf = ({ exchange, sentAs }: EvidenceEntry): Role => {
    if (isDecisive(exchange) && decisive?.role !== undefined) return decisive.role;
    if (sentAs === "waited" || sentAs === "control") return sentAs;
    const isSubject = subjects.has(exchange.number) || (isDecisive(exchange) && sentAs === "direct");
    return isSubject ? "subject" : "setup";
  };
  const listed = entries
    .map((entry) => ({ exchange: entry.exchange, role: roleOf(entry), isShared: entry.isShared }))
    .filter(({ role, isShared }) => !(isPass && isShared && role === "setup"))
    .map(({ exchange, role }) => ({ exchange, role }));
  // A check that looks at the whole run may judge what another one sent.
  if (decisive !== undefined && !listed.some(({ exchange }) => isDecisive(exchange)))
    listed.push({ exchange: decisive.exchange, role: decisive.role ?? "subject" });
  return listed.toSorted((a, b) => a.exchange.number - b.exchange.number);
}

const deepestMember = 8;

/** The exchanges that a value holds in arrays and plain objects, by their numbers. */
export function exchangesIn(value: unknown): ReadonlyMap<number, Exchange> {
  const exchanges = new Map<number, Exchange>();
  const seen = new Set<unknown>();
  const visit = (member: unknown, depth: number): void => {
    if (typeof member !== "object" || member === null || seen.has(member) || depth > deepestMember) return;
    seen.add(member);
    if (isExchange(member)) {
      exchanges.set(member.number, member);
      return;
    }
    for (const inner of Object.values(member)) visit(inner, depth + 1);
  };
  visit(value, 0);
  return exchanges;
}

function isExchange(value: object): value is Exchange {
  return "number" in value && "request" in value && "response" in value;
}
