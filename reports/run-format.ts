import type { RunFinding } from "./finding-format.ts";

/**
 * One execution, as `run.json` holds it. Everything that shows a run is rendered from this and from nothing else. Secrets
 * stand in it as fingerprints only: `<access_token 1a2b3c4d, 43 characters>`, and `…, 43 characters, percent-encoded>`
 * where the secret is spelled so (`percent-encoded twice`, `JSON-escaped`, `HTML-escaped`, `base64-encoded`, `re-encoded`).
 * A secret has the same eight digits wherever it stands in one run.
 */
export interface Run {
  readonly format: "mailproof-run/3";
  readonly id: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly suite: RunSuite;
  readonly environment: RunEnvironment;
  readonly target: RunTarget;
  /** The profile's file with the references to secrets in place of secrets; absent for the reference service. */
  readonly profile?: Readonly<Record<string, unknown>>;
  /** False when the run was interrupted: checks that were not begun are not listed. */
  readonly isComplete: boolean;
  /** Nothing was sent that might make or change something, so most checks are blocked. */
  readonly isReadOnly?: true;
  readonly counts: Readonly<Record<RunVerdict, number>>;
  /** Requirements of the interface document, and how many of them a check of this run decided. */
  readonly coverage: { readonly requirements: number; readonly decided: number };
  readonly proofOfWork: RunProofOfWork;
  /** What the run made on the target: how often of each. */
  readonly ledger: Readonly<Record<string, number>>;
  /** What of it stays there; absent when the run ended before it tidied up. */
  readonly leftBehind?: RunLeftBehind;
  /** What is wrong, the gravest first. */
  readonly findings: readonly RunFinding[];
  /** The headings of the interface document in its order, as paths: `Errors › PoW endpoints`. */
  readonly sections: readonly string[];
  /** Every requirement in the order of the document, then those of RFCs, then those of suites that `--checks` added. */
  readonly requirements: readonly RunRequirement[];
  readonly checks: readonly RunCheck[];
  /** Checks that were selected and not run, since the profile lacks a key that they need. */
  readonly leftOut: readonly RunLeftOut[];
  /** Those that checks of this run cite. */
  readonly interpretations: readonly RunInterpretation[];
  /** Known results that this run contradicts, or that have expired. */
  readonly knownProblems: readonly string[];
  /** How many exchanges are cut to their first lines; absent when all are whole, as with `--evidence full`. */
  readonly cutExchanges?: number;
  /** In the order in which they were sent; checks refer to them by number. */
  readonly exchanges: readonly RunExchange[];
}

/** The id of a run that was never written to a folder. */
export const unwrittenRun = "unwritten";

export interface RunSuite {
  readonly name: "mailproof";
  readonly version: string;
  /** The version of Node.js that ran it. */
  readonly node: string;
  /** Of all checks that the run chose from, in hexadecimal: what each is called, claims, needs and waits for. */
  readonly checksSha256: string;
  /** Of all requirements that the run chose from, in hexadecimal. */
  readonly requirementsSha256: string;
}

/** What the searches for proofs cost. */
export interface RunProofOfWork {
  readonly tries: number;
  /** By the clock, summed over the threads. */
  readonly busyMs: number;
  /** Processor time; absent in the runs of earlier versions. */
  readonly cpuMs?: number;
}

/** Where and how the run was started. */
export interface RunEnvironment {
  /** `linux x64 6.1.0` */
  readonly os: string;
  readonly cpus: number;
  /** The arguments of the command. */
  readonly flags: readonly string[];
}

export interface RunTarget {
  readonly authUrl: string;
  readonly apiUrl: string;
  readonly mcpUrl: string;
  /** The reference service that comes with the suite. */
  readonly isEmbedded: boolean;
  /** Absent when it gave nothing to know it by. */
  readonly fingerprint?: RunTargetFingerprint;
}

/** What tells one target from another, as the run saw it first. Digests are SHA-256. */
export interface RunTargetFingerprint {
  readonly issuer?: string;
  /** Of the metadata document's bytes, in hexadecimal: `curl … | sha256sum` prints the same. */
  readonly metadataSha256?: string;
  /** RFC 7638, in the order of the JWKS; a key of an unknown type has none. */
  readonly jwkThumbprints?: readonly string[];
  /** For each https origin, of the DER of the certificate and of its public key, in hexadecimal. */
  readonly tls?: readonly {
    readonly origin: string;
    readonly certificateSha256: string;
    readonly publicKeySha256: string;
  }[];
}

export interface RunLeftBehind {
  readonly clients: readonly { readonly client_id: string; readonly isDeleted: boolean }[];
  readonly grants: {
    readonly made: number;
    readonly revoked: number;
    /** Of those that stay: grants to clients that the run had disabled; absent in the runs of earlier versions. */
    readonly ofDisabledClients?: number;
    /** Status of the first answer to another client that revoked nothing. */
    readonly refusedWith?: number;
  };
  /** The inboxes of the agents that were signed up. */
  readonly agents: readonly string[];
  /** Drafts and other messages that were put into inboxes. */
  readonly emails: number;
  /** Messages that were submitted for delivery. */
  readonly submissions: number;
}

export interface RunLeftOut {
  /** The key of the profile, and what it gives. */
  readonly needs: string;
  /** Ids. */
  readonly checks: readonly string[];
}

/** How the suite reads a place where the document is silent or allows more than one reading. */
export interface RunInterpretation {
  /** `C-01` */
  readonly id: string;
  readonly question: string;
  readonly reading: string;
}

export const runVerdicts = ["pass", "fail", "warn", "observed", "inconclusive", "blocked"] as const;

