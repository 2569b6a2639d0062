import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { cpuUsageOfMachine, cpuUsageOfProcess, processListeningOn, residentMiB } from "./machine-usage.ts";
import { physicalCores } from "./physical-cores.ts";

/** Busy for so many ms of processor time, whatever the clock says. */
function work(cpuMs: number): void {
  const before = process.cpuUsage();
  let used = 0;
  while (used < cpuMs) {
    const { user, system } = process.cpuUsage(before);
    used = (user + system) / 1000;
  }
}

test("what a process uses shows in its own time and in the machine's", () => {
  const before = { own: cpuUsageOfProcess(process.pid) ?? NaN, machine: cpuUsageOfMachine() ?? NaN };
  work(300);
  const own = (cpuUsageOfProcess(process.pid) ?? NaN) - before.own;
  const machine = (cpuUsageOfMachine() ?? NaN) - before.machine;
  expect(own).toBeGreaterThan(0.25);
  expect(machine).toBeGreaterThan(0.25);
});

test("the process that listens on a port is found, and nobody on one that is closed", async () => {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  expect(processListeningOn(port)).toBe(process.pid);
  const { promise: closed, resolve: whenClosed } = Promise.withResolvers<void>();
  server.close(() => whenClosed());
  await closed;
  expect(processListeningOn(port)).toBeUndefined();
});

test("a process that is gone has neither time nor memory", () => {
  const beyondAllPids = 2 ** 22 + 1;
  expect([cpuUsageOfProcess(beyondAllPids), residentMiB(beyondAllPids)]).toEqual([undefined, undefined]);
});

test("there is a core, and no more of them than threads may run", () => {
  expect(physicalCores()).toBeGreaterThanOrEqual(1);
  expect(physicalCores()).toBeLessThanOrEqual(availableParallelism());
});
