/** @returns the exit code */
export type Command = (args: string[]) => Promise<number>;

/** One command of the command line, loaded when called: help must not wait for what it does not need. */
export interface CommandEntry {
  readonly does: string;
  readonly load: () => Promise<Command>;
}

/** The commands of whoever judges, runs or talks to a service. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  init: {
    does: "write a profile of a target",
    load: async () => (await import("./init.ts")).init,
  },
  doctor: {
    does: "try what a run needs, and say what is missing",
    load: async () => (await import("./doctor.ts")).doctor,
  },
  conformance: {
    does: "judge a target, or the embedded reference service",
    load: async () => (await import("./conformance.ts")).conformance,
  },
  watch: {
    does: "judge a target again and again while it is worked on",
    load: async () => (await import("./watch.ts")).watch,
  },
  replay: {
    does: "repeat a check of a run, and compare the results",
    load: async () => (await import("./replay.ts")).replay,
  },
  compare: {
    does: "show what changed between runs, or how implementations differ",
    load: async () => (await import("./compare.ts")).compare,
  },
  known: {
    does: "print the failures of a run as known results of a profile",
    load: async () => (await import("./known.ts")).known,
  },
  explain: {
    does: "explain a check, a requirement or a reading",
    load: async () => (await import("./explain.ts")).explain,
  },
  load: {
    does: "put a target, or the embedded reference service, under load",
    load: async () => (await import("./load.ts")).load,
  },
  consent: {
    does: "record the steps of sign-in and consent in a browser",
    load: async () => (await import("./consent.ts")).consent,
  },
  report: {
    does: "make the reports of a run from its journal, for example after it was killed",
    load: async () => (await import("./report.ts")).report,
  },
  certify: {
    does: "judge a target with every check, and sign a certificate",
    load: async () => (await import("./certify.ts")).certify,
  },
  verify: {
    does: "verify a certificate offline, or judge a sample of it again",
    load: async () => (await import("./verify.ts")).verify,
  },
  serve: {
    does: "run the reference service",
    load: async () => (await import("./serve.ts")).serve,
  },
  list: {
    does: "list the suites and their checks",
    load: async () => (await import("./list.ts")).list,
  },
  schema: {
    does: "print the JSON Schema of profiles, or of run.json",
    load: async () => (await import("./schema.ts")).schema,
  },
  solve: {
    does: "solve a proof-of-work challenge, or explain a wrong solution",
    load: async () => (await import("./solve.ts")).solve,
  },
};
