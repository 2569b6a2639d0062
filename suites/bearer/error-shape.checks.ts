import { check } from "../support/judging/check.ts";
import { jsonMembers, summary } from "../support/wire/exchange.ts";
import { expectThat, shown } from "../support/judging/expect.ts";
import { protectedEndpoints } from "./endpoints.ts";
import { refusalsOfRun } from "./refusals-of-run.ts";

/**
 * Over the whole run, so that no other refusal has to be judged for it. Without a credential, and with one of the
 * proof-of-work path, the body is free: only what names an OAuth error is judged.
 */
export const errorShapeChecks = protectedEndpoints.map((endpoint) =>
  check({
    id: `ERR-01/${endpoint.slug}-run`,
    claim: `Every 401 and 403 of the run at ${endpoint.words} with a string \`error\` has a string \`error_description\`.`,
    needs: ["human"],
    last: true,
    act: async (target) =>
      refusalsOfRun(target, endpoint, {
        statuses: [401, 403],
        accepts: (exchange) => typeof jsonMembers(exchange)["error"] === "string",
        words: "a 401 or 403 with a string error",
      }),
    assert(exchanges) {
      for (const exchange of exchanges) {
        const { error_description: description } = jsonMembers(exchange);
        expectThat(
          typeof description === "string",
          "a string error_description",
          `${summary(exchange)} with ${shown(description)}`,
          exchange,
        );
      }
    },
  }),
);
