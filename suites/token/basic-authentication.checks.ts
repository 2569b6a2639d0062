import { type Client, codeExchange, formContentType, unguessable } from "../support/actors/oauth-client.ts";
import { check, observe, recommend } from "../support/judging/check.ts";
import { expectNoTokens, expectThat, isRefusal } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { redeemableCode } from "../support/material/controls.ts";
import type { Target } from "../support/target/target.ts";
import { Violation } from "../support/verdict.ts";
import { type Exchange, header, isSuccess, summary } from "../support/wire/exchange.ts";
import { encodeParameters, type Parameters, without } from "../support/wire/parameters.ts";
import { type Credentials, foreignClient } from "./foreign-client.ts";

function basic({ client_id: id, client_secret: secret = "" }: Credentials): string {
  const credentials = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
  return `Basic ${Buffer.from(credentials).toString("base64")}`;
}

function postWithBasic(target: Target, client: Credentials, fields: Parameters): Promise<Exchange> {
  return target.send({
    method: "POST",
    url: `${target.authUrl}/oauth/token`,
    headers: [formContentType, ["Authorization", basic(client)]],
    body: encodeParameters(fields),
  });
}

const basicAlone = observe({
  id: "TOKEN-17",
  question: "What does a confidential client with HTTP Basic and no `client_secret` in the body get?",
  needs: ["human"],
  async act(target) {
    const code = await redeemableCode(target, { client: "confidential" });
    return postWithBasic(target, code.client, without(codeExchange(code), "client_secret"));
  },
  answer: (exchange) =>
    isSuccess(exchange)
      ? `${summary(exchange)}: client_secret_basic works, though the metadata of the document do not advertise it`
      : summary(exchange),
});

const twoMethods = recommend({
  id: "B-TOK-10",
  claim: "A code exchange with `client_secret` in the body and HTTP Basic is refused.",
  needs: ["human"],
  async act(target) {
    const code = await redeemableCode(target, { client: "confidential" });
    return postWithBasic(target, code.client, codeExchange(code));
  },
  assert(exchange) {
    expectNoTokens(exchange);
    if (!isRefusal(exchange))
      throw new Violation("a refusal with 4xx (not 404, 405 or 429)", summary(exchange), { exchange });
  },
});

const failedBasic = observe({
  id: "B-TOK-11",
  question: "What does a wrong `client_secret` in HTTP Basic get?",
  needs: ["human"],
  async act(target) {
    const code = await redeemableCode(target, { client: "confidential" });
    const fields = without(without(codeExchange(code), "client_secret"), "client_id");
    return postWithBasic(target, { ...code.client, client_secret: unguessable() }, fields);
  },
  answer: (exchange) =>
    `${summary(exchange)}, WWW-Authenticate ${header(exchange, "www-authenticate") ?? "not sent"}`,
});

const wrongBasic = [
  {
    slug: "wrong-in-basic",
    words: "a random secret",
    sender: async (_target: Target, own: Client) => ({ ...own, client_secret: unguessable() }),
  },
  {
    slug: "other-clients-in-basic",
    words: "the id and secret of another client",
    sender: foreignClient,
  },
].map(({ slug, words, sender }) =>
  check({
    id: `TOKEN-15/${slug}`,
    claim: `A confidential client's code exchange with ${words} in HTTP Basic and no \`client_secret\` in its body is refused and gets no tokens.`,
    needs: ["human"],
    async act(target) {
      const code = await redeemableCode(target, { client: "confidential" });
      const fields = without(codeExchange(code), "client_secret");
      return postWithBasic(target, await sender(target, code.client), fields);
    },
    assert(exchange) {
      explained("TOKEN-18/code", () => expectNoTokens(exchange));
      expectThat(isRefusal(exchange), "a refusal with 4xx", summary(exchange), exchange);
    },
  }),
);

/** A secret in HTTP Basic, which the metadata do not name. Document, "Authorization server metadata". */
export const basicAuthenticationChecks = [...wrongBasic, basicAlone, twoMethods, failedBasic];
