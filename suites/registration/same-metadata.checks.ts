import { obtainCode } from "../support/actors/authorization.ts";
import {
  authorizationRequest,
  type Client,
  codeExchange,
  postToken,
  requireTokens,
  unguessable,
} from "../support/actors/oauth-client.ts";
import { check } from "../support/judging/check.ts";
import { explained } from "../support/judging/explained.ts";
import { expectStatus, expectThat, isRefusal } from "../support/judging/expect.ts";
import type { Target } from "../support/target/target.ts";
import { BlockedError, NotApplicableError } from "../support/verdict.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { type Exchange, isSuccess, jsonMembers } from "../support/wire/exchange.ts";
import { confidentialMetadata, registerAs, requireRegistered } from "./registered-clients.ts";

interface RegisteredTwice {
  readonly first: Client;
  /** The same registration once more, which a target may refuse. */
  readonly again: Exchange;
  /** A code exchange of the first client, after that. */
  readonly exchange: Exchange;
}

/** Registers one confidential client after another with the same metadata: once for all checks of a run. */
function registeredTwice(target: Target): Promise<RegisteredTwice> {
  return target.once("registration:same-metadata", async (recording) => {
    // A name of its own: what a target does to clients that are named alike does not reach those of other checks.
    const metadata = { ...confidentialMetadata(), client_name: `mailproof ${unguessable()}` };
    const registered = await registerAs(recording.setup, metadata);
    const first = requireRegistered(registered);
    if (first.client_secret === undefined && jsonMembers(registered)["token_endpoint_auth_method"] === "none")
      throw new BlockedError("needs a target that registers confidential clients");
    const redeemed = await redeemFor(recording.control, first);
    requireTokens(redeemed, "the exchange with the client_secret", "DCR-03/required");
    const again = await registerAs(recording, metadata);
    if (!isSuccess(again) && !isRefusal(again))
      throw controlRefused("registering the same metadata again", "201 or a refusal", again, "DCR-01");
    return { first, again, exchange: await redeemFor(recording, first) };
  });
}

async function redeemFor(target: Target, client: Client): Promise<Exchange> {
  return postToken(
    target,
    codeExchange(await obtainCode(target.setup, authorizationRequest(target, client))),
  );
}

/** @throws {NotApplicableError} when the target refuses to register the same metadata twice */
function secondClient({ again }: RegisteredTwice): Client {
  if (!isSuccess(again)) throw new NotApplicableError("the same metadata is refused the second time");
  return requireRegistered(again);
}

/** Anybody may register what another has registered. Document, "Endpoints", POST /oauth/register: unauthenticated and open. */
export const sameMetadataChecks = [
  check({
    id: "DCR-05/first-secret",
    claim:
      "A confidential client redeems a code with its `client_secret` after its metadata was registered once more.",
    needs: ["human"],
    act: async (target) => (await registeredTwice(target)).exchange,
    assert: (exchange) => explained("DCR-05", () => expectStatus(exchange, 200)),
  }),
  check({
    id: "DCR-05/second-secret",
    claim:
      "A confidential client whose metadata another one registered before redeems a code with the `client_secret` that it is given.",
    needs: ["human"],
    async act(target) {
      return redeemFor(target, secondClient(await registeredTwice(target.setup)));
    },
    assert: (exchange) => explained("DCR-05", () => expectStatus(exchange, 200)),
  }),
  check({
    id: "DCR-05/other-secret",
    claim:
      "A registration is not answered with the `client_secret` of another client with the same metadata.",
    needs: ["human"],
    async act(target) {
      const twice = await registeredTwice(target);
      return { first: twice.first, second: secondClient(twice), again: twice.again };
    },
    assert: ({ first, second, again }) =>
      expectThat(
        second.client_secret === undefined || second.client_secret !== first.client_secret,
        "a client_secret of its own",
        "that of the other client",
        again,
      ),
  }),
];
