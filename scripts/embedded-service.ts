import { spawn } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { dirname, extname } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { parseProfile, type Profile } from "../suites/support/target/profile.ts";
import { createUnlockingKeys, type UnlockingKeys } from "./unlocking-keys.ts";
import { UsageError } from "./usage-error.ts";

const ready = z.object({
  addresses: z.object({ auth_url: z.string(), api_url: z.string(), mcp_url: z.string() }),
  humans: z.array(z.object({ username: z.string(), password: z.string(), inboxes: z.array(z.string()) })),
  testClock: z.string().nullable(),
});

export interface EmbeddedService {
  readonly profile: Profile;
  stop(): Promise<void>;
}

// Every session request costs a proof of work, so few bits keep a first run short; with fewer, the searches for proofs that
// are wrong in one way cost more than is saved. Mistakes in counting bits do not all show at a multiple of four.
const defaultDifficultyBits = 2;

// Many checks pause for a second to see that nothing comes, and twelve that pause at once would leave the cores idle. What
// another target stands is for its profile to say.
const concurrency = 24;

// It revokes at once, and a defect that never revokes is waited for by each check that meets it.
export const revocationPropagationSeconds = 1;

export interface EmbeddedServiceOptions {
  readonly difficultyBits?: number;
  /** A deliberate defect of `fixtures/faults/load/load.ts`, by its id. */
  readonly loadFault?: string;
  /** More options of `serve`. */
  readonly serviceOptions?: readonly string[];
  /** With --nodes among them: how many, for its profile. */
  readonly nodes?: number | undefined;
}

/** Starts the reference service as a process of its own on free loopback ports, its clock movable, and waits until it is ready. */
export async function startEmbeddedService(options: EmbeddedServiceOptions = {}): Promise<EmbeddedService> {
  const { difficultyBits = defaultDifficultyBits, loadFault, serviceOptions = [], nodes } = options;
  const program = loadFault === undefined ? "service/main" : "faults/load/serve-load-fault";
  // JavaScript beside JavaScript in the package, TypeScript in the sources.
  const extension = extname(import.meta.filename);
  const main = fileURLToPath(new URL(`../fixtures/${program}${extension}`, import.meta.url));
  const keys = createUnlockingKeys();
  const difficulty = ["--difficulty", String(difficultyBits)];
  const flags = [
    "--json",
    "--test-clock",
    "--exit-with-parent",
    ...difficulty,
    ...keys.flags,
    ...serviceOptions,
  ];
  const args = loadFault === undefined ? flags : [loadFault, ...flags];
  const child = spawn(process.execPath, [main, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, ...compileCache() },
    // Ctrl-C reaches the whole process group; the service stops when the run has written its report.
    detached: true,
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const line = await Promise.race([
    firstLine(child.stdout),
    ended.then((code) =>
      // It has said what is wrong.
      code === 2
        ? new UsageError("the reference service cannot start with these options")
        : new Error(`the reference service ended with exit code ${code} before it was ready`),
    ),
  ]);
  if (line instanceof Error) {
    keys.remove();
    throw line;
  }
  const { addresses, humans, testClock: clockUrl } = ready.parse(JSON.parse(line));
  const profile = embeddedProfile({ addresses, humans, clockUrl, keys, nodes, pid: child.pid });
  return {
    profile: {
      ...profile,
      revocation_propagation_seconds: revocationPropagationSeconds,
      budget: { ...profile.budget, concurrency },
    },
    async stop() {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), 5000);
      await ended;
      clearTimeout(timer);
      keys.remove();
    },
  };
}

/** What has this process's compiled modules kept has those of a service of ours kept too. */
function compileCache(): NodeJS.ProcessEnv {
  const versioned = getCompileCacheDir();
  return versioned === undefined ? {} : { NODE_COMPILE_CACHE: dirname(versioned) };
}

/** The fields with which its consent page creates an inbox. */
const newInbox = { choose: "inbox=new", name: "new_inbox" };

interface Person {
  readonly username: string;
  readonly password: string;
  readonly inboxes: readonly string[];
}

/** What a profile says of a reference service. */
interface ReferenceTarget {
  readonly addresses: { readonly auth_url: string; readonly api_url: string; readonly mcp_url: string };
  readonly humans: readonly Person[];
  readonly clockUrl?: string | null;
  readonly salt?: string | undefined;
  readonly keys?: UnlockingKeys;
  readonly nodes?: number | undefined;
  /** Of the process above its nodes. */
  readonly pid?: number | undefined;
}

/** Has the process above several nodes kill one of them. */
const killNode = `process.kill(Number(process.argv[1]), "SIGUSR2")`;

/** The profile of a reference service, with its people's passwords handed over by environment variables as a user's are. */
export function embeddedProfile(target: ReferenceTarget): Profile {
  const { addresses, humans, clockUrl = null, salt, keys, nodes = 1, pid } = target;
  const unlocking = keys?.profileFor(addresses);
  const people = humans.map(({ username, password, inboxes }) => {
    const variable = `MAILPROOF_EMBEDDED_${username.toUpperCase()}_PASSWORD`;
    process.env[variable] = password;
    const consent = { driver: "form", username, password: `env:${variable}`, new_inbox: newInbox };
    return { name: username, inboxes: inboxes.length, consent };
  });
  const content = {
    ...addresses,
    humans: people,
    ...(clockUrl === null ? {} : { clock: { advance_url: clockUrl } }),
    ...(salt === undefined ? {} : { pow: { salt } }),
    ...(target.nodes === undefined ? {} : { nodes }),
    ...unlocking,
    ...(nodes > 1 && pid !== undefined
      ? {
          hooks: {
            ...unlocking?.hooks,
            kill_node: { command: [process.execPath, "-e", killNode, String(pid)] },
          },
        }
      : {}),
  };
  return parseProfile(content, "of the embedded reference service");
}

async function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stream })) return line;
  return new Promise(() => {});
}
