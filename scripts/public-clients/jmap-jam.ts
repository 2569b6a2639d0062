/** What the tests use of it. Its own types are TypeScript sources, which this project's compiler options refuse. */
export interface JmapJam {
  readonly session: Promise<{ readonly username: string }>;
  getPrimaryAccount(): Promise<string>;
  request(
    call: readonly [method: string, args: object],
  ): Promise<readonly [Record<string, unknown>, unknown]>;
  requestMany(
    drafts: (calls: Calls) => Record<string, Draft>,
  ): Promise<readonly [Record<string, Record<string, unknown>>, unknown]>;
  uploadBlob(accountId: string, body: string): Promise<{ readonly blobId: string }>;
  downloadBlob(options: {
    accountId: string;
    blobId: string;
    mimeType: string;
    fileName: string;
  }): Promise<Response>;
}

type Methods = Record<"get" | "query", (args: object) => Draft>;
type Calls = Record<"Mailbox" | "Email", Methods>;

interface Draft {
  $ref(pointer: string): unknown;
}

/** Uses the global `fetch` from now on. */
export async function openJmapJam(bearerToken: string, sessionUrl: string): Promise<JmapJam> {
  const name: string = "jmap-jam";
  const { default: JamClient } = (await import(name)) as {
    default: new (config: { bearerToken: string; sessionUrl: string }) => JmapJam;
  };
  return new JamClient({ bearerToken, sessionUrl });
}
