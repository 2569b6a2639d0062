import { createInterface } from "node:readline";
import { z } from "zod";
import { connectEngine } from "./container-engine.ts";

const watched = z.union([
  z.literal("nothing"),
  z.object({ group: z.number().int().min(2) }),
  z.object({ containers: z.array(z.string()) }),
]);

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});

let last: z.infer<typeof watched> = "nothing";
// Standard input ends when mailproof has ended, however that was.
for await (const text of createInterface({ input: process.stdin })) last = watched.parse(JSON.parse(text));
if (last !== "nothing" && "group" in last) process.kill(-last.group, "SIGKILL");
if (last !== "nothing" && "containers" in last) await (await connectEngine()).remove(last.containers);
