import { expect, test } from "vitest";
import type { RunRequirement } from "../run-format.ts";
import { areasOf, documentParts } from "./document-order.ts";

function requirement(
  id: string,
  section: string,
  source: RunRequirement["source"] = "document",
): RunRequirement {
  return { id, source, section, level: "MUST", statement: "It holds.", checks: [], notJudged: "why" };
}

const sections = [
  "Resources",
  "Endpoints",
  "Endpoints › POST /oauth/token",
  "Authentication › OAuth 2.0 path",
  "Limits",
];

test("requirements stand where the document says them first, RFCs follow by number, and own checks last", () => {
  const parts = documentParts({
    sections,
    requirements: [
      requirement("OWN-1", "house rules", "own"),
      requirement("B-3", "draft-ietf-oauth-client-id-metadata-document-01 §3", "rfc"),
      requirement("B-2", "RFC 9110 §5.3; RFC 6749 §5.2", "rfc"),
      requirement("B-1", "RFC 6749 §5.2", "rfc"),
      requirement("LIM-1", "Limits"),
      requirement("O-10", "Authentication › OAuth 2.0 path, 10"),
      requirement("O-2", "Authentication › OAuth 2.0 path, 2; Limits"),
      requirement("T-1", "Endpoints › POST /oauth/token; RFC 6749 §3.2"),
      requirement("E-1", "Endpoints"),
      requirement("T-2", "Endpoints › POST /oauth/token"),
    ],
  });
  expect(
    parts.map(({ area, title, requirements }) => [area, title, requirements.map(({ id }) => id).join()]),
  ).toEqual([
    ["Endpoints", "", "E-1"],
    ["Endpoints", "POST /oauth/token", "T-1,T-2"],
    ["Authentication", "OAuth 2.0 path, 2", "O-2"],
    ["Authentication", "OAuth 2.0 path, 10", "O-10"],
    ["Limits", "", "LIM-1"],
    ["RFC 6749", "", "B-1"],
    ["RFC 9110", "", "B-2"],
    ["draft-ietf-oauth-client-id-metadata-document-01", "", "B-3"],
    ["Your own checks", "", "OWN-1"],
  ]);
  expect(
    areasOf(parts)
      .map(([area, inside]) => [area, inside.length])
      .slice(0, 2),
  ).toEqual([
    ["Endpoints", 2],
    ["Authentication", 2],
  ]);
});

test("a run that names no sections keeps the order of its requirements", () => {
  const parts = documentParts({
    requirements: [requirement("B", "Limits"), requirement("A", "Endpoints")],
    sections: [],
  });
  expect(parts.map(({ area }) => area)).toEqual(["Limits", "Endpoints"]);
});
