import type { IncomingMessage, ServerResponse } from "node:http";
import { endedClients } from "../../suites/support/actors/authorization.ts";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type ScriptedTarget, startScriptedTarget } from "../../fixtures/test-servers/scripted-target.ts";
import { jmapAs, jmapBody } from "../../suites/support/actors/jmap.ts";
import { postToken } from "../../suites/support/actors/oauth-client.ts";
import { postRegister } from "../../suites/support/actors/registration.ts";
import { createSolver, type Solver } from "../../suites/support/pow/solver.ts";
import { watchCreations } from "../../suites/support/target/creations.ts";
import { createEvidence } from "../../suites/support/target/evidence.ts";
import { parseProfile } from "../../suites/support/target/profile.ts";
import { openTarget, type Target, type TargetRun } from "../../suites/support/target/target.ts";
import { tidyUp } from "../../suites/support/judging/tidy-up.ts";
import type { JsonObject } from "../../suites/support/wire/exchange.ts";

interface Sent {
  readonly line: string;
  readonly body: string;
  readonly authorization: string | undefined;
}

let service: ScriptedTarget;
let solver: Solver;
let run: TargetRun;
let target: Target;
let creations: ReturnType<typeof watchCreations>;
let sent: Sent[];
let revocationStatus: number;
let mailAnswers: JsonObject[];

beforeEach(async () => {
  sent = [];
  mailAnswers = [];
  revocationStatus = 200;
  service = await startScriptedTarget((request, response) => void answer(request, response));
  const { url } = service;
  const profile = parseProfile({ auth_url: url, api_url: url, mcp_url: url }, "of the test");
  solver = createSolver();
  creations = watchCreations(profile);
  run = openTarget(profile, solver, new AbortController().signal, { onExchange: creations.look });
  target = run.targetFor(createEvidence());
});

afterEach(async () => {
  await run.close();
  await solver.close();
  await service.close();
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  const { method, url = "", headers } = request;
  sent.push({ line: `${method} ${url}`, body, authorization: headers.authorization });
  const answers: Record<string, { status: number; members?: Record<string, unknown> }> = {
    "/oauth/register": {
      status: 201,
      members: {
        client_id: `client-${sent.filter(({ line }) => line === "POST /oauth/register").length}`,
        ...(body.includes("managed") && {
          registration_client_uri: `${service.url}/clients/1`,
          registration_access_token: "rat",
        }),
      },
    },
    "/oauth/token": { status: 200, members: { refresh_token: `refresh-${sent.length}` } },
    "/oauth/revoke": { status: revocationStatus },
    "/clients/1": { status: 204 },
    "/jmap": { status: 200, members: { methodResponses: [["Email/set", mailAnswers.shift(), "0"]] } },
  };
  const { status, members } = answers[url] ?? { status: 404 };
  response.writeHead(status, { "content-type": "application/json" }).end(members && JSON.stringify(members));
}

const fieldsOf = (refreshToken: string) =>
  [
    ["grant_type", "refresh_token"],
    ["refresh_token", refreshToken],
    ["client_id", "mailer"],
    ["client_secret", "s3cret"],
  ] as const;

test("the newest refresh token of each grant is revoked, as its client", async () => {
  await postToken(target, [
    ["grant_type", "authorization_code"],
    ["client_id", "mailer"],
  ]);
  await postToken(target, fieldsOf("refresh-1"));
  expect(await tidyUp(run, creations.soFar())).toMatchObject({ grants: { made: 1, revoked: 1 } });
  expect(sent.at(-1)).toMatchObject({
    line: "POST /oauth/revoke",
    body: "token=refresh-2&client_id=mailer&client_secret=s3cret",
  });
});

test("a client is deleted where the target says how", async () => {
  await postRegister(target, { client_name: "managed" });
  await postRegister(target, { client_name: "plain" });
  expect(await tidyUp(run, creations.soFar())).toMatchObject({
    clients: [
      { client_id: "client-1", isDeleted: true },
      { client_id: "client-2", isDeleted: false },
    ],
  });
  expect(sent.at(-1)).toMatchObject({ line: "DELETE /clients/1", authorization: "Bearer rat" });
});

test("what the target does not revoke stays in the account", async () => {
  await postToken(target, [
    ["grant_type", "authorization_code"],
    ["client_id", "mailer"],
  ]);
  revocationStatus = 403;
  const { grants } = await tidyUp(run, creations.soFar());
  expect(grants).toEqual({ made: 1, revoked: 0, ofDisabledClients: 0, refusedWith: 403 });
});

test("that a client which the run disabled revokes nothing says nothing about revocation", async () => {
  await postToken(target, [
    ["grant_type", "authorization_code"],
    ["client_id", "mailer"],
  ]);
  target.note(endedClients, "mailer");
  revocationStatus = 400;
  const { grants } = await tidyUp(run, creations.soFar());
  expect(grants).toEqual({ made: 1, revoked: 0, ofDisabledClients: 1 });
});

/** An answer of Email/set in the account of an inbox. */
function madeMail(members: JsonObject): void {
  mailAnswers.push({ accountId: "a1", ...members });
}

function setMail(token: string, inbox: string): Promise<unknown> {
  return jmapAs(target, token, inbox, jmapBody([["Email/set", { accountId: "a1" }, "0"]]));
}

test("messages are destroyed as whoever made them, in the inbox where they are, but for those destroyed before", async () => {
  madeMail({ created: { d1: { id: "m1" }, d2: { id: "m2" } } });
  await setMail("token-1", "inbox-1");
  madeMail({ destroyed: ["m1"] });
  await setMail("token-1", "inbox-1");
  madeMail({ created: { d1: { id: "m1" } } });
  await setMail("token-2", "inbox-2");
  sent = [];
  madeMail({ destroyed: ["m2"] });
  madeMail({ destroyed: null, notDestroyed: { m1: { type: "forbidden" } } });
  const { emails } = await tidyUp(run, creations.soFar());
  expect(emails).toBe(1);
  expect(sent.map(({ authorization, body }) => [authorization, body])).toEqual([
    ["Bearer token-1", expect.stringContaining('"destroy":["m2"]')],
    ["Bearer token-2", expect.stringContaining('"destroy":["m1"]')],
  ]);
});

test("a message that somebody else destroyed does not stay", async () => {
  madeMail({ created: { d1: { id: "m1" } } });
  await setMail("token-1", "inbox-1");
  madeMail({ destroyed: null, notDestroyed: { m1: { type: "notFound" } } });
  expect((await tidyUp(run, creations.soFar())).emails).toBe(0);
});
