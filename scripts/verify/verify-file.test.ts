import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { certifiableRun, certifiedFolder } from "../certificate/example-certificate.ts";
import { openEnvelope } from "../certificate/envelope.ts";
import { readHashes, leavesOfText } from "./certified-run.ts";
import { extractOf, extractText } from "./extract.ts";
import { verifyFile } from "./verify-file.ts";

const { folder } = certifiedFolder();
afterAll(() => rmSync(folder, { recursive: true }));
const runPath = join(folder, "run.json");
const statement = openEnvelope(readFileSync(join(folder, "certificate.json"), "utf8"));
const { evidence } = statement.predicate;
const runText = readFileSync(runPath, "utf8");

/** What is broken of a run that lies in a folder of its own, beside the hashes unless told otherwise. */
function brokenOf(text: string | Uint8Array, hashes?: string): readonly string[] {
  const place = mkdtempSync(join(folder, "copy-"));
  const path = join(place, "run.json");
  writeFileSync(path, text);
  if (hashes === undefined) copyFileSync(join(folder, "leaves.json"), join(place, "leaves.json"));
  else if (hashes !== "") writeFileSync(join(place, "leaves.json"), hashes);
  const { broken } = verifyFile(path, statement);
  rmSync(place, { recursive: true });
  return broken.map((line) => line.replaceAll(place, ""));
}

test("the run that was certified", () => {
  expect(verifyFile(runPath, statement)).toEqual({
    proved: [`${runPath} is the run that was certified, byte for byte: ${evidence.leaves} entries.`],
    broken: [],
  });
  expect(brokenOf(runText, "")).toEqual([]);
});

test("every byte of a run counts", () => {
  const path = join(folder, "changed.json");
  const bytes = Buffer.from(runText);
  const survivors = [...bytes.keys()].filter((at) => {
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    bytes[at] ^= 1;
    return verifyFile(path, statement).broken.length === 0;
  });
  expect(survivors).toEqual([]);
});

describe("what was changed is named", () => {
  test.for([
    {
      from: '"verdict":"pass"',
      to: '"verdict":"warn"',
      says: "/run.json: the result of REDIR-08/case-0 was changed",
    },
    { from: '"status":400', to: '"status":200', says: "/run.json: exchange 0 was changed" },
    { from: '"pass":5', to: '"pass":6', says: "/run.json: what the run says of itself was changed" },
    {
      from: '"isComplete": true',
      to: '"isComplete": false',
      says: "/run.json: what the run says of itself was changed",
    },
    {
      from: "{\n",
      to: "{\n\n",
      says: "/run.json: its bytes were changed, though not what JSON readers find in it",
    },
    { from: "}\n", to: "", says: "/run.json was changed: it is not JSON" },
  ])("$from to $to", ({ from, to, says }) => {
    expect(brokenOf(runText.replace(from, to))).toContain(says);
  });

  test("a result that was removed, and one that was added", () => {
    const run = certifiableRun();
    const [, second] = run.checks;
    const lines = runText.split("\n");
    const at = lines.findIndex((line) => line.includes('"id":"REDIR-08/case-1"'));
    expect(second?.id).toBe("REDIR-08/case-1");
    expect(brokenOf(lines.toSpliced(at, 1).join("\n"))).toEqual([
      "/run.json: 1 entry was removed behind the result of REDIR-08/case-0",
    ]);
    const added = (lines[at] ?? "").replace("case-1", "case-9");
    expect(brokenOf(lines.toSpliced(at, 0, added).join("\n"))).toEqual([
      "/run.json: 1 entry was added behind the result of REDIR-08/case-0",
      "/run.json: the result of REDIR-08/case-9 was changed or added",
    ]);
  });

  test("the hashes beside it", () => {
    const hashes = readFileSync(join(folder, "leaves.json"), "utf8");
    const other = certifiedFolder();
    const theirs = readFileSync(join(other.folder, "leaves.json"), "utf8");
    rmSync(other.folder, { recursive: true });
    const forged = "/run.json is as certified, but leaves.json beside it is not the one of this certificate";
    expect(brokenOf(runText, theirs)).toEqual([forged]);
    expect(brokenOf(runText, "{}")).toEqual([forged]);
    const seed = /"seed": "(.)/u.exec(hashes)?.[1];
    expect(brokenOf(runText, hashes.replace(/"seed": "./u, `"seed": "${seed === "A" ? "B" : "A"}`))).toEqual([
      "the seed beside /run.json was changed",
    ]);
    expect(brokenOf(runText.replace('"status":400', '"status":200'), "")).toEqual([
      "/run.json was changed; where cannot be said, since leaves.json is not beside it",
    ]);
  });

  test("a run that is not named run.json is known by its digest", () => {
    const path = join(folder, "results.json");
    writeFileSync(path, runText);
    expect(verifyFile(path, statement).broken).toEqual([]);
    writeFileSync(path, `${runText} `);
    expect(verifyFile(path, statement).broken).toEqual([
      `${path} is none of the certified files: run.json, or an extract`,
    ]);
  });
});

describe("an extract", () => {
  const hashes = readHashes(runPath, evidence);
  if ("why" in hashes) throw new Error(hashes.why);
  const text = extractText(extractOf({ leaves: leavesOfText(runText), hashes }, "REDIR-08/case-3"));
  const path = join(folder, "extract.json");

  function verified(content: string): ReturnType<typeof verifyFile> {
    writeFileSync(path, content);
    return verifyFile(path, statement);
  }

  test("shows the result and its exchange, and nothing of the others", () => {
    expect(text).not.toContain("case-2");
    expect(verified(text)).toEqual({
      proved: [
        "REDIR-08/case-3: pass. A host in upper case is refused. (entry 5, by a path of 4 hashes).",
        "exchange 3 is as certified (entry 10, by a path of 3 hashes).",
      ],
      broken: [],
    });
  });

  test("no character of it can be changed", () => {
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom(...'0aZ9_-"{} é'), (at, character) => {
        fc.pre(/\S/u.test(text[at] ?? "") && text[at] !== character);
        const { proved, broken } = verified(text.slice(0, at) + character + text.slice(at + 1));
        expect(broken.length).toBeGreaterThan(0);
        expect(proved.length).toBeLessThan(2);
      }),
      { numRuns: 500, seed: 1 },
    );
  });

  test("a check passes for no exchange, and the path of another entry is none", () => {
    expect(verified(text.replace('"kind": "check"', '"kind": "requirement"')).broken).toHaveLength(1);
    expect(verified(text.replace('"index": 4', '"index": 5')).broken).toEqual([
      `${path}: the result of REDIR-08/case-3 is not as certified: its text, salt, number or path was changed`,
    ]);
  });
});
