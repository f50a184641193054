import { Command } from "commander";
import { describe, expect, test, vi } from "vitest";
import { addImportCommand } from "../../src/cli/import/command.ts";
import {
  parseBox,
  parseCountries,
  parsePair,
  parseShare,
  refuseReleaseOptions,
  releaseText,
} from "../../src/cli/import/release.ts";

describe("an option of an import", () => {
  test.each<[string, (text: string) => unknown, string, unknown]>([
    ["--bbox", parseBox, "-71.9, 41.1,-71.1,42", { west: -71.9, south: 41.1, east: -71.1, north: 42 }],
    ["--bbox across 180°", parseBox, "170,-20,-170,-10", { west: 170, south: -20, east: -170, north: -10 }],
    ["--country", parseCountries, "us, CA", ["US", "CA"]],
    ["--min-confidence", parseShare, "0.7", 0.7],
    ["--bridge", parsePair, "a,b", { former: "a", current: "b" }],
  ])("%s is read", (_, parse, text, value) => expect(parse(text)).toEqual(value));

  test.each<[string, (text: string) => unknown, string]>([
    ["--bbox", parseBox, "1,2,3"],
    ["--bbox", parseBox, "0,50,10,40"],
    ["--bbox", parseBox, "0,,10,40"],
    ["--country", parseCountries, "USA"],
    ["--min-confidence", parseShare, "70"],
    ["--bridge", parsePair, "a"],
  ])("%s is refused with what it needs", (_, parse, text) => expect(() => parse(text)).toThrow(/^Give /));

  test("that is for releases only is refused for other files", () => {
    expect(() => refuseReleaseOptions({ edition: "2026-12" })).toThrow("--edition is for Parquet files");
    expect(() => refuseReleaseOptions({ manyClosed: false })).not.toThrow();
  });

  test.each([
    ["--merged", "merged.csv"],
    ["--bridge", "a,b"],
  ])("%s is refused with --replace, after which no venue is left to merge", async (...option) => {
    const [program, run] = [new Command().exitOverride(), vi.fn()];
    addImportCommand(program, run);
    program.commands[0]?.exitOverride().configureOutput({ writeErr: () => {} });
    const command = ["import", "places.parquet", "--replace", ...option];
    await expect(program.parseAsync(command, { from: "user" })).rejects.toThrow(
      "cannot be used with option '--replace'",
    );
    expect(run).not.toHaveBeenCalled();
  });
});

test("the report of an edition names what changed, what was not imported and which categories lead nowhere", () => {
  const changes = { new: 20, changed: 3, moved: 2, reopened: 0, closed: 8, removed: 0, merged: 4 };
  const text = releaseText({
    ...{ release: "overture", edition: "2026-12", files: 1, ...changes, unchanged: 1946, refused: 1, seconds: 2 },
    skipped: { closed: 8, flagged: 0, elsewhere: 1200 },
    left_out: { url: 5 },
    unmapped: { places: 7, categories: 2, most: { island: 6, "no code": 1 } },
    problems: [{ file: "a.parquet", row: 3, problem: "name is missing" }],
  });
  expect(text.split("\n")).toEqual([
    "overture 2026-12: 20 new venues, 3 changed, 2 moved, 4 merged, 8 closed, 1,946 unchanged (2 s, 986 venues a second)",
    "not imported: 8 closed, 1,200 elsewhere, 1 refused",
    "omitted because not storable: url of 5",
    "without a category of ours: 7 of 2: island (6), no code (1)",
    "a.parquet, row 3: name is missing",
  ]);
});
