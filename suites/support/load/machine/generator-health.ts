import { monitorEventLoopDelay } from "node:perf_hooks";
import { cpuUsageOfMachine, cpuUsageOfProcess, residentMiB } from "./machine-usage.ts";
import type { Health } from "../figures/measurement.ts";

export interface HealthMonitor {
  stop(): Health;
}

const sampleMs = 1000;

/** The process of a target on this machine. */
export interface TargetProcess {
  readonly pid: number;
  /** The target has no other processes, so that all other CPU usage is foreign. */
  readonly isEntireTarget: boolean;
}

/** @param target - undefined leaves out the CPU usage and memory of the target, and foreign CPU usage */
export function monitorHealth(target: TargetProcess | undefined): HealthMonitor {
  const targetPid = target?.pid;
  const loop = monitorEventLoopDelay({ resolution: 1 });
  loop.enable();
  const startedMs = performance.now();
  const clockOffsetMs = Date.now() - startedMs;
  const ownBefore = process.cpuUsage();
  const targetBefore = targetPid === undefined ? undefined : cpuUsageOfProcess(targetPid);
  const machineBefore = cpuUsageOfMachine();
  const targetMiB: number[] = [];
  const sample = (): void => {
    const used = targetPid === undefined ? undefined : residentMiB(targetPid);
    if (used !== undefined) targetMiB.push(Math.round(used * 10) / 10);
  };
  const timer = setInterval(sample, sampleMs);

  return {
    stop() {
      clearInterval(timer);
      loop.disable();
      const seconds = (performance.now() - startedMs) / 1000;
      const own = process.cpuUsage(ownBefore);
      const generatorCores = (own.user + own.system) / 1e6 / seconds;
      const targetNow = targetPid === undefined ? undefined : cpuUsageOfProcess(targetPid);
      const targetCores =
        targetNow === undefined || targetBefore === undefined
          ? undefined
          : (targetNow - targetBefore) / seconds;
      const machineNow = cpuUsageOfMachine();
      const foreignCores =
        !target?.isEntireTarget ||
        targetCores === undefined ||
        machineNow === undefined ||
        machineBefore === undefined
          ? undefined
          : Math.max(0, (machineNow - machineBefore) / seconds - generatorCores - targetCores);
      return {
        generatorCores,
        loopLagP99Ms: Math.max(0, loop.percentile(99) / 1e6 - 1),
        ...(foreignCores !== undefined && { foreignCores }),
        ...(targetCores !== undefined && { targetCores }),
        targetMiB,
        clockStepMs: Math.abs(Date.now() - performance.now() - clockOffsetMs),
      };
    },
  };
}
