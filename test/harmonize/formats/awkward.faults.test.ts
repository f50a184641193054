import { expect, test } from "vitest";
import { formatLl } from "../../../src/contract/parameters.ts";
import { readRows } from "../../../src/files/formats/table.ts";
import { shortened } from "../../../src/harmonize/file/odd-cells.ts";
import { readParts } from "../../../src/harmonize/file/parts.ts";
import { previewFile } from "../../../src/harmonize/file/preview.ts";
import { toQuery } from "../../../src/harmonize/query/to-query.ts";
import type { Harmonization } from "../../../src/harmonize/run/harmonizations.ts";
import { wordsOf } from "../../../src/harmonize/run/problems/words.ts";
import { KnownError } from "../../../src/shared/errors.ts";
// The limits of the process are those of apart.faults.test.ts and bombs.faults.test.ts.
import "../../support/reading-inside.ts";
import { startFiles } from "../file/reader.ts";
import type { AwkwardFile } from "./awkward/file.ts";
import { JSONS } from "./awkward/json.ts";
import { PACKED_FILES } from "./awkward/packed.ts";
import { PARQUETS } from "./awkward/parquet.ts";
import { TEXTS } from "./awkward/text.ts";
import { WORKBOOKS } from "./awkward/workbooks.ts";

const { upload, deps, database } = await startFiles();

const FILES = [...TEXTS, ...WORKBOOKS, ...JSONS, ...PARQUETS, ...PACKED_FILES];
const [MOST_ROWS, MOST_CELLS] = [4, 8];

/** The row of a file in the document: its rows with what the directory is asked, and what the page says. */
async function rowOf({ what, bytes }: AwkwardFile): Promise<string> {
  try {
    const draft = await upload(await bytes);
    return inTable(what, await rowsIn(draft), await saidOf(draft));
  } catch (error) {
    if (!(error instanceof KnownError)) throw error;
    expect(await database.prisma.filePart.count()).toBe(left); // nothing is left of a refused file
    return inTable(what, ["not read"], [error.message]);
  } finally {
    left = await database.prisma.filePart.count();
  }
}
let left = 0;

async function rowsIn({ id, format, header, columns }: Harmonization): Promise<string[]> {
  const shown = (cells: readonly string[]) =>
    cells
      .slice(0, MOST_CELLS)
      .map((cell) => shortened(cell.replaceAll("\n", " ")))
      .join(" · ");
  const rows = [`*${shown(header)}${header.length > MOST_CELLS ? " …" : ""}*`];
  for await (const { cells, problem } of readRows(readParts(deps.pool, id), format, header)) {
    const { query, problem: other } = toQuery(cells, header, columns);
    const why = problem ?? other;
    const where = query?.ll ? `at ${formatLl(query.ll)}` : `near ${query?.near}`;
    rows.push(`\`${shown(cells)}\` ${why ? wordsOf(why) : where}`);
  }
  const more = rows.length - 1 - MOST_ROWS;
  return more > 0 ? [...rows.slice(0, 2), `… ${more} more …`, ...rows.slice(2 + more)] : rows;
}

async function saidOf(draft: Harmonization): Promise<string[]> {
  const { warnings, rows, unreadable, firstProblem } = await previewFile(deps, draft);
  if (!firstProblem) return warnings;
  return [
    ...warnings,
    `${unreadable} of ${rows === 1 ? "1 row" : `the first ${rows} rows`} cannot be read. The first problem: ${wordsOf(firstProblem)}`,
  ];
}

const inTable = (...cells: (string | string[])[]): string =>
  `| ${cells.map((cell) => [cell].flat().join("<br>").replaceAll("|", "\\|") || "nothing").join(" | ")} |`;

const BEGIN = `# Awkward files

What becomes of ${FILES.length} files that are not what they should be. \`test/harmonize/formats/awkward.faults.test.ts\` makes each of them, uploads it and
writes this document; with another answer it fails. Each row is followed by the place where the directory looks for it, or why
it fails; the last column is what the columns page says before the start.

| File | Column names and rows | What the page says |
|---|---|---|
`;

test("F36: every awkward file is read or refused as awkward-files.md says, and none crashes", async () => {
  const rows: string[] = [];
  for (const file of FILES) rows.push(await rowOf(file));
  await expect(`${BEGIN}${rows.join("\n")}\n`).toMatchFileSnapshot("awkward-files.md");
}, 240_000);
