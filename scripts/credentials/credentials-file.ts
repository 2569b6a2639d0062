import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { KeptCredentials } from "../../suites/support/target/kept-credentials.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import type { SecretMask } from "../../suites/support/wire/secrets.ts";
import { onFileSystem } from "../run-folder/output-error.ts";
import { UsageError } from "../usage-error.ts";

const keptClient = z.object({
  /** What was sent to register it, as JSON. */
  registration: z.string(),
  client_id: z.string(),
  client_secret: z.string().optional(),
  redirect_uris: z.array(z.string()),
});

const keptAgent = z.object({ apiKey: z.string(), inbox: z.string().optional() });

const keptForTarget = z.object({
  clients: z.record(z.string(), keptClient).default({}),
  agents: z.record(z.string(), keptAgent).default({}),
});

/** By `auth_url`. */
const fileContent = z.object({ targets: z.record(z.string(), keptForTarget).default({}) });

type FileContent = z.output<typeof fileContent>;
type KeptForTarget = z.output<typeof keptForTarget>;

/** Credentials of one target in a file that only its owner can read. */
export interface CredentialsFile extends KeptCredentials {
  readonly path: string;
  /** What is kept now. */
  readonly counts: { readonly clients: number; readonly agents: number };
}

/** Where a profile wants credentials to be kept; undefined when it does not. */
export function credentialsPathOf({ credentials }: Pick<Profile, "credentials">): string | undefined {
  if (credentials !== true) return credentials;
  const state = process.env["XDG_STATE_HOME"] ?? join(homedir(), ".local/state");
  return join(state, "mailproof/credentials.json");
}

/**
 * @param authUrl - the target whose credentials are read and kept
 * @param mask - learns the secrets in the file
 * @throws {UsageError} when others can read the file, or it is none of mailproof's
 */
export function openCredentials(path: string, authUrl: string, mask: SecretMask): CredentialsFile {
  const own = entryOf(readContent(path), authUrl);
  for (const { client_secret: secret } of Object.values(own.clients))
    if (secret !== undefined) mask.add("client_secret", secret);
  for (const { apiKey } of Object.values(own.agents)) mask.add("apiKey", apiKey);
  const taken = new Set<string>();

  /** Another run may have written meanwhile. */
  function change(work: (entry: KeptForTarget) => void): void {
    const content = readContent(path);
    const entry = entryOf(content, authUrl);
    work(entry);
    work(own);
    writeContent(path, { targets: { ...content.targets, [authUrl]: entry } });
  }

  function isFirst(key: string): boolean {
    const isNew = !taken.has(key);
    taken.add(key);
    return isNew;
  }

  return {
    path,
    get counts() {
      return { clients: Object.keys(own.clients).length, agents: Object.keys(own.agents).length };
    },
    takeClient(kind, registration) {
      const kept = own.clients[kind];
      if (!isFirst(`client ${kind}`) || kept?.registration !== JSON.stringify(registration)) return undefined;
      const { client_id, client_secret, redirect_uris } = kept;
      return { client_id, redirect_uris, ...(client_secret !== undefined && { client_secret }) };
    },
    keepClient(kind, registration, client) {
      const { client_id, client_secret, redirect_uris } = client;
      const kept = {
        registration: JSON.stringify(registration),
        client_id,
        redirect_uris: [...redirect_uris],
        ...(client_secret !== undefined && { client_secret }),
      };
      change((entry) => {
        entry.clients[kind] = kept;
      });
    },
    takeAgent(which) {
      const kept = own.agents[which];
      if (!isFirst(`agent ${which}`) || kept === undefined) return undefined;
      return { apiKey: kept.apiKey, inbox: kept.inbox };
    },
    keepAgent(which, { apiKey, inbox }) {
      change((entry) => {
        entry.agents[which] = { apiKey, ...(inbox !== undefined && { inbox }) };
      });
    },
    isKept: (clientId) => Object.values(own.clients).some(({ client_id: id }) => id === clientId),
  };
}

function entryOf({ targets }: FileContent, authUrl: string): KeptForTarget {
  const { clients = {}, agents = {} } = targets[authUrl] ?? {};
  return { clients: { ...clients }, agents: { ...agents } };
}

function readContent(path: string): FileContent {
  const found = onFileSystem(`read ${path}`, () => statSync(path, { throwIfNoEntry: false }));
  if (found === undefined) return { targets: {} };
  if ((found.mode & 0o077) !== 0)
    throw new UsageError(`the credentials in ${path} can be read by others; chmod 600 ${path}`);
  try {
    return fileContent.parse(JSON.parse(onFileSystem(`read ${path}`, () => readFileSync(path, "utf8"))));
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(`${path} is not a credentials file of mailproof; name another, or remove it`, {
      cause,
    });
  }
}

function writeContent(path: string, content: FileContent): void {
  const beside = `${path}.${process.pid}.tmp`;
  onFileSystem(`write ${path}`, () => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    try {
      writeFileSync(beside, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600, flag: "wx" });
      renameSync(beside, path);
    } catch (error) {
      rmSync(beside, { force: true });
      throw error;
    }
  });
}
