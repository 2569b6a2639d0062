import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { createSecretMask } from "../wire/secrets.ts";
import { parseProfile } from "./profile.ts";
import { learnProfile } from "./profile-secrets.ts";

const schema: unknown = JSON.parse(
  readFileSync(new URL("../../../fixtures/targets/profile.schema.json", import.meta.url), "utf8"),
);

/** Keys whose value is a reference to a secret, each as its path; what consent has is named after its driver. */
function secretKeysIn(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value !== "object" || value === null) return [];
  if ("pattern" in value && String(value.pattern).includes("env|file"))
    return [
      path
        .filter(
          (name) => !["properties", "items", "oneOf", "anyOf", "0", "additionalProperties"].includes(name),
        )
        .join("."),
    ];
  if ("oneOf" in value && Array.isArray(value.oneOf))
    return value.oneOf.flatMap((member) =>
      secretKeysIn(member, [...path, member.properties.driver?.const ?? "oneOf"]),
    );
  return Object.entries(value).flatMap(([name, member]) => secretKeysIn(member, [...path, name]));
}

const canaries = {
  "clients.confidential.client_secret": "canary-of-the-client",
  "clients.disabled.client_secret": "canary-of-the-disabled-client",
  "clients.operator.client_secret": "canary-of-the-operators-client",
  "headers.api": "canary-of-the-gate-of-the-api",
  "headers.auth": "canary-of-the-gate",
  "headers.mcp": "canary-of-the-gate-of-mcp",
  "hooks.disable_client.authorization": "canary-of-disabling",
  "hooks.foreign_token.authorization": "canary-of-foreign-tokens",
  "hooks.kill_node.authorization": "canary-of-killing",
  "hooks.link_inbox.authorization": "canary-of-linking",
  "hooks.revoke_grants.authorization": "canary-of-revoking",
  "hooks.unlink_inbox.authorization": "canary-of-unlinking",
  "humans.consent.browser.password": "canary-of-a-person-in-a-browser",
  "humans.consent.browser.totp": "OBQXG43XN5ZGI",
  "humans.consent.form.password": "canary-of-the-person",
  "pow.api_key": "canary-of-the-agent",
  "start.environment": "canary-of-a-variable",
};

function clientOf(kind: string): object {
  return {
    client_id: `a-${kind}-client`,
    client_secret: `env:CANARY_clients.${kind}.client_secret`,
    redirect_uris: ["https://client.example.test/cb"],
  };
}

test("a mask learns the secret of every key of a profile that refers to one", () => {
  // A key that is added to the profile needs a canary here, and a line in learnProfile.
  expect(secretKeysIn(schema).toSorted()).toEqual(Object.keys(canaries));

  for (const [key, canary] of Object.entries(canaries)) vi.stubEnv(`CANARY_${key}`, canary);
  const content = {
    auth_url: "https://auth.example.test",
    api_url: "https://api.example.test",
    mcp_url: "https://mcp.example.test",
    humans: [
      {
        name: "alice",
        consent: { driver: "form", username: "alice", password: "env:CANARY_humans.consent.form.password" },
      },
      {
        name: "bob",
        consent: {
          driver: "browser",
          username: "bob",
          password: "env:CANARY_humans.consent.browser.password",
          totp: "env:CANARY_humans.consent.browser.totp",
        },
      },
    ],
    clients: {
      confidential: clientOf("confidential"),
      operator: clientOf("operator"),
      disabled: clientOf("disabled"),
    },
    hooks: Object.fromEntries(
      ["disable_client", "foreign_token", "kill_node", "link_inbox", "revoke_grants", "unlink_inbox"].map(
        (name) => [
          name,
          { url: "https://hooks.example.test", authorization: `env:CANARY_hooks.${name}.authorization` },
        ],
      ),
    ),
    headers: {
      auth: { "X-Gate": "env:CANARY_headers.auth", "X-Team": "plain" },
      api: { "X-Gate": "env:CANARY_headers.api" },
      mcp: { "X-Gate": "env:CANARY_headers.mcp" },
    },
    pow: { api_key: "env:CANARY_pow.api_key" },
    start: { environment: { DATABASE_PASSWORD: "env:CANARY_start.environment", LOG_LEVEL: "info" } },
  };
  const mask = createSecretMask();
  learnProfile(mask, parseProfile(content, "profile.json"));

  for (const canary of Object.values(canaries))
    expect(mask.text(`sent ${canary} there`)).not.toContain(canary);
  expect(mask.text("the plain text of a header")).toBe("the plain text of a header");
});
