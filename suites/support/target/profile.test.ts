import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadProfile, parseProfile } from "./profile.ts";

const url = "https://mail.example.com";
const urls = { auth_url: url, api_url: url, mcp_url: url };
const consent = { driver: "form", username: "alice", password: "env:PROFILE_PASSWORD" };
const alice = { name: "alice", consent };

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mailproof-profile-"));
  process.env["PROFILE_PASSWORD"] = "correct horse";
  process.env["PROFILE_EMPTY"] = " ";
  process.env["PROFILE_LINES"] = "one\ntwo";
  delete process.env["PROFILE_UNSET"];
  writeFileSync(join(folder, "empty-secret"), "\n");
});

afterAll(() => rmSync(folder, { recursive: true }));

const withSecret = (password: string) => ({ humans: [{ ...alice, consent: { ...consent, password } }] });
const withConsent = (more: object) => ({ humans: [{ ...alice, consent: { ...consent, ...more } }] });
const withSteps = (...approve: object[]) => ({
  humans: [{ name: "alice", consent: { driver: "browser", username: "alice", approve } }],
});

test("comments are read over, and what looks like one in a text is kept", () => {
  const path = join(folder, "commented.json");
  writeFileSync(
    path,
    `// A profile.\n{ /* three\n addresses */ "auth_url": "${url}", "api_url": "${url}", // "humans": [],\n "mcp_url": "${url}/*a//b" }`,
  );
  expect(loadProfile(path)).toMatchObject({ auth_url: url, mcp_url: `${url}/*a//b`, humans: [] });
});

test("a mistake is found on its line below comments", () => {
  const path = join(folder, "commented-twice.json");
  writeFileSync(path, `// one\n/* two\n three */ {\n"api_url": "${url}",\n// five\n"api_url": "${url}" }`);
  expect(() => loadProfile(path)).toThrow("the key api_url stands there twice, on lines 4 and 6");
});

describe("what connections cannot be made with is refused", () => {
  test.for([
    {
      content: { ca_file: "no-such-file" },
      says: "ca_file: refers to the file no-such-file, which cannot be read",
    },
    { content: { ca_file: import.meta.filename }, says: "which holds no certificate in PEM form" },
    {
      content: { client_certificate: { cert_file: import.meta.filename, key_file: import.meta.filename } },
      says: "cannot be used together",
    },
    {
      content: { headers: { auth: { Authorization: "x" } } },
      says: "is a header that the checks send themselves",
    },
    { content: { headers: { auth: { "X Gate": "x" } } }, says: 'is not a header name: "X Gate"' },
    {
      content: { headers: { api: { "X-Gate": "ö" } } },
      says: "headers.api.X-Gate: expected printable ASCII",
    },
    {
      content: { headers: { mcp: { "X-Gate": "env:PROFILE_UNSET" } } },
      says: "PROFILE_UNSET, which is not set",
    },
    {
      content: { headers: { auth: { "X-Gate": "a" }, api: { "x-gate": "b" } } },
      says: "headers.api.x-gate: has another value for a listener of the same origin",
    },
    { content: { resolve: { "auth.example": "here" } }, says: "expected an IP address" },
    { content: { resolve: { "127.0.0.1": "10.0.0.7" } }, says: "is an address already" },
    { content: { resolve: { localhost: "10.0.0.7" } }, says: "is this machine" },
    { content: { pow: { username: "[a-z]{3}" } }, says: "leaves about 17576 names" },
    { content: { pow: { username: ".*" } }, says: "from which no name can be made" },
    {
      content: { pow: { username: "[a-z]{9}", username_prefix: "ct" } },
      says: "pow.username: cannot be combined with username_prefix",
    },
  ])("$says", ({ content, says }) => {
    expect(() => parseProfile({ ...urls, ...content }, "of the test")).toThrow(says);
  });
});

