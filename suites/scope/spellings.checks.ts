import { gzipSync } from "node:zlib";
import { check } from "../support/judging/check.ts";
import { type HeaderLines, isSuccess, summary } from "../support/wire/exchange.ts";
import { isRefusal } from "../support/judging/expect.ts";
import {
  accountHeader,
  bearer,
  jmapAs,
  jmapBody,
  jsonContentType,
  postJmap,
  requireServed,
  urn,
} from "../support/actors/jmap.ts";
import { type Warning, warning } from "../support/verdict.ts";
import {
  expectNotSent,
  harmlessCall,
  readOnlyTrial,
  type SendAttempt,
  withDelivery,
} from "./send-attempts.ts";
import { sendCall } from "./submissions.ts";

/** A request that tries to send, spelled so that a check of its text may miss it. */
interface Spelling {
  readonly slug: string;
  /** Reads after "A send". */
  readonly words: string;
  /** @param send - the call as JSON @param harmless - another call as JSON */
  readonly body: (send: string, harmless: string) => string | Uint8Array | readonly string[];
  readonly headers?: HeaderLines;
  /** A service may read no send in it, and serve it as such. */
  readonly mayBeServed?: true;
}

const using = JSON.stringify(Object.values(urn));
const method = '"EmailSubmission/set"';

function calls(...each: readonly string[]): string {
  return `{"using":${using},"methodCalls":[${each.join(",")}]}`;
}

function asObject(array: string): string {
  return JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(array) as unknown[])));
}

const names: readonly Spelling[] = [
  ["escaped-slash", "whose method name has an escaped slash", String.raw`"EmailSubmission\/set"`],
  [
    "escaped-letter",
    "whose method name has a letter written as a `\\u` escape",
    String.raw`"Email\u0053ubmission/set"`,
  ],
  [
    "escaped-throughout",
    "whose method name is written in `\\u` escapes alone",
    `"${[..."EmailSubmission/set"].map((letter) => String.raw`\u${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`).join("")}"`,
  ],
].map(([slug = "", words = "", name = ""]) => ({
  slug,
  words,
  body: (send) => calls(send.replace(method, name)),
}));

const nearNames: readonly Spelling[] = [
  ["upper-case-method", "whose method name is in upper case", '"EMAILSUBMISSION/SET"'],
  ["trailing-space-method", "whose method name has a trailing space", '"EmailSubmission/set "'],
  ["trailing-nul-method", "whose method name has a trailing NUL", String.raw`"EmailSubmission/set\u0000"`],
  ["full-width-method", "whose method name begins with a full-width letter", '"\uff25mailSubmission/set"'],
  ["zero-width-method", "whose method name has a zero-width space", '"Email\u200bSubmission/set"'],
  ["double-slash-method", "whose method name has a second slash", '"EmailSubmission//set"'],
  ["leading-slash-method", "whose method name begins with a slash", '"/EmailSubmission/set"'],
  ["encoded-slash-method", "whose method name has its slash percent-encoded", '"EmailSubmission%2Fset"'],
  ["dotted-method", "whose method name has a dot for its slash", '"EmailSubmission.set"'],
].map(([slug = "", words = "", name = ""]) => ({
  slug,
  words,
  // No method of that name exists, so that a request for it may be served with an error.
  mayBeServed: true,
  body: (send) => calls(send.replace(method, name)),
}));

const bodies: readonly Spelling[] = [
  {
    slug: "duplicate-calls-send-last",
    words: "in the second of two `methodCalls` members",
    mayBeServed: true,
    body: (send, harmless) => `{"using":${using},"methodCalls":[${harmless}],"methodCalls":[${send}]}`,
  },
  {
    slug: "duplicate-calls-send-first",
    words: "in the first of two `methodCalls` members",
    mayBeServed: true,
    body: (send, harmless) => `{"using":${using},"methodCalls":[${send}],"methodCalls":[${harmless}]}`,
  },
  {
    slug: "duplicate-calls-escaped",
    words: "in a second `methodCalls` member whose name has a `\\u` escape",
    mayBeServed: true,
    body: (send, harmless) =>
      String.raw`{"using":${using},"methodCalls":[${harmless}],"method\u0043alls":[${send}]}`,
  },
  {
    slug: "method-calls-case",
    words: "in a member `methodcalls` beside a harmless `methodCalls`",
    mayBeServed: true,
    body: (send, harmless) => `{"using":${using},"methodCalls":[${harmless}],"methodcalls":[${send}]}`,
  },
  { slug: "byte-order-mark", words: "after a byte order mark", body: (send) => `\ufeff${calls(send)}` },
  {
    slug: "whitespace",
    words: "with white space wherever JSON allows it",
    body: (send) => ` \r\n\t${JSON.stringify(JSON.parse(calls(send)), null, "\r\n\t ")} \r\n\t`,
  },
  {
    slug: "without-submission-urn",
    words: "without the submission capability in `using`",
    mayBeServed: true,
    body: (send) => `{"using":${JSON.stringify([urn.core, urn.mail])},"methodCalls":[${send}]}`,
  },
  {
    slug: "long",
    words: "after 100,000 spaces",
    body: (send) => calls(send).replace("[", `[${" ".repeat(100_000)}`),
  },
  {
    slug: "very-long",
    words: "after 900,000 spaces",
    body: (send) => calls(send).replace("[", `[${" ".repeat(900_000)}`),
  },
  // What breaks a gateway's look at the calls must not let the request pass.
  {
    slug: "behind-null-arguments",
    words: "after a call whose arguments are null",
    mayBeServed: true,
    body: (send) => calls('["Mailbox/query",null,"0"]', send),
  },
  {
    slug: "behind-null-call",
    words: "after a call that is null",
    mayBeServed: true,
    body: (send) => calls("null", send),
  },
  {
    slug: "fourth-element",
    words: "in a call of four elements",
    mayBeServed: true,
    body: (send) => calls(send.replace(/\]$/u, ",{}]")),
  },
  // Where arrays and objects are one type, or values are compared as text, a gateway's look at the calls finds none.
  {
    slug: "method-in-array",
    words: "whose method name is the only element of an array",
    mayBeServed: true,
    body: (send) => calls(send.replace(method, `[${method}]`)),
  },
  {
    slug: "call-as-object",
    words: "in a call that is an object with the members `0`, `1` and `2`",
    mayBeServed: true,
    body: (send) => calls(asObject(send)),
  },
  {
    slug: "calls-as-object",
    words: "in a `methodCalls` that is an object with the member `0`",
    mayBeServed: true,
    body: (send) => `{"using":${using},"methodCalls":${asObject(`[${send}]`)}}`,
  },
  { slug: "in-an-array", words: "in a request wrapped in an array", body: (send) => `[${calls(send)}]` },
  {
    slug: "second-value",
    words: "in a second request after a harmless one",
    mayBeServed: true,
    body: (send, harmless) => `${calls(harmless)}\n${calls(send)}`,
  },
  {
    slug: "in-a-string",
    words: "in a request that is the text of a JSON string",
    body: (send) => JSON.stringify(calls(send)),
  },
  {
    slug: "split-in-chunks",
    words: "whose method name is split between two chunks",
    body: (send) => calls(send).split(/(?<=EmailSub)(?=mission)/u),
  },
];

