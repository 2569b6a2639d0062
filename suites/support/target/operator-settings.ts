import { z } from "zod";
import { address, line, redirectUri, secret } from "./profile-values.ts";

const hook = z
  .strictObject({
    url: address
      .optional()
      .describe("Where the details are POSTed as a JSON object; it answers 2xx when done."),
    authorization: secret.optional().describe("The value of the Authorization header that it needs."),
    command: z
      .array(line())
      .min(1)
      .optional()
      .describe(
        "Or a program and its arguments: it gets the JSON on standard input, and ends with 0 when done.",
      ),
  })
  .superRefine(({ url, authorization, command }, context) => {
    if ((url === undefined) === (command === undefined))
      context.addIssue({ code: "custom", message: "expected either url or command" });
    if (authorization !== undefined && url === undefined)
      context.addIssue({ code: "custom", message: "expected authorization beside url alone" });
  });

/** What only the operator can do to a target, for checks that need it. */
export const hookSettings = z.strictObject({
  revoke_grants: hook
    .optional()
    .describe(
      '`{"username", "client_id"}`: ends what the person has granted the client, as the dashboard does.',
    ),
  disable_client: hook.optional().describe('`{"client_id"}`: disables a client for good.'),
  unlink_inbox: hook.optional().describe('`{"username", "account_id"}`: takes an inbox away from its owner.'),
  link_inbox: hook.optional().describe('`{"username", "account_id"}`: gives it back.'),
  kill_node: hook
    .optional()
    .describe("`{}`: ends one of several nodes at once, as a crash does, while the others serve."),
  foreign_token: hook
    .optional()
    .describe(
      '`{"username", "resource"}`: answers `{"access_token"}`, a token of another issuer whose keys the target can read.',
    ),
});

export type HookName = keyof z.output<typeof hookSettings>;

/** A client that the operator has registered, or has disabled. */
export const operatorClient = z.strictObject({
  client_id: line(),
  client_secret: secret.optional().describe("Of a confidential client."),
  redirect_uris: z.array(redirectUri).min(1),
});

/** Addresses of internal mint endpoints for delegated capabilities, as the internet would reach them. */
export const internalUrls = z.array(address).min(1);
