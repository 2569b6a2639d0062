import { randomUUID } from "node:crypto";
import type { Client } from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { codeSpans } from "../support/judging/code-spans.ts";
import { type Parameters, replacing, without } from "../support/wire/parameters.ts";
import { expectAuthorizationRefused } from "../support/judging/refusals.ts";
import { explained } from "../support/judging/explained.ts";
import { NotApplicableError, warning } from "../support/verdict.ts";
import { expectRefusedWithoutCode } from "./refused-requests.ts";
import { attemptChanged, attemptUnregistered } from "./requests.ts";
import {
  isHexadecimal,
  withCharacterAdded,
  withCharacterOfKindChanged,
} from "../support/material/mutations.ts";

/** One flaw in one parameter of an otherwise valid request. */
interface Flaw {
  readonly id: string;
  /** Reads after "An authorization request". */
  readonly words: string;
  readonly apply: (parameters: Parameters) => Parameters;
  /** Which codes the refusal may carry; those that the document leaves open are named by RFC 6749 §4.1.2.1. */
  readonly errors: readonly string[];
}

const sending =
  (name: string, value: string): Flaw["apply"] =>
  (parameters) =>
    replacing(parameters, name, value);

const responseTypeErrors = ["unsupported_response_type", "invalid_request"];

const responseTypes: readonly Flaw[] = [
  {
    id: "AUTHZ-04/missing",
    words: "without `response_type`",
    apply: (parameters) => without(parameters, "response_type"),
    errors: responseTypeErrors,
  },
  ...[
    { slug: "empty", value: "", words: "with an empty `response_type`" },
    { slug: "token", value: "token", words: "with the `response_type` `token`" },
    { slug: "id-token", value: "id_token", words: "with the `response_type` `id_token`" },
    { slug: "code-token", value: "code token", words: "with the `response_type` `code token`" },
    { slug: "code-id-token", value: "code id_token", words: "with the `response_type` `code id_token`" },
    { slug: "none", value: "none", words: "with the `response_type` `none`" },
    { slug: "upper-case", value: "CODE", words: "with the `response_type` `CODE`" },
    { slug: "trailing-space", value: "code ", words: "with the `response_type` `code` and a trailing space" },
  ].map(({ slug, value, words }) => ({
    id: `AUTHZ-04/${slug}`,
    words,
    apply: sending("response_type", value),
    errors: responseTypeErrors,
  })),
];

const scopeErrors = ["invalid_scope", "invalid_request"];

const flaws: readonly Flaw[] = [
  ...responseTypes,
  { id: "AUTHZ-08/empty", words: "with an empty `scope`", apply: sending("scope", ""), errors: scopeErrors },
  {
    id: "AUTHZ-08/spaces",
    words: "with a `scope` of spaces alone",
    apply: sending("scope", "   "),
    errors: scopeErrors,
  },
  {
    id: "AUTHZ-11",
    words: "without `state`",
    apply: (parameters) => without(parameters, "state"),
    errors: ["invalid_request"],
  },
  {
    id: "AUTHZ-12",
    words: "with an empty `state`",
    apply: sending("state", ""),
    errors: ["invalid_request"],
  },
];

const refused = flaws.map(({ id, words, apply, errors }) =>
  check({
    id,
    claim: `An authorization request ${words} is refused with ${codeSpans(errors)}.`,
    act: (target) => attemptChanged(target, apply),
    assert: (seen) => expectAuthorizationRefused(seen, errors),
  }),
);

const noClientErrors = ["invalid_request", "invalid_client"];

const noClient = [
  {
    slug: "missing",
    words: "without `client_id`",
    apply: (parameters: Parameters) => without(parameters, "client_id"),
  },
  { slug: "empty", words: "with an empty `client_id`", apply: sending("client_id", "") },
].map(({ slug, words, apply }) =>
  check({
    id: `AUTHZ-05/${slug}`,
    claim: `An authorization request ${words} is refused with ${codeSpans(noClientErrors)}, and without a redirect.`,
    act: (target) => attemptUnregistered(target, apply),
    assert: (seen) => expectAuthorizationRefused(seen, noClientErrors),
  }),
);

// What is not of the form of a target's ids may be malformed to it, before it names any client.
const unknownClientErrors = ["invalid_client", "invalid_request"];

interface UnknownClient {
  readonly slug: string;
  /** Reads after "A `client_id`". */
  readonly words: string;
  readonly clientId: (client: Client) => string;
  readonly errors?: readonly string[];
}