const types: readonly Spelling[] = [
  {
    slug: "charset",
    words: "as `application/json; charset=utf-8`",
    headers: [["Content-Type", "application/json; charset=utf-8"]],
    body: (send) => calls(send),
  },
  {
    slug: "text-json",
    words: "as `text/json`",
    headers: [["Content-Type", "text/json"]],
    body: (send) => calls(send),
  },
  {
    slug: "text-plain",
    words: "as `text/plain`",
    headers: [["Content-Type", "text/plain"]],
    body: (send) => calls(send),
  },
  { slug: "no-content-type", words: "without `Content-Type`", headers: [], body: (send) => calls(send) },
  {
    slug: "gzip",
    words: "compressed with gzip",
    headers: [jsonContentType, ["Content-Encoding", "gzip"]],
    body: (send) => gzipSync(calls(send)),
  },
  {
    slug: "utf-16",
    words: "in UTF-16",
    headers: [["Content-Type", "application/json; charset=utf-16"]],
    body: (send) => Buffer.from(`\ufeff${calls(send)}`, "utf16le"),
  },
];

export const spellingChecks = [...names, ...nearNames, ...bodies, ...types].map(
  ({ slug, words, body, headers = [jsonContentType], mayBeServed }) =>
    check({
      id: `SCOPE-18/${slug}`,
      claim: `A send ${words} sends nothing for a \`mail.read\` token.`,
      needs: ["human"],
      async act(target): Promise<SendAttempt> {
        const trial = await readOnlyTrial(target);
        const { token, message, route } = trial;
        const { accountId } = route.from;
        requireServed(
          await jmapAs(target.control, token, accountId, jmapBody([harmlessCall])),
          "a request with the mail.read token that sends nothing",
        );
        const exchange = await postJmap(target, {
          headers: [bearer(token), accountHeader(target, accountId), ...headers],
          body: body(JSON.stringify(sendCall(message)), JSON.stringify(harmlessCall)),
        });
        return withDelivery(target, trial, exchange);
      },
      assert(attempt): Warning | undefined {
        expectNotSent(attempt);
        const { exchange } = attempt;
        if (isRefusal(exchange) || (isSuccess(exchange) && mayBeServed)) return undefined;
        return warning(`nothing was sent, but the answer is not a refusal: ${summary(exchange)}`);
      },
    }),
);
