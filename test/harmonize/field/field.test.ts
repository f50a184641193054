import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { inLanguage } from "../../../src/language/translate.ts";
import { fieldFile, startField } from "./field.ts";

const { harmonize, sameIds } = await startField();

/** `as`: the name of the upload; `want`: of each row, see isAsWanted(); `cell`: row, column and value of the export. */
interface Case {
  id: string;
  situation: string;
  file: string;
  as: string;
  want?: string[];
  columns?: Record<string, string | null>;
  cell?: [row: number, column: string, value: string | { re: string }][];
}

const CASES: Case[] = JSON.parse(readFileSync(path.join(import.meta.dirname, "cases.json"), "utf8"));

describe("files from practice", () => {
  test.each(CASES.map((each) => ({ ...each })))(
    "$id: $situation",
    async ({ file, as, want = [], columns, cell = [] }) => {
      const found = await harmonize(as, { bytes: fieldFile(file) });
      expect(want.map((each, at) => asWanted(each, found.rows[at]))).toEqual(want);
      for (const [field, name] of Object.entries(columns ?? {}))
        expect([field, found.columns[field]]).toEqual([field, name ?? undefined]);
      const exported = cell.length > 0 ? await found.exported() : [];
      for (const [row, column, value] of cell) {
        const is = exported[row]?.[column];
        expect(is).toEqual(typeof value === "string" ? value : expect.stringMatching(value.re));
      }
    },
  );
});

type Row = Awaited<ReturnType<typeof harmonize>>["rows"][number];

/** "id": matched with it; "!id": not; "~id": as match or first candidate; "-": not matched; "*": anything. Returns what is instead. */
function asWanted(want: string, row: Row | undefined): string {
  const { outcome = "missing", venue = "", best = "" } = row ?? {};
  const id = want.replace(/^[!~]/, "");
  const isMatched = outcome === "matched" && venue === id;
  if (want === "*") return want;
  if (want === "-") return outcome === "matched" || outcome === "failed" ? `${outcome} ${venue}` : want;
  const isRight = want.startsWith("!") ? !isMatched : isMatched || (want.startsWith("~") && best === id);
  return isRight && outcome !== "failed" ? want : `${outcome} ${venue || best}`;
}

test("F113: an id that a data frame has written is that of the previous edition, unless several are the same number", async () => {
  const rows = (ids: string[]) =>
    Buffer.from(["id,name,lat,lng", ...ids.map((id, n) => `${id},Kiosk ${n},44.${1000 + n},-69.1`)].join("\n"));
  const before = await harmonize("kiosks.csv", { bytes: rows(["770", "0771", "772", "773", "0773", "A1"]) });
  const after = await harmonize("kiosks.csv", {
    bytes: rows(["770.0", "771", "0772", "773.0", "774.0", "A1.0"]),
    previousId: before.id,
  });
  expect(after.rows.map(({ ownId }) => ownId)).toEqual(["770", "0771", "772", "773.0", "774.0", "A1.0"]);
  expect(await sameIds(after.id)).toMatch(/^The ids of 3 rows are written differently from the previous edition/);
  expect(await inLanguage("es", () => sameIds(after.id))).toMatch(/^Los ids de 3 filas están escritos de otra forma/);
  expect(await sameIds(before.id)).toBeUndefined();
});
