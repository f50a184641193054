import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ConfigError, readConfig } from "../../src/config/config.ts";
import { townFile } from "../support/pmtiles/town.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "samespot-pmtiles-"));
afterAll(() => rmSync(folder, { recursive: true }));

function read(bytes: Buffer, more: Record<string, string> = {}) {
  const file = path.join(folder, "streets.pmtiles");
  writeFileSync(file, bytes);
  return readConfig({ DATA_DIR: folder, MAP_PMTILES: file, ...more }).basemap;
}

function problemOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.join("; ");
    throw error;
  }
  return "none";
}

const changed = (at: number, ...values: number[]) => {
  const bytes = townFile();
  bytes.set(values, at);
  return bytes;
};

describe("a file of streets (MAP_PMTILES)", () => {
  test("has the credit of its metadata as text, and an id by its content", () => {
    const first = read(townFile());
    expect(first?.credit).toBe("© OpenStreetMap contributors");
    expect(read(townFile())?.id).toBe(first?.id);
    const other = read(townFile({ metadata: { attribution: "<b>Streets</b> &amp; towns<script>" } }));
    expect(other?.credit).toBe("Streets & towns");
    expect(other?.id).not.toBe(first?.id);
    expect(read(townFile({ metadata: { attribution: 5 } }))?.credit).toBe("© OpenStreetMap contributors");
  });

  test.each([
    ["is of another format", Buffer.from("a,b\n1,2\n"), "is not a PMTiles file of version 3"],
    ["is empty", Buffer.alloc(0), "is not a PMTiles file of version 3"],
    ["has an older version", changed(7, 2), "is not a PMTiles file of version 3"],
    ["holds pictures", changed(99, 2), "does not hold vector tiles"],
    ["is compressed with Brotli", changed(98, 3), "is compressed otherwise than with gzip"],
    ["is cut off", townFile().subarray(0, -100), "is cut off: copy it again"],
    ["names a place beyond all numbers", changed(8, ...Array(8).fill(255)), "has a damaged header"],
    ["names a directory of gigabytes", changed(16, 0, 0, 0, 255), "is cut off"],
    ["has other metadata than JSON", townFile().fill(1, 263, 400), "has damaged metadata"],
    ["has no streets", townFile({ metadata: { vector_layers: [{ id: "pois" }] } }), "has no layer named roads"],
  ])("that %s is refused with what to do", (_case, bytes, message) => {
    const problem = problemOf(() => read(bytes));
    expect(problem).toContain(`MAP_PMTILES: ${message}`);
    expect(problem).toContain("docs/operations.md");
  });

  test("that is missing, or goes with MAP_TILES_URL, is refused", () => {
    const missing = { DATA_DIR: folder, MAP_PMTILES: path.join(folder, "none.pmtiles") };
    expect(problemOf(() => readConfig(missing))).toMatch(/^MAP_PMTILES: cannot be read: ENOENT/);
    const both = { MAP_TILES_URL: "https://tiles.example/{z}/{x}/{y}.png" };
    expect(problemOf(() => read(townFile(), both))).toContain("MAP_PMTILES: and MAP_TILES_URL exclude each other");
  });
});
