import { counted } from "../../reports/format.ts";
import { expectMetadata, metadataDocument } from "../../suites/metadata/documents.ts";
import { expectKeys, keySet } from "../../suites/metadata/key-set.ts";
import type { WhichHuman } from "../../suites/support/actors/human.ts";
import { sharedClient } from "../../suites/support/material/clients.ts";
import { sharedGrant } from "../../suites/support/material/grants.ts";
import { listedInboxes } from "../../suites/support/material/inboxes.ts";
import type { Profile } from "../../suites/support/target/profile.ts";
import type { Probe } from "./probe.ts";
import { Problem } from "./problem.ts";

const metadata: Probe = {
  title: "metadata",
  after: ["auth_url"],
  supplies: "metadata",
  fix: "let auth_url be the issuer, and let the service serve {auth_url}/.well-known/oauth-authorization-server",
  async attempt({ target }) {
    const { issuer } = expectMetadata(await metadataDocument(target));
    if (issuer === target.authUrl) return `the issuer is ${issuer}`;
    throw new Problem(
      `the metadata is that of another issuer: expected ${target.authUrl}, got ${JSON.stringify(issuer) ?? "none"}`,
      "write auth_url in the profile as the service publishes its issuer, byte for byte, or configure the service",
    );
  },
};

const keys: Probe = {
  title: "keys",
  after: ["auth_url"],
  supplies: "keys",
  fix: "let the service serve its public keys at {auth_url}/.well-known/jwks.json",
  async attempt({ target }) {
    const { length } = expectKeys(await keySet(target));
    return `${counted(length, "key")} in the JWKS`;
  },
};

const registration: Probe = {
  title: "clients",
  after: ["auth_url"],
  supplies: "registration",
  fix: 'enable dynamic registration, or give clients.public and clients.confidential in the profile with clients.registration "none"',
  async attempt({ target, profile }) {
    await sharedClient(target, "public");
    await sharedClient(target, "confidential");
    return profile.clients.registration === "dynamic" ? "can be registered" : "are given in the profile";
  },
};

function grant(which: WhichHuman, at: number): Probe {
  return {
    title: `${which} human`,
    // What fails for the first fails here for the same reason, since some of it is tried with the first.
    after: ["auth_url", "clients", ...(which === "second" ? ["first human"] : [])],
    supplies: `${which} human`,
    fix: `check humans.${at}.consent in the profile: who signs in, and what its secret refers to`,
    async attempt({ target, profile }) {
      const human = profile.humans[at];
      if (human === undefined)
        throw new Problem(
          `the profile has no ${which} human`,
          "add a test person to humans in the profile, with the password as a reference such as env:NAME",
        );
      await sharedGrant(target, which === "first" ? {} : { human: which });
      const { length } = await listedInboxes(target, which);
      const words = counted(length, "inbox", "inboxes");
      if (length < human.inboxes)
        throw new Problem(
          `${human.name} owns ${words}, and the profile says ${human.inboxes}`,
          `correct humans.${at}.inboxes in the profile, or let ${human.name} own as many`,
        );
      return `${human.name} signs in and consents, and owns ${words}`;
    },
  };
}

const clientDocuments: Probe = {
  title: "documents",
  after: ["auth_url", "first human"],
  supplies: "client documents",
  fix: "let the service fetch what client_metadata in the profile publishes: it has to find the host, to trust its certificate, and to be allowed to fetch from that address",
  async attempt({ target }) {
    const { client } = await sharedGrant(target, { client: "document" });
    return `the service fetched ${client.client_id}`;
  },
};

/** Only where the profile says how documents are published. */
export function clientDocumentProbes({ client_metadata: settings }: Profile): readonly Probe[] {
  return settings === undefined ? [] : [clientDocuments];
}

export const oauthProbes: readonly Probe[] = [
  metadata,
  keys,
  registration,
  grant("first", 0),
  grant("second", 1),
];
