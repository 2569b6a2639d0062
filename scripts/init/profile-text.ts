import { defaultBudget } from "../../suites/support/target/profile.ts";
import type { Addresses } from "./ask.ts";
import type { Discovery } from "./discover.ts";

const maxDifficultyByDefault = 12;

/** A profile, as JSON with comments: what was found out, and what is left to fill in. */
export function profileText(addresses: Addresses, discovery: Discovery): string {
  const { registrations, grants, sign_ups: signUps } = defaultBudget;
  return [
    "// A profile of mailproof: how to reach a target, its people, its limits. JSON with comments.",
    "// `mailproof doctor --target FILE` says what is missing, `mailproof schema` prints the schema of all keys.",
    "{",
    ...Object.entries(addresses).map(([key, url]) => `  ${JSON.stringify(key)}: ${JSON.stringify(url)},`),
    ...commented(discovery.unreachable),
    ...metadataLines(addresses, discovery),
    "",
    ...peopleLines(discovery),
    "",
    ...clientLines(discovery),
    "",
    ...powLines(discovery),
    "",
    ...commented(
      discovery.limits.length === 0
        ? ["The first answers named no limits. `requests_per_second` bounds what a run sends."]
        : ["Limits that answers named:", ...discovery.limits],
    ),
    `  "budget": { "registrations": ${registrations}, "grants": ${grants}, "sign_ups": ${signUps} }`,
    "}",
    "",
  ].join("\n");
}

/** What comes from the target stays on its line. */
function commented(lines: readonly string[]): string[] {
  return lines.map((line) => `  // ${line.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").slice(0, 400)}`);
}

function metadataLines({ auth_url: authUrl }: Addresses, { metadata }: Discovery): string[] {
  if (metadata.value === undefined) return commented([`No metadata: ${metadata.problem}`]);
  const { issuer } = metadata.value;
  return issuer === authUrl
    ? []
    : commented([
        `The metadata names another issuer: ${JSON.stringify(issuer)}. auth_url must be the issuer, byte for byte.`,
      ]);
}

function peopleLines({ signIn }: Discovery): string[] {
  const page =
    signIn.value === undefined
      ? `What a person sees first was not found out: ${signIn.problem}`
      : `What a person sees first is ${signIn.value.description}.`;
  const driver =
    signIn.value?.hasForm === false
      ? "It has neither forms nor links: it seems to need scripts, which the driver `browser` runs and `form` does not."
      : "The driver `form` fills such pages.";
  return [
    ...commented([
      page,
      ...(signIn.value === undefined ? [] : [driver]),
      "TO FILL IN: two test people, the first with two inboxes. A secret is given by reference, env:NAME or file:PATH.",
    ]),
    ...commented([
      '"humans": [',
      '  { "name": "alice", "inboxes": 2, "consent": { "driver": "form", "username": "alice", "password": "env:ALICE_PASSWORD" } },',
      '  { "name": "bob", "consent": { "driver": "form", "username": "bob", "password": "env:BOB_PASSWORD" } }',
      "],",
    ]),
  ];
}

function clientLines({ registration, metadata }: Discovery): string[] {
  const documents =
    metadata.value?.takesClientDocuments === true
      ? [
          "The metadata says that client ids may be URLs of documents. A place to publish them has that judged:",
          '"client_metadata": { "publish": "listener", "host": "localhost", "ca_file": "mailproof-ca.pem" },',
        ]
      : [];
  if (registration.value !== undefined)
    return [
      ...commented(["Clients can be registered; one was, which stays.", ...documents]),
      '  "clients": { "registration": "dynamic" },',
    ];
  return [
    ...commented([
      `No client could be registered: ${registration.problem}`,
      'TO FILL IN, unless that is a fault of the target: clients that exist, beside "registration": "none".',
      '"public": { "client_id": "…", "redirect_uris": ["https://…"] },',
      '"confidential": { "client_id": "…", "client_secret": "env:CLIENT_SECRET", "redirect_uris": ["https://…"] }',
      ...documents,
    ]),
    '  "clients": { "registration": "dynamic" },',
  ];
}

function powLines({ challenge }: Discovery): string[] {
  if (challenge.value === undefined)
    return [
      ...commented([
        `No challenge: ${challenge.problem}`,
        'Keys of the proof of work: "salt" or "salt_claim", "max_difficulty", "username", "api_key".',
      ]),
      '  "pow": {},',
    ];
  const { difficultyBits, saltClaim } = challenge.value;
  const most = Math.max(maxDifficultyByDefault, difficultyBits);
  const saltLine = saltClaim === undefined ? "" : `"salt_claim": ${JSON.stringify(saltClaim)}, `;
  return [
    ...commented([
      `A challenge asks for ${difficultyBits} bits.`,
      saltClaim === undefined
        ? 'TO FILL IN: no claim of it looks like the salt; give "salt" as hexadecimal text, or "salt_claim".'
        : "The salt is the claim that is named here.",
      'Where the target wants user names of a syntax of its own: "username": "[a-z]{12}".',
    ]),
    `  "pow": { ${saltLine}"max_difficulty": ${most} },`,
  ];
}
