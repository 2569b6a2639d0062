import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { independentFaults, judgeDefects } from "./bench-page/defective-run.ts";
import { measurePage } from "./bench-page/page-times.ts";
import { readRun } from "./conformance/read-run.ts";
import { writeReporters } from "./conformance/reporters.ts";

const usage = `npm run bench:page -- [--defects N]… [RUN]…

Prints how large report.html is and how soon it shows, in a real Chromium from disk, median of five. RUN is the folder of a
run; without one the reference service is judged with so many defects at once.

  --defects N    how many defects; may be repeated (0, 1, 3 and 50)`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    defects: { type: "string", multiple: true, default: ["0", "1", "3", "50"] },
    help: { type: "boolean", short: "h", default: false },
  },
});
if (values.help) {
  console.log(usage);
  process.exit();
}

const out = mkdtempSync(join(tmpdir(), "mailproof-pages-"));
try {
  console.log(
    "failed  exchanges  run.json MB  report.html MB  written ms  DOM ms  paint ms  open ms  search ms",
  );
  if (positionals.length > 0) for (const folder of positionals) await show(folder);
  else
    for (const count of values.defects) await show(await judgeDefects(independentFaults(Number(count)), out));
} finally {
  rmSync(out, { recursive: true });
}

async function show(folder: string): Promise<void> {
  const run = readRun(folder);
  const page = join(out, "report.html");
  const begun = performance.now();
  writeReporters(run, out, [{ name: "html", file: page }]);
  const writtenMs = performance.now() - begun;
  const [decisive = "REDIR-08/upper-case-host"] = run.checks.flatMap(({ verdict, id }) =>
    verdict === "fail" ? [id] : [],
  );
  const times = await measurePage(page, decisive);
  const megabytes = (path: string): string => (statSync(path).size / 1e6).toFixed(2);
  const cells = [
    String(run.counts.fail).padStart(6),
    String(run.exchanges.length).padStart(9),
    megabytes(join(folder, "run.json")).padStart(11),
    megabytes(page).padStart(14),
    ...[writtenMs, times.domMs, times.paintMs, times.openMs, times.searchMs].map((ms, at) =>
      ms.toFixed(0).padStart([10, 6, 8, 7, 9][at] ?? 0),
    ),
  ];
  console.log(cells.join("  "));
}
