import { afterAll, beforeAll } from "vitest";
import type { Middleware } from "../../fixtures/faults/equivalents/gateway.ts";
import {
  answering,
  changingJson,
  changingResponses,
  jsonAnswer,
  mapHeader,
  pageOf,
} from "../../fixtures/faults/equivalents/layers.ts";
import { type FrontedService, startFrontedService } from "../../fixtures/test-servers/fronted-service.ts";
import { freePort } from "../../fixtures/service/free-port.ts";
import { at, openTargets, testEach } from "./broken-targets.ts";

const { front } = openTargets();
let plain: FrontedService;

beforeAll(async () => {
  plain = await startFrontedService();
});

afterAll(() => plain.close());

const alice = {
  name: "alice",
  inboxes: 2,
  consent: { driver: "form", username: "alice", password: "env:DOCTOR_ALICE" },
};
const bob = { name: "bob", consent: { driver: "form", username: "bob", password: "env:DOCTOR_BOB" } };

/** Host and port. */
const placeOf = (url: string): string => new URL(url).host;

const isMetadata = at("GET", "/.well-known/oauth-authorization-server");
const isSession = at("POST", "/api/v1/session");

const dated = (aheadMs: number): Middleware =>
  changingResponses((response) =>
    mapHeader(response, "date", (date) => new Date(Date.parse(date) + aheadMs).toUTCString()),
  );

/** Says that it sends, and does not. */
const swallowingMail = answering((request) => {
  if (!request.body.includes("EmailSubmission/set")) return undefined;
  const args = { accountId: "a", created: { s1: { id: "never" } } };
  return jsonAnswer(200, { methodResponses: [["EmailSubmission/set", args, "send"]], sessionState: "0" });
});

const withoutIdentities = changingJson((body) => {
  const { methodResponses: calls } = body;
  if (!JSON.stringify(calls ?? "").includes('"Identity/get"')) return undefined;
  return { ...body, methodResponses: [["Identity/get", { list: [] }, "0"]] };
});

