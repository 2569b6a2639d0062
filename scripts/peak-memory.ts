// Loaded before a command in tests: its last line on standard error is its peak memory in kB.
process.once("exit", () => {
  process.stderr.write(`peak memory: ${process.resourceUsage().maxRSS}\n`);
});
