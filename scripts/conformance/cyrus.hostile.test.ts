import fc from "fast-check";
import { request as httpRequest } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apiUnderTest, as, body } from "../../fixtures/service/api/api-under-test.ts";
import { scrambledRequests } from "../../fixtures/service/external-store/scrambled-requests.ts";
import { sharedKeyCredential } from "../../fixtures/service/external-store/store-credential.ts";
import { at, listAt, textAt } from "../../fixtures/service/mail/request/json-at.ts";
import { missingCyrus, startCyrus, type Cyrus } from "../../fixtures/test-servers/cyrus.ts";
import { suites } from "../suites.ts";
import known from "./cyrus-results.json" with { type: "json" };
import { judgeWithCyrus } from "./judge-with-cyrus.ts";

const missing = missingCyrus();
if (missing !== undefined) console.warn(`the tests with Cyrus IMAP are skipped: ${missing}`);

test("what is known of Cyrus names checks that exist", () => {
  const ids = new Set(suites.flatMap(({ checks }) => checks.map(({ id }) => id)));
  expect(Object.keys(known).filter((id) => !ids.has(id))).toEqual([]);
});

// Those that reach the mail store most. cyrus.full.test.ts runs all.
const names = ["jmap", "scope", "sessions"];

test.skipIf(missing !== undefined)(
  "with Cyrus IMAP as its store the service conforms, but for what is known of Cyrus",
  async () => {
    const checks = suites.filter(({ name }) => names.includes(name)).flatMap((suite) => suite.checks);
    const others = await judgeWithCyrus(checks);
    expect([...others].filter(([id]) => !Object.hasOwn(known, id))).toEqual([]);
    expect([...others.keys()]).toContain("B-JMAP-21/repeated-id");
  },
);