describe("what would lead to false failures is refused", () => {
  test.for([
    {
      why: "the same user name twice",
      content: { humans: [alice, { name: "bob", consent: { ...consent, username: "Alice" } }] },
      says: ['humans.1.consent.username: "alice" is already the person of humans.0', "two different people"],
    },
    {
      why: "the same name twice",
      content: { humans: [alice, { ...alice, consent: { ...consent, username: "bob" } }] },
      says: ['humans.1.name: "alice" is already the person of humans.0'],
    },
    {
      why: "read_only without an equals sign",
      content: withConsent({ read_only: "narrow" }),
      says: ['humans.0.consent.read_only: expected name=value, got "narrow"'],
    },
    {
      why: "read_only without a name",
      content: withConsent({ read_only: "=1" }),
      says: ['expected name=value, got "=1"'],
    },
    {
      why: "a driver that does not exist",
      content: withConsent({ driver: "playwright" }),
      says: ['humans.0.consent.driver: expected driver to be "form", "browser", "command" or "manual"'],
    },
    {
      why: "a step that names an element twice",
      content: withSteps({ click: { id: "go", css: "#go" } }),
      says: ["humans.0.consent.approve.0.click: expected exactly one of role, label, text, id, css"],
    },
    {
      why: "a step of two actions",
      content: withSteps({ click: { id: "go" }, goto: "https://mail.example.com" }),
      says: ["humans.0.consent.approve.0: expected exactly one of goto, click, fill"],
    },
    {
      why: "a step that types nothing",
      content: withSteps({ fill: { id: "user" } }),
      says: ["humans.0.consent.approve.0: expected value beside fill"],
    },
    {
      why: "a step with an unknown placeholder",
      content: withSteps({ fill: { id: "user" }, value: "{user}" }),
      says: ["humans.0.consent.approve.0.value: unknown placeholder {user}; there are {username}"],
    },
    {
      why: "a step that types a password that there is not",
      content: withSteps({ fill: { id: "password" }, value: "{password}" }),
      says: ["humans.0.consent.approve.0.value: uses {password}, but consent has no password"],
    },
    {
      why: "a person's name with a line break",
      content: { humans: [{ ...alice, name: "alice\nbob" }] },
      says: ["humans.0.name: contains U+000A, a line break"],
    },
    {
      why: "a user name with a control character",
      content: withConsent({ username: "ali\u001Bce" }),
      says: ["humans.0.consent.username: contains U+001B, a control character"],
    },
    {
      why: "an empty user name",
      content: withConsent({ username: "" }),
      says: ["humans.0.consent.username: is empty; write a value or leave the key out"],
    },
    {
      why: "a user name with a space at its end",
      content: withConsent({ username: "alice " }),
      says: ['begins or ends with a space: "alice "'],
    },
    {
      why: "a header name with a line break",
      content: { names: { account_header: "X-Account\r\nX-Other" } },
      says: ["names.account_header: contains U+000D, a line break"],
    },
    {
      why: "a header name with a colon",
      content: { names: { account_header: "X-Account:" } },
      says: ['names.account_header: is not a header name: "X-Account:"'],
    },
    {
      why: "a prefix with a space",
      content: { names: { agent_urn_prefix: "urn:service agent:" } },
      says: ["names.agent_urn_prefix: contains a space"],
    },
    {
      why: "a salt that is not hexadecimal",
      content: { pow: { salt: "0x00ff" } },
      says: ['pow.salt: expected hexadecimal text, got "x" at character 2', "without 0x"],
    },
    {
      why: "a salt with half a byte",
      content: { pow: { salt: "00f" } },
      says: ["pow.salt: expected hexadecimal text of whole bytes, got 3 digits"],
    },
    {
      why: "port 0",
      content: { auth_url: "http://127.0.0.1:0" },
      says: ["auth_url: names port 0, which does not exist"],
    },
    {
      why: "port 65536",
      content: { api_url: "https://api.example.com:65536/v1" },
      says: ["api_url: names port 65536, which does not exist; ports are 1 to 65535"],
    },
    {
      why: "a clock at a port that does not exist",
      content: { clock: { advance_url: "http://127.0.0.1:99999/advance" } },
      says: ["clock.advance_url: names port 99999"],
    },
    {
      why: "a password in an address",
      content: { auth_url: "https://user:hunter2@auth.example.com" },
      says: ['auth_url: has user information before "auth.example.com"', "write it without"],
    },
    {
      why: "a query in a base address",
      content: { mcp_url: "https://mcp.example.com?tenant=7" },
      says: ['mcp_url: has a query, "?tenant=7"'],
    },
    {
      why: "a fragment in a base address",
      content: { mcp_url: "https://mcp.example.com/#top" },
      says: ['mcp_url: has a fragment, "#top"'],
    },
    { why: "a trailing slash", content: { auth_url: `${url}/` }, says: ["auth_url: has a trailing slash"] },
    {
      why: "an address without a scheme",
      content: { auth_url: "auth.example.com" },
      says: [
        'auth_url: expected an absolute http or https URL such as https://auth.example.com, got "auth.example.com"',
      ],
    },
    {
      why: "a backslash in an address",
      content: { auth_url: "https://auth.example.com\\v1" },
      says: ["auth_url: contains a space or a backslash"],
    },
    {
      why: "a redirect_uri with a fragment",
      content: { clients: { public: { client_id: "c", redirect_uris: ["https://cb.example.com/#a"] } } },
      says: ["clients.public.redirect_uris.0: has a fragment"],
    },
    {
      why: "a sign-in address with a path",
      content: { sign_in_origins: ["https://id.example.com/login"] },
      says: ['sign_in_origins.0: is more than an origin; write "https://id.example.com"'],
    },
    {
      why: "a sign-in origin in plain http",
      content: { sign_in_origins: ["http://id.example.com"] },
      says: ['sign_in_origins.0: "http://id.example.com" is plain http while auth_url is https'],
    },
    {
      why: "an environment variable that is not set",
      content: withSecret("env:PROFILE_UNSET"),
      says: [
        "humans.0.consent.password: refers to the environment variable PROFILE_UNSET, which is not set; export PROFILE_UNSET=…",
      ],
    },
    {
      why: "an environment variable that is empty",
      content: withSecret("env:PROFILE_EMPTY"),
      says: ["refers to the environment variable PROFILE_EMPTY, which is empty"],
    },
    {
      why: "a secret of two lines",
      content: withSecret("env:PROFILE_LINES"),
      says: ["refers to the environment variable PROFILE_LINES, which contains U+000A"],
    },
    {
      why: "a secret that stands in the profile",
      content: withSecret("hunter2"),
      says: ["humans.0.consent.password: expected a reference"],
    },
    {
      why: "a mistyped key",
      content: { sign_in_origin: [url] },
      says: ['unknown key "sign_in_origin"; did you mean "sign_in_origins"?'],
    },
  ])("$why", ({ content, says }) => {
    const parse = (): unknown => parseProfile({ ...urls, ...content }, "of the test");
    for (const text of says) expect(parse).toThrow(text);
    expect(parse).toThrow("the profile of the test cannot be used:\n  ");
    expect(parse).not.toThrow("hunter2");
  });

  test("an empty file of a secret", () => {
    const content = { ...urls, ...withSecret(`file:${join(folder, "empty-secret")}`) };
    expect(() => parseProfile(content, "of the test")).toThrow("which is empty; write the secret into it");
  });
});

