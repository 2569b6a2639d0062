import { observe } from "../support/judging/check.ts";
import { choices, choicesText } from "./choices.ts";

export const choiceChecks = [
  observe({
    id: "LIFE-05",
    question: "What does the target choose, in the histories of this run, where the document leaves it open?",
    last: true,
    act: (target) => Promise.resolve(target.noted(choices)),
    answer: choicesText,
  }),
];
