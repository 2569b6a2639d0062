import {
  codeExchange,
  formContentType,
  postToken,
  refreshExchange,
  requireTokens,
} from "../support/actors/oauth-client.ts";
import { check, observe, recommend } from "../support/judging/check.ts";
import { redeemableCode, refreshableGrant } from "../support/material/controls.ts";
import { jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectNoTokens, isRefusal, isRefusalStatus } from "../support/judging/expect.ts";
import { freshCode } from "../support/material/grants.ts";
import { adding, encodeParameters, type Parameters } from "../support/wire/parameters.ts";
import { NotApplicableError, Violation, type Warning, warning } from "../support/verdict.ts";
import { expectTokens } from "./issued.ts";

const withCharset = check({
  id: "TOKEN-09/charset",
  claim:
    "A code exchange of `Content-Type: application/x-www-form-urlencoded; charset=UTF-8` is answered 200 with tokens.",
  needs: ["human"],
  async act(target) {
    const [name, type] = formContentType;
    return target.send({
      method: "POST",
      url: `${target.authUrl}/oauth/token`,
      headers: [[name, `${type}; charset=UTF-8`]],
      body: encodeParameters(codeExchange(await freshCode(target))),
    });
  },
  assert: expectTokens,
});

const inChunks = check({
  id: "TOKEN-09/chunked",
  claim:
    "A code exchange whose form is sent in chunks is answered 200 with tokens; a target may ask for a length (411).",
  needs: ["human"],
  async act(target) {
    const form = encodeParameters(codeExchange(await freshCode(target)));
    const middle = Math.floor(form.length / 2);
    return target.send({
      method: "POST",
      url: `${target.authUrl}/oauth/token`,
      headers: [formContentType],
      body: [form.slice(0, middle), form.slice(middle)],
    });
  },
  assert(exchange): Warning | undefined {
    const { status } = exchange.response;
    // RFC 9110 §15.5.12.
    if (status === 411) throw new NotApplicableError("the target requires Content-Length (411)");
    // How a body is framed is HTTP's (RFC 9112 §7.1), of which the document says nothing.
    if (isRefusalStatus(status)) return warning(`the form is not read: ${summary(exchange)}`);
    expectTokens(exchange);
    return undefined;
  },
});

const typeInOtherCase = check({
  id: "TOKEN-09/type-in-capitals",
  claim:
    "A code exchange of `Content-Type: Application/X-WWW-Form-Urlencoded` is answered 200 with tokens; a target that refuses it warns.",
  needs: ["human"],
  async act(target) {
    return target.send({
      method: "POST",
      url: `${target.authUrl}/oauth/token`,
      headers: [["Content-Type", "Application/X-WWW-Form-Urlencoded"]],
      body: encodeParameters(codeExchange(await redeemableCode(target))),
    });
  },
  assert(exchange): Warning | undefined {
    // That media types have no case is HTTP's (RFC 9110 §8.3.1), of which the document says nothing.
    if (isRefusalStatus(exchange.response.status))
      return warning(`the form is not read: ${summary(exchange)}`);
    expectTokens(exchange);
    return undefined;
  },
});

const lowerCaseEscapes = check({
  id: "TOKEN-09/lower-case-escapes",
  claim: "A code exchange whose form has percent escapes with lower-case digits is answered 200 with tokens.",
  needs: ["human"],
  async act(target) {
    const form = encodeParameters(codeExchange(await freshCode(target)));
    return target.send({
      method: "POST",
      url: `${target.authUrl}/oauth/token`,
      headers: [formContentType],
      body: form.replaceAll(/%[0-9A-F]{2}/gu, (escape) => escape.toLowerCase()),
    });
  },
  assert: expectTokens,
});

const bothScopes = "mail.read mail.send";

const plusAtRefresh = check({
  id: "TOKEN-09/plus-at-refresh",
  claim:
    "A refresh whose `scope` has a `+` between both scopes is answered 200, if one with `%20` there is; a target may refuse a refresh that names a scope.",
  needs: ["human"],
  async act(target) {
    const { client, tokens } = await refreshableGrant(target, { scope: bothScopes });
    const fields = (token: string): Parameters =>
      adding(refreshExchange(client, token), ["scope", bothScopes]);
    const first = await postToken(target.control, fields(tokens.refresh_token));
    // The document shows no `scope` in a refresh.
    if (isRefusal(first)) throw new NotApplicableError("the target refuses a refresh that names both scopes");
    const { refresh_token: token } = requireTokens(first, "a refresh that asks for both scopes");
    return target.send({
      method: "POST",
      url: `${target.authUrl}/oauth/token`,
      headers: [formContentType],
      body: encodeParameters(fields(token)).replace("mail.read%20mail.send", "mail.read+mail.send"),
    });
  },
  assert: expectTokens,
});

const asJson = observe({
  id: "TOKEN-09/json",
  question: "What does a code exchange with a JSON body get?",
  needs: ["human"],
  async act(target) {
    const fields = codeExchange(await redeemableCode(target));
    return target.send({
      method: "POST",
      url: `${target.authUrl}/oauth/token`,
      headers: [["Content-Type", "application/json"]],
      body: JSON.stringify(Object.fromEntries(fields)),
    });
  },
  answer: (exchange) =>
    `${summary(exchange)}${"access_token" in jsonMembers(exchange) ? " with tokens" : ""}`,
});

const asText = recommend({
  id: "B-TOK-22",
  claim: "A code exchange of `Content-Type: text/plain` is refused with 4xx.",
  needs: ["human"],
  async act(target) {
    return target.send({
      method: "POST",
      url: `${target.authUrl}/oauth/token`,
      headers: [["Content-Type", "text/plain"]],
      body: encodeParameters(codeExchange(await redeemableCode(target))),
    });
  },
  assert(exchange) {
    expectNoTokens(exchange);
    if (!isRefusal(exchange))
      throw new Violation("a refusal with 4xx (not 404, 405 or 429)", summary(exchange), { exchange });
  },
});

/** Token requests in other forms than most clients send them in. Document, "POST /oauth/token". */
export const requestFormChecks = [
  withCharset,
  inChunks,
  typeInOtherCase,
  lowerCaseEscapes,
  plusAtRefresh,
  asJson,
  asText,
];