describe.skipIf(missing !== undefined)("the proxy in front of Cyrus IMAP", () => {
  let cyrus: Cyrus;
  let api: Awaited<ReturnType<typeof apiUnderTest>>;

  beforeAll(async () => {
    cyrus = await startCyrus();
    api = await apiUnderTest({ externalStore: cyrus.store });
  });
  afterAll(async () => {
    await api.close();
    await cyrus.close();
  });

  async function asAlice(scope = "mail.read mail.send"): Promise<string[]> {
    const token = await api.accessToken({ scope });
    return ["Authorization", `Bearer ${token}`, "X-Service-Account-Id", api.work.accountId];
  }

  async function call(...calls: unknown[]): Promise<unknown> {
    const headers = [...(await asAlice()), "Content-Type", "application/json"];
    const { status, json, text } = await api.post(headers, body(...calls));
    expect({ status, text }).toMatchObject({ status: 200 });
    return json;
  }

  test("no bytes have Cyrus read what the proxy has not: neither another call nor another inbox", async () => {
    await call(["Mailbox/query", {}, "0"]);
    const headers = await asAlice("mail.read");
    const credential = sharedKeyCredential(cyrus.store.keyFile);
    let sendsReadByCyrus = 0;
    await fc.assert(
      fc.asyncProperty(scrambledRequests([api.work.address, api.bob.address]), async (request) => {
        const token = await credential(api.work.address);
        const [proxied, direct] = await Promise.all([
          api.post([...headers, ...request.headers], request.bytes),
          httpRequest(cyrus.store.url, {
            method: "POST",
            headers: ["Authorization", `Bearer ${token}`, ...request.headers],
            body: request.bytes,
          }),
        ]);
        const readByCyrus = direct.statusCode === 200 ? responses(await direct.body.json()) : [];
        if (direct.statusCode !== 200) await direct.body.dump();
        const sends = readByCyrus.filter(({ name }) => name === "EmailSubmission/set");
        sendsReadByCyrus += sends.length;
        const relayed = proxied.status === 200 ? responses(proxied.json) : [];
        // Cyrus has read what the proxy has read, or the proxy has let nothing through; and a token for reading sends nothing.
        expect([[], readByCyrus]).toContainEqual(relayed);
        expect(relayed.filter(({ name }) => name === "EmailSubmission/set")).toEqual([]);
        const accountIds = relayed.flatMap(({ accountId }) => accountId ?? []);
        expect(accountIds.filter((id) => id !== api.work.address)).toEqual([]);
      }),
      { numRuns: 400 },
    );
    expect(sendsReadByCyrus).toBeGreaterThan(5);
  });

  test.for([
    { why: "the envelope", from: "alice-work@mail.test", mailFrom: "bob@mail.test" },
    { why: "the message", from: "bob@mail.test", mailFrom: "alice-work@mail.test" },
    { why: "the message, without an envelope", from: "bob@mail.test", mailFrom: null },
    {
      why: "an envelope that a result reference brings",
      from: "alice-work@mail.test",
      mailFrom: "bob@mail.test",
      isReferred: true,
    },
  ])("a forged sender in $why sends nothing", async ({ from, mailFrom, isReferred = false }) => {
    const subject = `forged ${Math.random()}`;
    const emailId = await draftFrom(from, subject);
    const envelope = mailFrom && { mailFrom: { email: mailFrom }, rcptTo: [{ email: api.home.address }] };
    const create = { s1: { emailId, identityId: api.work.address, ...(envelope && { envelope }) } };
    const reference = { resultOf: "echo", name: "Core/echo", path: "/create" };
    const sent = await call(
      ["Core/echo", { create }, "echo"],
      ["EmailSubmission/set", isReferred ? { "#create": reference } : { create }, "send"],
    );
    const [, response] = listAt(sent, "methodResponses");
    expect(at(response, 1, "created") ?? null).toBeNull();
    expect(await subjectsAtHome()).not.toContain(subject);
  });

  test("mail from one inbox arrives in another", async () => {
    const emailId = await draftFrom(api.work.address, "hello");
    const envelope = { mailFrom: { email: api.work.address }, rcptTo: [{ email: api.home.address }] };
    const create = { s1: { emailId, identityId: api.work.address, envelope } };
    await call(["EmailSubmission/set", { create }, "send"]);
    await expect.poll(() => subjectsAtHome()).toContain("hello");
  });

  test("an agent has its own inbox, and no other", async () => {
    const headers = as(await api.capability(api.agent));
    const own = await api.post(headers, body(["Mailbox/query", {}, "0"]));
    expect(at(own.json, "methodResponses", 0, 1, "accountId")).toBe(api.agent.address);
    const other = await api.post(headers, body(["Mailbox/query", { accountId: api.work.address }, "0"]));
    expect(at(other.json, "methodResponses", 0, 1, "type")).toBe("accountNotFound");
  });

  async function draftFrom(from: string, subject: string): Promise<string> {
    const found = await call(["Mailbox/query", { filter: { role: "drafts" } }, "0"]);
    const email = {
      mailboxIds: { [textAt(found, "methodResponses", 0, 1, "ids", 0)]: true },
      keywords: { $draft: true },
      from: [{ email: from }],
      to: [{ email: api.home.address }],
      subject,
      textBody: [{ partId: "b", type: "text/plain" }],
      bodyValues: { b: { value: "x" } },
    };
    const made = await call(["Email/set", { create: { d1: email } }, "0"]);
    return textAt(made, "methodResponses", 0, 1, "created", "d1", "id");
  }

  async function subjectsAtHome(): Promise<unknown[]> {
    const token = await api.accessToken();
    const headers = as(token, "X-Service-Account-Id", api.home.accountId);
    const { json } = await api.post(
      headers,
      body(
        ["Email/query", {}, "0"],
        [
          "Email/get",
          { "#ids": { resultOf: "0", name: "Email/query", path: "/ids" }, properties: ["subject"] },
          "1",
        ],
      ),
    );
    return listAt(json, "methodResponses", 1, 1, "list").map((email) => at(email, "subject"));
  }
});

/** Names, accounts and call ids of the method responses. */
function responses(json: unknown): { name: unknown; accountId?: unknown; callId: unknown }[] {
  return listAt(json, "methodResponses").map((response) => {
    const accountId = at(response, 1, "accountId");
    return {
      name: at(response, 0),
      ...(typeof accountId === "string" && { accountId }),
      callId: at(response, 2),
    };
  });
}
