import { type Client } from "../support/actors/oauth-client.ts";
import { postRegister } from "../support/actors/registration.ts";
import { requireDynamicRegistration } from "../support/material/clients.ts";
import { redirectUris, registrationMetadata } from "../support/material/registrations.ts";
import type { Target } from "../support/target/target.ts";
import { controlRefused } from "../support/wire/control-refused.ts";
import { jsonMembers } from "../support/wire/exchange.ts";

export type Credentials = Pick<Client, "client_id" | "client_secret">;

/** A second confidential client: a server that accepts any client's secret accepts its secret for the first. */
export function foreignClient(target: Target): Promise<Credentials> {
  requireDynamicRegistration(target, "a second confidential client");
  return target.setup.once("token:foreign-client", async (recording) => {
    const exchange = await postRegister(
      recording,
      registrationMetadata({
        redirect_uris: [redirectUris.main],
        token_endpoint_auth_method: "client_secret_post",
      }),
    );
    const { client_id: id, client_secret: secret } = jsonMembers(exchange);
    if (typeof id === "string" && typeof secret === "string") return { client_id: id, client_secret: secret };
    throw controlRefused("registering a confidential client", "a client_secret", exchange, "DCR-01");
  });
}
