import { z } from "zod";
import { implementationNames, startImplementation } from "./implementations.ts";

const [name] = process.argv.slice(2);
const implementation = startImplementation(z.enum(implementationNames).parse(name));
process.send?.("ready");

/** A process of its own for one implementation, because each slows the others down in a common one. Any message asks for a sample. */
process.on("message", () => {
  const cpuBefore = process.cpuUsage();
  const startedMs = performance.now();
  void (async () => {
    const digests = await implementation.sample();
    const durationMs = performance.now() - startedMs;
    const { user, system } = process.cpuUsage(cpuBefore);
    process.send?.({
      hashes: digests.length,
      durationMs,
      cpuMs: (user + system) / 1000,
      peakMiB: process.resourceUsage().maxRSS / 1024,
      lastDigest: Buffer.from(digests.at(-1) ?? []).toString("hex"),
    });
  })();
});
