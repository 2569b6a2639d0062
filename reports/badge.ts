import { notSelected } from "./not-selected.ts";
import { outcomeOf } from "./outcome.ts";
import { reportedProblems } from "./reported-problem.ts";
import type { Run } from "./run-format.ts";
import { counted } from "./format.ts";

const label = "mailproof";
// Dark enough for white text.
const colours = { green: "#1a7f37", amber: "#8a5a00", red: "#b42318" } as const;
// Of Verdana at 11 px, about; `textLength` makes the text fit exactly.
const characterWidth = 6.6;
const padding = 12;

/** A run as a small SVG image, for a README. It is green only when everything that could be judged was, and conforms. */
export function renderBadge(run: Run): string {
  const { text, colour } = statusOf(run);
  const left = widthOf(label);
  const right = widthOf(text);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${text}">`,
    `<title>${label}: ${text}</title>`,
    `<rect width="${left}" height="20" fill="#444c56"/>`,
    `<rect x="${left}" width="${right}" height="20" fill="${colours[colour]}"/>`,
    `<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">`,
    textAt(left / 2, label, left),
    textAt(left + right / 2, text, right),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function statusOf(run: Run): { text: string; colour: keyof typeof colours } {
  const { decided, requirements } = run.coverage;
  switch (outcomeOf(run)) {
    case "violated":
      return { text: violations(run), colour: "red" };
    case "defect":
      return { text: "not judged", colour: "amber" };
    case "incomplete":
      return { text: "incomplete", colour: "amber" };
    case "conforms":
      return run.isReadOnly || run.requirements.some(({ notJudged }) => notJudged === notSelected)
        ? { text: `partly judged (${decided} of ${requirements})`, colour: "amber" }
        : { text: `conforms (${decided} of ${requirements})`, colour: "green" };
  }
}

function violations(run: Run): string {
  const problems = reportedProblems(run).length;
  return problems === 0 ? "known results changed" : counted(problems, "problem");
}

function widthOf(text: string): number {
  return Math.round(text.length * characterWidth) + padding;
}

function textAt(x: number, text: string, width: number): string {
  return `<text x="${x}" y="14" textLength="${width - padding}">${text}</text>`;
}
