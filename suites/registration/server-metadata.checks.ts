import { check } from "../support/judging/check.ts";
import { expectStringSet, expectThat } from "../support/judging/expect.ts";
import { explained } from "../support/judging/explained.ts";
import { NotApplicableError } from "../support/verdict.ts";
import { isSuccess, jsonMembers, summary } from "../support/wire/exchange.ts";
import { publicMetadata, registerAs } from "./registered-clients.ts";

const member = "grant_types_supported";

/** What a client says of itself says nothing about the server. Document, "Resources", authorization server metadata. */
export const serverMetadataCheck = check({
  id: "META-10/after-registration",
  claim: `\`${member}\` of the metadata is the same after a client has registered for \`authorization_code\` alone.`,
  async act(target) {
    const metadata = publicMetadata({ grant_types: ["authorization_code"] });
    if (!isSuccess(await registerAs(target.setup, metadata)))
      throw new NotApplicableError("the target registers no client for `authorization_code` alone");
    const url = `${target.authUrl}/.well-known/oauth-authorization-server`;
    return target.send({ method: "GET", url, headers: [["Accept", "application/json"]] });
  },
  assert(exchange) {
    explained("META-01", () => expectThat(isSuccess(exchange), "200", summary(exchange), exchange));
    const { [member]: types } = jsonMembers(exchange);
    explained("META-10", () => expectStringSet(types, ["authorization_code", "refresh_token"], member));
  },
});
