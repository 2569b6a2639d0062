import { parseArgs } from "node:util";
import { disturbanceKinds, type DisturbancePlan } from "../fixtures/test-servers/disturbances.ts";
import { disturbedRun, type DisturbedRun, type Restart } from "./bench-network/disturbed-run.ts";
import { selectChecks } from "./conformance/select-checks.ts";
import { suites } from "./suites.ts";

const usage = `npm run bench:network -- [--kind KIND]… [--share SHARE]… [--seed N] [--suite NAME]… [--verbose]

Judges the reference service, which conforms, through a network that disturbs a share of its requests, and prints for each
kind and share: false failures, undecided checks, run time.

  --kind KIND    ${disturbanceKinds.join(", ")}, mixed (all but delay), restart, none; may be repeated (all)
  --share SHARE  of the requests that are disturbed, from 0 to 1; may be repeated (0.01 and 0.05)
  --seed N       which requests (default: 1)
  --suite NAME   only this suite; may be repeated
  --verbose      names each false failure and each undecided check`;

interface Row {
  readonly kind: string;
  readonly plan: DisturbancePlan;
  readonly restarts: readonly Restart[];
}

/** Requests after which the service is restarted: from the first setup to the last check. */
const restartMoments = [50, 400, 1000, 2000, 3000, 3800];

function rowsOf(kind: string, shares: readonly number[], seed: number): Row[] {
  const quiet = { kinds: [], share: 0, seed };
  if (kind === "none") return [{ kind, plan: quiet, restarts: [] }];
  if (kind === "restart") {
    return restartMoments.map((afterRequests) => ({
      kind: `restart after ${afterRequests}`,
      plan: quiet,
      restarts: [{ afterRequests, downMs: 300 }],
    }));
  }
  const kinds = disturbanceKinds.filter((one) => (kind === "mixed" ? one !== "delay" : one === kind));
  if (kinds.length === 0) throw new TypeError(`unknown kind ${kind}; one of ${disturbanceKinds.join(", ")}`);
  return shares.map((share) => ({ kind, plan: { kinds, share, seed }, restarts: [] }));
}

function show({ kind, plan }: Row, run: DisturbedRun): string {
  const percent = ((run.undecided.length / run.checks) * 100).toFixed(2);
  return [
    kind.padEnd(20),
    `${(plan.share * 100).toFixed(0)} %`.padStart(6),
    String(run.falseFailures.length).padStart(15),
    `${run.undecided.length} (${percent} %)`.padStart(16),
    `${run.disturbed} of ${run.requests}`.padStart(16),
    `${(run.durationMs / 1000).toFixed(1)} s`.padStart(9),
  ].join("  ");
}

const { values } = parseArgs({
  options: {
    kind: { type: "string", multiple: true, default: ["none", ...disturbanceKinds, "mixed", "restart"] },
    share: { type: "string", multiple: true, default: ["0.01", "0.05"] },
    seed: { type: "string", default: "1" },
    suite: { type: "string", multiple: true, default: [] },
    verbose: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});
if (values.help) {
  console.log(usage);
} else {
  const checks = selectChecks(suites, values.suite, []);
  console.log(
    "kind                   share   false failures         undecided  disturbed requests       time",
  );
  for (const kind of values.kind) {
    for (const row of rowsOf(kind, values.share.map(Number), Number(values.seed))) {
      const run = await disturbedRun(row.plan, checks, row.restarts);
      console.log(show(row, run));
      if (!values.verbose) continue;
      for (const { id, verdict, reason } of [...run.falseFailures, ...run.undecided])
        console.log(`  ${id}: ${verdict}: ${reason}`);
    }
  }
}