describe("a profile file", () => {
  function file(content: string | Uint8Array): string {
    const path = join(folder, "profile.json");
    writeFileSync(path, content);
    return path;
  }

  test("with a byte order mark is read", () => {
    expect(loadProfile(file(`\uFEFF${JSON.stringify(urls)}`))).toMatchObject(urls);
  });

  test.for([
    {
      why: "a key twice",
      content: `{"auth_url": "${url}",\n "api_url": "${url}", "mcp_url": "${url}",\n "auth_url": "https://b.example.com"}`,
      says: "the key auth_url stands there twice, on lines 1 and 3; remove one of them",
    },
    {
      why: "a key twice in an element of a list, once escaped",
      content: '{"humans": [{"name": "a,{["}, {"name": "b", "x": [1, {"y": 2}], "na\\u006de": "c"}]}',
      says: "the key humans.1.name stands there twice, on lines 1 and 1",
    },
    {
      why: "UTF-16",
      content: Buffer.from(`\uFEFF${JSON.stringify(urls)}`, "utf16le"),
      says: "it is UTF-16; save it as UTF-8",
    },
    { why: "bytes that are not UTF-8", content: Buffer.from([0x7b, 0xff, 0x7d]), says: "it is not UTF-8" },
    { why: "no JSON", content: "{auth_url}", says: "is not JSON that can be used" },
  ])("with $why is refused", ({ content, says }) => {
    const path = file(content);
    expect(() => loadProfile(path)).toThrow(says);
    expect(() => loadProfile(path)).toThrow(path);
  });

  test("with the same key in different objects is read", () => {
    const content = JSON.stringify({
      ...urls,
      humans: [alice, { name: "bob", consent: { ...consent, username: "bob" } }],
    });
    expect(loadProfile(file(content)).humans).toHaveLength(2);
  });
});

test.for([
  {
    content: {},
    says: 'auth_url: is missing; give the service\'s address, such as "https://auth.example.com"',
  },
  {
    content: { known: { "META-02": { verdict: "fail", reason: "known" } } },
    says: 'known.META-02.expires: is missing; give a day as YYYY-MM-DD, such as "2027-01-31"',
  },
])("a key that is left out is said to be missing: $says", ({ content, says }) => {
  expect(() => parseProfile(content, "of the test")).toThrow(says);
});