const unknownClientIds: readonly UnknownClient[] = [
  { slug: "random", words: "that is a random UUID", clientId: () => randomUUID() },
  {
    slug: "own-form",
    words: "with one character changed to another of its kind",
    clientId: ofOwnForm,
    errors: ["invalid_client"],
  },
  { slug: "case-flipped", words: "with its letters in the other case", clientId: flippedCase },
  { slug: "other-ending", words: "with another ending", clientId: withOtherEnding },
  {
    slug: "longer",
    words: "with characters added",
    clientId: ({ client_id: id }) => withCharacterAdded(id, "client ids"),
  },
  { slug: "trailing-space", words: "with a trailing space", clientId: ({ client_id: id }) => `${id} ` },
  // RFC 6749 Appendix A.1 allows no NUL.
  { slug: "trailing-nul", words: "with a trailing NUL", clientId: ({ client_id: id }) => `${id}\0` },
];

const unknownClients = unknownClientIds.map(({ slug, words, clientId, errors = unknownClientErrors }) =>
  check({
    id: `AUTHZ-06/${slug}`,
    claim: `A \`client_id\` ${words} is refused with ${codeSpans(errors)} and without a redirect.`,
    act: (target) =>
      attemptUnregistered(target, (parameters, client) =>
        replacing(parameters, "client_id", clientId(client)),
      ),
    assert: (seen) => expectAuthorizationRefused(seen, errors),
  }),
);

const unknownOnLoopback = check({
  id: "AUTHZ-06/loopback",
  claim: `A random UUID as \`client_id\` is refused with ${codeSpans(unknownClientErrors)} and without a redirect to loopback.`,
  act: (target) =>
    attemptUnregistered(target, (parameters) =>
      replacing(replacing(parameters, "client_id", randomUUID()), "redirect_uri", "http://127.0.0.1:8123/cb"),
    ),
  assert: (seen) => expectAuthorizationRefused(seen, unknownClientErrors),
});

function ofOwnForm({ client_id: id }: Client): string {
  if (/^\D*\d{1,12}$/u.test(id))
    throw new NotApplicableError(
      "the target's client_id is a number, of which another may be a client's too",
    );
  return withCharacterOfKindChanged(id, "client ids");
}

/** The last characters replaced; numbers, of which another may be a client's too, get a letter instead. */
function withOtherEnding({ client_id: id }: Client): string {
  if (/^\d+$/u.test(id)) return `${id}x`;
  return id.slice(0, -4) + id.slice(-4).replaceAll(/./gsu, (character) => (character === "0" ? "1" : "0"));
}

function flippedCase({ client_id: id }: Client): string {
  const flipped = [...id]
    .map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
    .join("");
  if (flipped === id) throw new NotApplicableError("the target's client_id has no letters");
  if (isHexadecimal(id))
    throw new NotApplicableError(
      "the target's client_id may be read as bytes, to which the case means nothing (C-79)",
    );
  return flipped;
}

const allParameters = [
  "response_type",
  "client_id",
  "redirect_uri",
  "scope",
  "resource",
  "state",
  "code_challenge",
  "code_challenge_method",
];

const early = check({
  id: "AUTHZ-17/before-sign-in",
  claim:
    "A request without `response_type` is refused before the person signs in; a later refusal passes with a warning.",
  act: (target) => attemptChanged(target, (parameters) => without(parameters, "response_type")),
  assert(seen) {
    explained("AUTHZ-17/response-type-missing", () => expectRefusedWithoutCode(seen));
    return seen.interaction
      ? warning("refused only after sign-in, or after a redirect on the way to it (late validation)")
      : undefined;
  },
});

const neverDefaulted = allParameters.flatMap((name) =>
  [
    {
      slug: "missing",
      words: `without \`${name}\``,
      apply: (parameters: Parameters) => without(parameters, name),
    },
    { slug: "empty", words: `with an empty \`${name}\``, apply: sending(name, "") },
  ].map(({ slug, words, apply }) =>
    check({
      id: `AUTHZ-17/${name.replaceAll("_", "-")}-${slug}`,
      claim: `An authorization request ${words} is refused and yields no \`code\`, even when a person signs in and approves.`,
      act: (target) => attemptChanged(target, apply),
      assert: expectRefusedWithoutCode,
    }),
  ),
);

export const requiredParameterChecks = [
  ...refused,
  ...noClient,
  ...unknownClients,
  unknownOnLoopback,
  ...neverDefaulted,
  early,
];
