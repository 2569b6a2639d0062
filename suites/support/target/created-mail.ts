import { type Exchange, type HeaderLines, isJsonObject, jsonMembers } from "../wire/exchange.ts";

/** Messages that one credential put into one account, and that nobody was seen to destroy since. */
export interface MailMade {
  /** The lines that say who asked, and for which inbox. An id means nothing under others. */
  readonly headers: HeaderLines;
  readonly accountId: string;
  readonly ids: readonly string[];
}

/** Messages that a run made, read off the answers that acknowledge them. */
export interface MailCreations {
  readonly mail: readonly MailMade[];
  /** Drafts and other messages that were put into inboxes, without those that were seen destroyed. */
  readonly emails: number;
  /** Messages that were submitted for delivery. */
  readonly submissions: number;
}

export interface MailWatch {
  look(exchange: Exchange): void;
  soFar(): MailCreations;
}

/** @param accountHeader - the name of the header that selects an inbox */
export function watchMail(accountHeader: string): MailWatch {
  const says = new Set(["authorization", accountHeader.toLowerCase()]);
  const made = new Map<string, { readonly headers: HeaderLines; accountId: string; ids: Set<string> }>();
  let [emails, submissions] = [0, 0];

  function lookAtEmails({ request }: Exchange, { accountId, created, destroyed }: SetResult): void {
    emails += created.length;
    if (accountId === undefined) return;
    const headers = request.headers.filter(([name]) => says.has(name.toLowerCase()));
    const key = JSON.stringify([headers, accountId]);
    const { ids } = made.get(key) ?? { ids: new Set() };
    made.set(key, { headers, accountId, ids });
    for (const id of created) if (id !== "") ids.add(id);
    for (const id of destroyed) if (ids.delete(id)) emails -= 1;
  }

  return {
    look(exchange) {
      if (!exchange.request.body.includes("/set")) return;
      const { methodResponses } = jsonMembers(exchange);
      for (const response of Array.isArray(methodResponses) ? (methodResponses as unknown[]) : []) {
        const [name, result] = Array.isArray(response) ? (response as unknown[]) : [];
        if (name === "Email/set") lookAtEmails(exchange, setResult(result));
        if (name === "EmailSubmission/set") submissions += setResult(result).created.length;
      }
    },
    soFar: () => ({
      mail: [...made.values()]
        .filter(({ ids }) => ids.size > 0)
        .map(({ headers, accountId, ids }) => ({ headers, accountId, ids: [...ids] })),
      emails,
      submissions,
    }),
  };
}

interface SetResult {
  readonly accountId: string | undefined;
  /** Ids; empty text where the answer names none. */
  readonly created: readonly string[];
  readonly destroyed: readonly string[];
}

/** What a `/set` did. RFC 8620 §5.3. */
function setResult(value: unknown): SetResult {
  const { accountId, created, destroyed } = isJsonObject(value) ? value : {};
  const objects = isJsonObject(created) ? Object.values(created) : [];
  return {
    accountId: typeof accountId === "string" ? accountId : undefined,
    created: objects.map((object) => (isJsonObject(object) ? textOf(object["id"]) : "")),
    destroyed: (Array.isArray(destroyed) ? (destroyed as unknown[]) : []).map(textOf),
  };
}

function textOf(id: unknown): string {
  return typeof id === "string" ? id : "";
}
