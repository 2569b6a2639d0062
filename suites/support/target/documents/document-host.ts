import { randomUUID } from "node:crypto";
import { BlockedError } from "../../verdict.ts";
import type { ClientMetadataSettings } from "../client-metadata-settings.ts";
import { publishByCommand } from "./command.ts";
import { openFolder } from "./folder.ts";
import { openListener } from "./listener.ts";
import type { Answer, Place, ServedDocument } from "./place.ts";

/** Where a run publishes client-id metadata documents, each at an address of its own. */
export interface DocumentHost {
  /**
   * @param content - the JSON object at an address
   * @returns the address
   * @throws {BlockedError} when the profile gives no place
   * @throws {InconclusiveError} precondition-missing, when the place cannot be used
   */
  publish(content: (url: string) => object): Promise<string>;
  /**
   * Reserves an address of mailproof's own listener.
   *
   * @param name - with a query, where there is to be one; a fresh one unless given
   * @throws {BlockedError} when the profile gives no listener
   * @throws {InconclusiveError} precondition-missing, when nothing can listen there
   */
  serve(answer: (url: string) => Answer, name?: string): Promise<ServedDocument>;
  /**
   * In a sentence, why the target with this `auth_url` may have got no document from mailproof's own listener: it refused the
   * certificate and never accepted it, or it cannot reach the address. Then no answer about a document tells anything of it.
   */
  obstacleFor(authUrl: string): string | undefined;
  /** Stops the listener, and removes files from the folder. */
  close(): Promise<void>;
}

/** A name that no other document has. Static hosts tell the media type by the extension. */
export function newDocumentName(): string {
  return `client-${randomUUID()}.json`;
}

/** Opens the place when the first document is published. */
export function createDocumentHost(settings: ClientMetadataSettings | undefined): DocumentHost {
  let opened: Promise<Place> | undefined;
  let current: Place | undefined;
  const open = async (given: ClientMetadataSettings): Promise<Place> => {
    current = await openPlace(given);
    return current;
  };
  const place = (): Promise<Place> => {
    if (settings === undefined)
      throw new BlockedError(
        "needs a place to publish a client-id metadata document; give client_metadata in the profile",
      );
    return (opened ??= open(settings));
  };
  return {
    publish: async (content) => (await place()).publish(newDocumentName(), content),
    async serve(answer, name = newDocumentName()) {
      const served = (await place()).serve?.(name, answer);
      if (served === undefined)
        throw new BlockedError(
          'needs a listener of mailproof\'s own; give client_metadata.publish "listener" in the profile',
        );
      return served;
    },
    obstacleFor: (authUrl) => current?.obstacleFor?.(authUrl),
    close: async () => (await opened?.catch(() => undefined))?.close(),
  };
}

function openPlace(settings: ClientMetadataSettings): Promise<Place> {
  switch (settings.publish) {
    case "listener":
      return openListener(settings);
    case "folder":
      return openFolder(settings.base_url, settings.folder);
    case "command":
      return Promise.resolve(publishByCommand(settings.base_url, settings.command));
  }
}
