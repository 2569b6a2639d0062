import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { GatewayRequest } from "../../fixtures/faults/equivalents/gateway.ts";
import { pathOf } from "../../fixtures/faults/equivalents/layers.ts";
import {
  type Front,
  type FrontedService,
  startFrontedService,
} from "../../fixtures/test-servers/fronted-service.ts";
import { parseProfile } from "../../suites/support/target/profile.ts";
import { examine, type Finding } from "./examine.ts";

/** A target or profile with one thing wrong, and what `doctor` says of it. */
export interface Broken {
  readonly cause: string;
  readonly content: () => object | Promise<object>;
  readonly title: string;
  readonly says: string;
  /** What the fix names, where the message does not say it. */
  readonly fix?: string;
}

/** Where the tests of one file take what `doctor` examines from; all of it is closed behind each test. */
export interface Targets {
  inFolder(name: string): string;
  /** Starts the service behind what is put in front of it. */
  front(options: Front): Promise<FrontedService["addresses"]>;
  /** The port on which a server listens from now on. */
  listening(server: Server): Promise<number>;
}

/** Registers the hooks of a test file that open and close its targets. */
export function openTargets(): Targets {
  const folder = mkdtempSync(join(tmpdir(), "mailproof-doctor-"));
  const opened: FrontedService[] = [];
  const servers: Server[] = [];

  beforeEach(() => {
    vi.stubEnv("DOCTOR_ALICE", "alice-password");
    vi.stubEnv("DOCTOR_BOB", "bob-password");
    vi.stubEnv("DOCTOR_WRONG", "not-the-password");
    vi.stubEnv("DOCTOR_GATE", "the-token-of-the-gate");
  });

  afterEach(async () => {
    vi.unstubAllEnvs();
    await Promise.all(opened.splice(0).map((service) => service.close()));
    for (const server of servers.splice(0)) server.close();
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  return {
    inFolder: (name) => join(folder, name),
    async front(options) {
      const service = await startFrontedService(options);
      opened.push(service);
      return service.addresses;
    },
    listening(server) {
      servers.push(server);
      return portOf(server);
    },
  };
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/** Addresses at a place where nothing of the service is. */
export const everywhere = (url: string): object => ({ auth_url: url, api_url: url, mcp_url: url });

/** Whether a request has this method and path. */
export const at =
  (method: string, path: string) =>
  (request: GatewayRequest): boolean =>
    request.method === method && pathOf(request) === path;

export async function findings(content: object): Promise<readonly Finding[]> {
  const profile = parseProfile({ timeout_seconds: 10, ...content }, "of the test");
  return (await examine(profile, { signal: new AbortController().signal })).findings;
}

/** Makes a test of each. */
export function testEach(broken: readonly Broken[]): void {
  describe.for(broken)("$cause", ({ content, title, says, fix = "" }) => {
    test("is named, with how to fix it", async () => {
      const all = await findings(await content());
      const finding = all.find((each) => each.title === title);
      expect(finding?.state).toBe("missing");
      expect(finding?.text).toContain(says);
      expect(finding?.fix ?? "").toContain(fix);
    });
  });
}
