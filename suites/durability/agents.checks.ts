import { bearerIn, logIn, openSession } from "../support/actors/agent.ts";
import { bearer, jmapBody, jsonContentType, postJmap, responseTo } from "../support/actors/jmap.ts";
import type { Check } from "../support/judging/check.ts";
import { expectPowRefused, expectThat, shown } from "../support/judging/expect.ts";
import type { Target } from "../support/target/target.ts";
import { isSuccess, summary } from "../support/wire/exchange.ts";
import { inBothLives } from "./acknowledged.ts";
import { type AgentsBefore, draftBox } from "./before.ts";
import { type Life, requireKnownAgent } from "./lives.ts";

const knownAgent = (target: Target, life: Life, { apiKey }: AgentsBefore): Promise<string> =>
  requireKnownAgent(target, life, apiKey);

const apiKeys = inBothLives("agents", {
  requirement: "POW-11",
  claim: "An agent that signed up before LIFE still logs in with its `apiKey`.",
  itemsOf: ({ newApiKeys }) => newApiKeys,
  use: (target, apiKey) => logIn(target, apiKey),
  expect: (answer) =>
    expectThat(
      isSuccess(answer) && bearerIn(answer) !== undefined,
      "2xx with a session JWT",
      summary(answer),
      answer,
    ),
});

const challenges = inBothLives("agents", {
  requirement: "POW-34",
  claim: "A challenge that was spent before LIFE still opens no second session.",
  itemsOf: ({ spent }) => spent,
  control: knownAgent,
  use: (target, { jwt, proof }, { before }) => openSession(target, jwt, { ...proof, apiKey: before.apiKey }),
  expect: expectPowRefused,
});

// As many as every target gives in one call.
const mostAsked = 50;

const mail = inBothLives("agents", {
  requirement: "JMAP-07",
  claim: "A draft that was created before LIFE is still there.",
  itemsOf: ({ emailIds }) => (emailIds.length === 0 ? [] : [emailIds.slice(-mostAsked)]),
  control: knownAgent,
  async use(target, ids, { life, before }) {
    const box = await draftBox(target.setup, await knownAgent(target, life, before));
    const answer = await postJmap(target, {
      url: box.apiUrl,
      headers: [bearer(box.capability), jsonContentType],
      body: jmapBody([["Email/get", { accountId: box.accountId, ids, properties: ["id"] }, "0"]]),
    });
    return { ids, answer };
  },
  expect({ ids, answer }) {
    const list = responseTo(answer, "0")?.args["list"];
    const found = Array.isArray(list)
      ? list.map((email: unknown) => Reflect.get(Object(email), "id") as unknown)
      : [];
    const lost = ids.filter((id) => !found.includes(id));
    expectThat(lost.length === 0, `all ${ids.length} drafts`, `without ${shown(lost)}`, answer);
  },
});

export const agentChecks: readonly Check[] = [...apiKeys, ...challenges, ...mail];
