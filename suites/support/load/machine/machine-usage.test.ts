import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { cpuUsageOfMachine, cpuUsageOfProcess, processListeningOn, residentMiB } from "./machine-usage.ts";
import { physicalCores } from "./physical-cores.ts";

/** Burns CPU time, independent of the wall clock. */
function burnCpu(cpuMs: number): void {
  const before = process.cpuUsage();
  let used = 0;
  while (used < cpuMs) {
    const { user, system } = process.cpuUsage(before);
    used = (user + system) / 1000;
  }
}

test("the CPU time of a process counts in its own usage and in the machine's", () => {
  const before = { own: cpuUsageOfProcess(process.pid) ?? NaN, machine: cpuUsageOfMachine() ?? NaN };
  burnCpu(300);
  const own = (cpuUsageOfProcess(process.pid) ?? NaN) - before.own;
  const machine = (cpuUsageOfMachine() ?? NaN) - before.machine;
  expect(own).toBeGreaterThan(0.25);
  expect(machine).toBeGreaterThan(0.25);
});

test("the process that listens on a port is found, and none on a closed port", async () => {
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

test("a process that has exited has neither CPU time nor memory", () => {
  const unusedPid = 2 ** 22 + 1;
  expect([cpuUsageOfProcess(unusedPid), residentMiB(unusedPid)]).toEqual([undefined, undefined]);
});

test("there is at least one physical core, and at most the available parallelism", () => {
  expect(physicalCores()).toBeGreaterThanOrEqual(1);
  expect(physicalCores()).toBeLessThanOrEqual(availableParallelism());
});
