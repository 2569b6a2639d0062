import { recommend } from "../support/judging/check.ts";
import { expectThat } from "../support/judging/expect.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { isSuccess } from "../support/wire/exchange.ts";
import { publicMetadata, registerAs } from "./registered-clients.ts";

// A fetch need not be over before the registration is answered.
const graceMs = 500;

const notFetched = recommend({
  id: "B-DCR-18",
  claim:
    "A registration makes the server fetch neither `logo_uri`, `client_uri`, `policy_uri` nor `tos_uri`.",
  unlockedBy: "client_metadata_listener",
  async act(target) {
    const page = await target.documents.serve(() => (response) => {
      response.writeHead(200, { "Content-Type": "text/html" });
      response.end("<!doctype html><title>A client</title>");
    });
    const { url } = page;
    const addresses = { logo_uri: url, client_uri: url, policy_uri: url, tos_uri: url };
    const exchange = await registerAs(target, publicMetadata(addresses));
    if (!isSuccess(exchange))
      throw controlRefused("registering a client with addresses of a logo and of pages", "201", exchange);
    await target.pause(graceMs);
    return { exchange, fetches: page.fetches() };
  },
  assert: ({ exchange, fetches }) =>
    expectThat(fetches === 0, "no request to the addresses in the metadata", `${fetches}`, exchange),
});

export const addressChecks = [notFetched];
