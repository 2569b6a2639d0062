import type { RunFinding } from "../../reports/finding-format.ts";
import { fitted, heldOutSamples } from "./calibrate.ts";
import type { Calibration } from "./confidence.ts";
import type { Knowledge } from "./diagnose.ts";
import type { HeldOut } from "./held-out.ts";
import {
  failingDefects,
  isInReach,
  isKind,
  isRule,
  type Judged,
  judgeCombinations,
  judgeSingles,
  judgeUnions,
  namedFaults,
  namesAll,
  type Share,
  share,
} from "./measure.ts";
import { shuffled } from "../shuffled.ts";

export interface AccuracyRow {
  readonly what: string;
  readonly share: Share;
}

export interface CalibrationRow {
  readonly from: number;
  readonly to: number;
  /** Mean of what was said. */
  readonly said: number;
  readonly right: Share;
}

export interface Accuracy {
  readonly rows: readonly AccuracyRow[];
  readonly defect: readonly CalibrationRow[];
  readonly rule: readonly CalibrationRow[];
}

const services = ["A", "B", "C", "D", "E", "F", "G", "H", "I"] as const;
const unions = 200;
const seed = 20_261_122;
const bounds = [0, 0.3, 0.6, 0.9, 1] as const;

interface Judgements {
  /** Of the defects with an entry of their kind: how many share something with it. */
  readonly reach: Share;
  readonly singles: readonly Judged[];
  readonly pairs: readonly Judged[];
  readonly triples: readonly Judged[];
  /** Of services that really had several defects. */
  readonly together: readonly Judged[];
}

/** On the defects of each service, with confidences that were fitted to those of the others. */
export function measureAccuracy(heldOut: HeldOut, knowledge: Knowledge): Accuracy {
  const defects = shuffled(failingDefects(heldOut), seed);
  const samples = [...Map.groupBy(defects, ({ source }) => source)].map(([source, ofSource]) => ({
    source,
    samples: heldOutSamples(ofSource, knowledge.entries),
  }));
  const parts = services.map((service) => {
    const weights = fitted(samples.flatMap((one) => (one.source === service ? [] : one.samples)));
    const calibration: Calibration = { ...knowledge.calibration, ...weights };
    return {
      test: defects.filter(({ source }) => source === service),
      combinations: heldOut.combinations.filter((run) =>
        run.defects.every((id) => id.startsWith(`${service}/`)),
      ),
      knowledge: { ...knowledge, calibration },
    };
  });
  const perService = unions / services.length;
  const known = defects.filter(({ source, kind }) => source !== "mutant" && kind.length > 0);
  const inReach = known.filter((defect) => isInReach(defect, knowledge.entries));
  return accuracyOf({
    reach: { right: inReach.length, of: known.length },
    singles: parts.flatMap((part) => judgeSingles(part.test, part.knowledge)),
    pairs: parts.flatMap((part) => judgeUnions(part.test, 2, perService, part.knowledge)),
    triples: parts.flatMap((part) => judgeUnions(part.test, 3, perService, part.knowledge)),
    together: parts.flatMap((part) => judgeCombinations(part.combinations, part.test, part.knowledge)),
  });
}

function accuracyOf({ reach, singles, pairs, triples, together }: Judgements): Accuracy {
  const known = singles.filter(({ truth }) => truth.every(({ kind }) => kind.length > 0));
  const strange = singles.filter(({ truth }) => truth.every(({ kind }) => kind.length === 0));
  const first = ({ findings }: Judged): string | undefined => namedFaults(findings)[0];
  const rows: AccuracyRow[] = [
    { what: "one defect: the first named", share: share(known, (one) => isKind(first(one), one.truth)) },
    {
      what: "one defect: among the first three",
      share: share(known, (one) =>
        namedFaults(one.findings)
          .slice(0, 3)
          .some((fault) => isKind(fault, one.truth)),
      ),
    },
    { what: "one defect: an entry of its kind fits at all", share: reach },
    { what: "one defect: its rule", share: share(known, (one) => isRule(first(one), one.truth)) },
    { what: "two defects: both named", share: share(pairs, namesAll) },
    { what: "three defects: all named", share: share(triples, namesAll) },
    { what: "several at once, in one service: each named", share: each(together) },
    { what: "no entry of its kind: none named as likely", share: share(strange, isCautious) },
  ];
  const all = [...singles, ...together].flatMap(({ findings, truth }) =>
    findings.filter(({ kind }) => kind === "defect").map((finding) => ({ finding, truth })),
  );
  const rowsOf = (said: (finding: RunFinding) => number, isRight: typeof isKind): CalibrationRow[] =>
    bounds.slice(0, -1).flatMap((from, at) => {
      const to = bounds[at + 1] ?? 1;
      const inside = all.filter(({ finding }) => said(finding) >= from && (said(finding) < to || to === 1));
      if (inside.length === 0) return [];
      const right = inside.filter(({ finding, truth }) => isRight(finding.fault, truth)).length;
      const mean = inside.reduce((sum, { finding }) => sum + said(finding), 0) / inside.length;
      return [{ from, to, said: mean, right: { right, of: inside.length } }];
    });
  return {
    rows,
    defect: rowsOf(({ confidence }) => confidence?.defect ?? 0, isKind),
    rule: rowsOf(({ confidence }) => confidence?.rule ?? 0, isRule),
  };
}

/** Weights that are fitted to all that is held out. */
export function fitAll(heldOut: HeldOut, knowledge: Knowledge): Pick<Calibration, "defect" | "rule"> {
  return fitted(heldOutSamples(failingDefects(heldOut), knowledge.entries));
}

function each(cases: readonly Judged[]): Share {
  const single = cases.flatMap(({ findings, truth }) =>
    truth
      .filter(({ kind }) => kind.length > 0)
      .map((defect) => findings.some(({ fault }) => isKind(fault, [defect]))),
  );
  return { right: single.filter(Boolean).length, of: single.length };
}

function isCautious({ findings }: Judged): boolean {
  return findings.every(({ confidence }) => (confidence?.defect ?? 0) < 0.6);
}