export type RunVerdict = (typeof runVerdicts)[number];

/** A statement that conforming targets satisfy. */
export interface RunStatement {
  readonly id: string;
  /** `own`: of a suite that `--checks` added. */
  readonly source: "document" | "rfc" | "own";
  readonly section: string;
  readonly level: string;
  readonly statement: string;
}

export interface RunRequirement extends RunStatement {
  /** Ids of the checks of this run that judge it. */
  readonly checks: readonly string[];
  /** The worst verdict of its checks: `fail` first, `pass` last; absent when this run has none. */
  readonly verdict?: RunVerdict;
  /** Why this run has no check of it. */
  readonly notJudged?: string;
}

/** One request over time, in milliseconds since the first of them was sent. */
export interface RunBar {
  /** Its number in the story. */
  readonly step: number;
  readonly label: string;
  readonly outcome: "accepted" | "refused" | "no answer";
  readonly fromMs: number;
  readonly toMs: number;
  /** It was sent when the simultaneous ones had been answered. */
  readonly isAfterwards?: true;
  /** It is one of those that contradict one another. */
  readonly isContradiction?: true;
}

/**
 * A story that can be played once more. What a step presents goes by the number of the step that issued it, counted from 1
 * through both lists.
 */
export interface RunStory {
  readonly kind: "grants" | "agents" | "burst";
  /** One after the other. */
  readonly steps: readonly RunStoryStep[];
  /** Sent at the same moment, after the others. */
  readonly together?: readonly RunStoryStep[];
}

export type RunStoryStep = Readonly<Record<string, string | number | boolean>>;

/** A coverage curve: how many different cases were seen, against how many were tried. */
export interface RunGrowth {
  /** What was tried, in the plural. */
  readonly over: string;
  readonly lines: readonly RunGrowthLine[];
}

export interface RunGrowthLine {
  readonly label: string;
  /** How many there can be. */
  readonly possible: number;
  /** How many were tried, and how many different ones that had shown. */
  readonly points: readonly { readonly tried: number; readonly seen: number }[];
}

export interface RunCheck {
  readonly id: string;
  readonly requirement: RunStatement;
  /** Ids of the interpretations that the verdict rests on; absent when the document decides it by itself. */
  readonly interpretations?: readonly string[];
  readonly suite: string;
  /** `check`: the document decides; `recommend`: an RFC alone asks for it; `observe`: the document leaves it open. */
  readonly kind: "check" | "recommend" | "observe";
  /** The claim that was judged, or the question that was answered. */
  readonly sentence: string;
  readonly verdict: RunVerdict;
  readonly reason?: string;
  readonly expected?: string;
  readonly observed?: string;
  /** The same as `observed`, as sentences that follow one another, where it is a story. */
  readonly steps?: readonly string[];
  /** The requests of that story that were under way at once, and what followed. */
  readonly bars?: readonly RunBar[];
  /** The same story as data. */
  readonly story?: RunStory;
  /** For an observation of how much was seen: how that grew. */
  readonly growth?: RunGrowth;
  /** For a pass that rests on samples, such as connections to nodes: how sure it is. */
  readonly certainty?: RunCertainty;
  /** Failing checks of this run that judge what stood in the way of an inconclusive one. */
  readonly explainedBy?: readonly string[];
  /** The profile knows of this result and gives this reason. */
  readonly known?: string;
  /** How often it was judged once more, alone, after it had failed, and how often it failed then. */
  readonly reproduced?: { readonly tried: number; readonly failed: number };
  /** A defect of the suite, not of the target. */
  readonly defect?: true;
  readonly durationMs: number;
  /** Number of the exchange that broke the claim, or stood in the way. */
  readonly decisive?: number;
  /** In the order in which they were sent. */
  readonly exchanges: readonly { readonly number: number; readonly role: ExchangeRole }[];
}

/** How likely a defect would have shown where samples decide. */
export interface RunCertainty {
  /** What had the chance to show a defect: requests, connections, tries. */
  readonly tries: number;
  /** That a defect would have shown, from 0 to 1; 1 where nothing was left to chance. */
  readonly probability: number;
  /** What was tried, and what the probability rests on. */
  readonly basis: string;
}

/**
 * What an exchange is to a check. `subject`: the verdict is about it; `control`: it shows that the request without its
 * flaw is accepted; `setup`: it prepared the experiment; `waited`: a 429 or 503 that was waited for.
 */
export type ExchangeRole = (typeof exchangeRoles)[number];

export const exchangeRoles = ["setup", "control", "subject", "waited"] as const;

export interface RunExchange {
  readonly number: number;
  readonly startedAt: string;
  readonly durationMs: number;
  /** It only prepared checks that passed: the request line and the status were kept, header lines and bodies were not. */
  readonly isCut?: true;
  readonly request: {
    readonly method: string;
    /** Origin and request target, verbatim. */
    readonly url: string;
    /** Those that the check gave. Host, Content-Length and Connection were added when it was sent. */
    readonly headers: readonly (readonly [string, string])[];
    /** Bytes that are not UTF-8 show as U+FFFD. */
    readonly body: string;
    readonly cut?: RunCutBody;
    /** The body went out in several chunks. */
    readonly isChunked?: true;
    /** Host and port of the node that it went to instead of the host of its URL. */
    readonly node?: string;
  };
  /** Status 0: no answer came. */
  readonly response: {
    readonly status: number;
    readonly headers: readonly (readonly [string, string])[];
    readonly body: string;
    readonly cut?: RunCutBody;
  };
}

/** What was left out of a long body behind the text that is there: its length, and its digest as it crossed the wire. */
export interface RunCutBody {
  /** Of UTF-8 text. */
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}
