import { expect, test } from "vitest";
import { nodesAt } from "./node-settings.ts";
import { parseProfile, type Profile } from "./profile.ts";

const urls = {
  auth_url: "https://auth.example.com",
  api_url: "https://api.example.com:8444/mail",
  mcp_url: "https://mcp.example.com",
};

const withNodes = (nodes: unknown, more: object = {}): Profile =>
  parseProfile({ ...urls, ...more, nodes }, "of the test");

test.for([
  { given: undefined, count: 3 },
  { given: 1, count: 1 },
  { given: 12, count: 12 },
])("$given stands for $count nodes without addresses", ({ given, count }) => {
  expect(withNodes(given).nodes).toEqual({ count, addresses: { auth: [], api: [] } });
});

test("a list stands for all listeners, each at the port of its public address", () => {
  const profile = withNodes(["10.0.0.1", "node-2.internal", "fe80::7"]);
  expect(profile.nodes.count).toBe(3);
  expect(nodesAt(profile, `${urls.auth_url}/oauth/token`)).toEqual([
    { host: "10.0.0.1", port: 443 },
    { host: "node-2.internal", port: 443 },
    { host: "fe80::7", port: 443 },
  ]);
  expect(nodesAt(profile, `${urls.api_url}/jmap`)[0]).toEqual({ host: "10.0.0.1", port: 8444 });
});

test("each listener may have nodes of its own, and one of them none that are known", () => {
  const profile = withNodes({ auth: ["10.0.0.1:8080", "[fe80::7]:8081"] });
  expect(nodesAt(profile, urls.auth_url)).toEqual([
    { host: "10.0.0.1", port: 8080 },
    { host: "fe80::7", port: 8081 },
  ]);
  expect(nodesAt(profile, `${urls.api_url}/jmap`)).toEqual([]);
  expect(profile.nodes.count).toBe(2);
});

test("what is at no listener has no nodes, however much its address looks like one", () => {
  const profile = withNodes(["10.0.0.1"]);
  for (const url of [
    urls.mcp_url,
    "https://auth.example.com.evil.test/",
    "https://auth.example.com@evil.test/",
    "https://api.example.com:8444/mailbox",
    "https://sign-in.example.com/",
  ])
    expect(nodesAt(profile, url)).toEqual([]);
});

test("listeners of one origin are told apart by their paths", () => {
  const shared = { auth_url: "https://example.com", api_url: "https://example.com/mail" };
  const profile = withNodes({ auth: ["10.0.0.1"], api: ["10.0.0.2"] }, shared);
  expect(nodesAt(profile, "https://example.com/oauth/token").map(({ host }) => host)).toEqual(["10.0.0.1"]);
  expect(nodesAt(profile, "https://example.com/mail/jmap").map(({ host }) => host)).toEqual(["10.0.0.2"]);
});

test.for([
  { given: 0, says: "nodes: " },
  { given: "10.0.0.1", says: "expected how many nodes there are" },
  { given: [], says: "nodes: " },
  { given: {}, says: "names no node" },
  { given: { web: ["10.0.0.1"] }, says: "nodes" },
  { given: ["https://10.0.0.1"], says: 'got "https://10.0.0.1"' },
  { given: ["10.0.0.1/path"], says: "expected the host of a node" },
  { given: ["user@10.0.0.1"], says: "expected the host of a node" },
  { given: { auth: ["10.0.0.1:0"] }, says: "names port 0, which does not exist" },
  { given: { auth: ["10.0.0.1:70000"] }, says: "names port 70000, which does not exist" },
  { given: ["10.0.0.1", "10.0.0.1"], says: "is the node 0 already" },
  { given: ["10.0.0.1:8443"], says: "names port 8443 for auth_url and api_url, which have different ones" },
])("$given is refused", ({ given, says }) => {
  expect(() => withNodes(given)).toThrow(says);
});
