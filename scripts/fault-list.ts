import { readdirSync } from "node:fs";
import type { Fault } from "../fixtures/faults/fault.ts";

async function load(file: string): Promise<readonly Fault[]> {
  const module: Record<string, readonly Fault[]> = await import(`../fixtures/faults/${file}`);
  return Object.values(module).flat();
}

export const allFaults: readonly Fault[] = (
  await Promise.all(
    readdirSync(new URL("../fixtures/faults/", import.meta.url))
      .filter((name) => name.endsWith(".ts") && !["fault.ts", "equivalents.ts"].includes(name))
      .map(load),
  )
).flat();
