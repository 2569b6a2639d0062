import type { ServerResponse } from "node:http";

/** Answers one request for a document. */
export type Answer = (response: ServerResponse) => void;

/** A document of the listener, whose answer can change and whose requests are counted. */
export interface ServedDocument {
  readonly url: string;
  /** How often it has been requested. */
  fetches(): number;
  /** Answers like this from now on. */
  serve(answer: Answer): void;
}

/** Answers with JSON. */
export function answeringJson(
  content: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Readonly<Record<string, string>> } = {},
): Answer {
  return (response) => {
    response.writeHead(status, { "Content-Type": "application/json", ...headers });
    response.end(JSON.stringify(content));
  };
}

/** One kind of place, in use. */
export interface Place {
  publish(name: string, content: (url: string) => object): Promise<string>;
  serve?(name: string, answer: (url: string) => Answer): ServedDocument;
  /** In a sentence, why the target with this `auth_url` may have got no document from the place, whoever is to blame. */
  obstacleFor?(authUrl: string): string | undefined;
  close(): Promise<void>;
}
