import { readFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { startSamespot } from "../support/samespot.ts";
import { harmonize } from "./harmonize-walk.ts";
import { visitorsOf } from "./visitor.ts";

const site = await startSamespot();
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());
const visitor = visitorsOf(site, () => browser);

const read = (text: string) => parse(text, { columns: true, bom: true }) as Record<string, string>[];
const example = read(await readFile("examples/listings.csv", "utf8"));

it("a file is uploaded, tried, matched, reviewed by keyboard with an add and an undo, and downloaded", async () => {
  const added = "Samespot Test Café";
  const exported = read(await harmonize(await visitor({ name: "harmonize" }), { added }));
  expect(exported).toHaveLength(example.length);
  const original = (row: Record<string, string>) => Object.values(row).map((cell) => cell.replace(/^'(?=[+=@-])/, ""));
  expect(exported.map((row) => original(row).slice(0, 9))).toEqual(example.map((row) => Object.values(row)));
  const count = (decision: string) => exported.filter((row) => row.decision === decision).length;
  expect(count("matched")).toBeGreaterThan(0.6 * example.length);
  expect(exported.filter(({ decided_by }) => decided_by === "rule").length).toBeGreaterThan(0.5 * example.length);
  const byDemo = exported.filter(({ decided_by }) => decided_by && decided_by !== "rule");
  expect(byDemo.map(({ decision }) => decision).sort()).toEqual(["added", "matched", "matched", "rejected"]);
  const venue = byDemo.find(({ decision }) => decision === "added")?.venue_id ?? "";
  const { name: inDirectory } = await site.database.prisma.venue.findUniqueOrThrow({ where: { id: venue } });
  expect(inDirectory).toBe(added);
  expect(count("failed")).toBeGreaterThanOrEqual(1);
});
