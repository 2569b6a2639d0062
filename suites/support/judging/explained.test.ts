import { expect, test } from "vitest";
import { Violation } from "../verdict.ts";
import { explained } from "./explained.ts";

function breaking(explainedBy?: string): () => never {
  return () => {
    throw new Violation("400", "200", { exchange: { number: 7 }, explainedBy });
  };
}

test("returns what the judgement returns", () => {
  expect(explained("HDR-02", () => "finding")).toBe("finding");
});

test("names the check that explains a violation, and keeps the rest of it", () => {
  expect(() => explained("HDR-02", breaking())).toThrow(
    expect.objectContaining({
      expected: "400",
      observed: "200",
      exchange: { number: 7 },
      explainedBy: "HDR-02",
    }),
  );
});

test("keeps the explanation that a violation has", () => {
  expect(() => explained("HDR-02", breaking("ERR-11"))).toThrow(
    expect.objectContaining({ explainedBy: "ERR-11" }),
  );
});

test("leaves other errors alone", () => {
  const error = new TypeError("a defect");
  expect(() =>
    explained("HDR-02", () => {
      throw error;
    }),
  ).toThrow(error);
});
