import { z } from "zod";
import { implementationNames, startImplementation } from "./implementations.ts";

const [name] = process.argv.slice(2);
const implementation = startImplementation(z.enum(implementationNames).parse(name));
process.send?.("ready");

/** Runs one implementation. Any message requests a sample. A process each, because implementations in one slow each other down. */
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