testEach([
  {
    cause: "a clock that is ten minutes ahead",
    content: () => front({ layers: [dated(600_000)] }),
    title: "clock",
    // 600 s, or 601 s on a busy machine.
    says: "the target's clock is 60",
    fix: "keep time",
  },
  {
    cause: "metadata of another issuer",
    content: () =>
      front({
        layers: [
          changingJson((body, { request }) =>
            isMetadata(request) ? { ...body, issuer: "https://other.example" } : undefined,
          ),
        ],
      }),
    title: "metadata",
    says: "the metadata is that of another issuer: expected http://127.0.0.1",
    fix: "as the service publishes its issuer",
  },
  {
    cause: "metadata that is a page",
    content: () =>
      front({ layers: [answering((request) => (isMetadata(request) ? pageOf(200, "Welcome") : undefined))] }),
    title: "metadata",
    says: "expected 200 with one JSON object; observed 200 (text/html",
    fix: "serve {auth_url}/.well-known/oauth-authorization-server",
  },
  {
    cause: "no key set",
    content: () =>
      front({
        layers: [
          answering((request) =>
            at("GET", "/.well-known/jwks.json")(request) ? jsonAnswer(404, {}) : undefined,
          ),
        ],
      }),
    title: "keys",
    says: "observed 404",
    fix: "/.well-known/jwks.json",
  },
  {
    cause: "registration that is switched off",
    content: () =>
      front({
        layers: [
          answering((request) =>
            at("POST", "/oauth/register")(request) ? jsonAnswer(403, { error: "access_denied" }) : undefined,
          ),
        ],
      }),
    title: "clients",
    says: "registering a public client: expected 201 with client_id, got 403 access_denied",
    fix: "enable dynamic registration, or give clients.public",
  },
  {
    cause: "no people",
    content: () => plain.addresses,
    title: "first human",
    says: "the profile has no first human",
    fix: "add a test person to humans",
  },
  {
    cause: "a wrong password",
    content: () => ({
      ...plain.addresses,
      humans: [{ ...alice, consent: { ...alice.consent, password: "env:DOCTOR_WRONG" } }],
    }),
    title: "first human",
    says: "signing in as alice was refused; are the credentials in the profile right?",
    fix: "check humans.0.consent",
  },
  {
    cause: "a person whom nobody knows",
    content: () => ({
      ...plain.addresses,
      humans: [alice, { ...bob, consent: { ...bob.consent, username: "robert" } }],
    }),
    title: "second human",
    says: "signing in as robert was refused",
    fix: "check humans.1.consent",
  },
  {
    cause: "a node where nothing listens",
    content: async () => ({ ...plain.addresses, nodes: { auth: [`127.0.0.1:${await freePort()}`] } }),
    title: "auth nodes",
    says: "nothing listens there",
    fix: "correct nodes.auth",
  },
  {
    cause: "a node of another authorization server",
    content: async () => {
      const other = await front({});
      return {
        ...plain.addresses,
        nodes: { auth: [placeOf(plain.addresses.auth_url), placeOf(other.auth_url)] },
      };
    },
    title: "auth nodes",
    says: "is another issuer",
    fix: "correct nodes.auth",
  },
  {
    cause: "a node of another mail API",
    content: async () => {
      const other = await front({});
      return { ...plain.addresses, humans: [alice], nodes: { api: [placeOf(other.api_url)] } };
    },
    title: "api nodes",
    says: "does not serve an access token of",
    fix: "correct nodes.api",
  },
  {
    cause: "fewer inboxes than the profile says",
    content: () => ({ ...plain.addresses, humans: [{ ...alice, inboxes: 3 }, bob] }),
    title: "first human",
    says: "alice owns 2 inboxes, and the profile says 3",
    fix: "correct humans.0.inboxes",
  },
  {
    cause: "a wrong mail domain",
    content: async () => ({
      ...(await front({ layers: [withoutIdentities, swallowingMail] })),
      humans: [alice],
      names: { mail_domain: "wrong.example" },
    }),
    title: "mail",
    says: "to alice-home@wrong.example was accepted and has not arrived",
    fix: "correct names.mail_domain",
  },
  {
    cause: "mail that never arrives",
    content: async () => ({ ...(await front({ layers: [swallowingMail] })), humans: [alice] }),
    title: "mail",
    says: "was accepted and has not arrived",
    fix: "let the target deliver",
  },
  {
    cause: "a person with a single inbox",
    content: () => ({ ...plain.addresses, humans: [bob] }),
    title: "mail",
    says: "needs a human with two inboxes",
  },
  {
    cause: "a salt that is not in the challenge",
    content: () => ({ ...plain.addresses, pow: { salt: "00".repeat(16) } }),
    title: "proof of work",
    says: "the salt that the profile gives is not the one in the challenge's claim",
    fix: "remove pow.salt",
  },
  {
    cause: "a salt that is not the target's constant",
    content: async () => ({
      ...(await front({
        configuration: { pow: { difficultyBits: 3, salt: { hexText: "ab".repeat(16) } } },
      })),
      pow: { salt: "cd".repeat(16) },
    }),
    title: "signup",
    says: "signing up an agent: expected 2xx with apiKey, got 4",
    fix: "pow.salt is not the target's",
  },
  {
    cause: "a difficulty above the limit",
    content: () => ({ ...plain.addresses, pow: { max_difficulty: 1 } }),
    title: "proof of work",
    says: "a challenge asks for more than pow.max_difficulty of the profile, 1 bits: 3 bits take about",
    fix: "set pow.max_difficulty to 3",
  },
  {
    cause: "sign-ups that are refused",
    content: () =>
      front({
        layers: [answering((request) => (isSession(request) ? jsonAnswer(403, {}) : undefined))],
      }),
    title: "signup",
    says: "signing up an agent: expected 2xx with apiKey, got 403",
    fix: "pow.username",
  },
]);
