import { createHash } from "node:crypto";
import type pg from "pg";
import { execute, queryRows } from "../../db/sql.ts";
import { patiently } from "../../db/unavailable.ts";
import type { FileFormat } from "../../files/format.ts";
import { csvRecord, storedRow } from "../../files/formats/base/rows.ts";
import { t } from "../../language/translate.ts";
import { KnownError } from "../../shared/errors.ts";
import type { Harmonizer } from "../run/deps.ts";
import { changeState, type Harmonization, loadHarmonization } from "../run/harmonizations.ts";
import { inPieces, pageSize } from "../run/page-size.ts";
import type { Problem } from "../run/problems/problems.ts";
import { wordsOf } from "../run/problems/words.ts";
import { readParts } from "./parts.ts";
import { type Reading, readAlone, type Watch } from "./read-alone.ts";
import type { Copying } from "./read-watch.ts";
import { inParts, storeText } from "./store.ts";

type Deps = Pick<Harmonizer, "prisma" | "pool" | "databaseUrl" | "directoryUrl">;

/** Returns the run whose rows this draft copies; undefined once it has started. */
export const copiedFrom = ({ task }: Pick<Harmonization, "task">): string | undefined =>
  (task as Partial<Copying> | null)?.from;

/** The task `read` of a draft made by beginAgain(). Cancels it if the rows are gone. Throws like readAlone(). */
export async function copyRows(deps: Deps, h: Harmonization, reading: Reading): Promise<void> {
  try {
    await readAlone(deps, h.id, reading, async (client, watch) => {
      const { size, hash } = await copyText(client, h.id, followed(bytesOf(deps, h, watch), watch));
      // Of a workbook, so that another sheet can be chosen.
      await execute(client)`
        INSERT INTO app.file_part (harmonization_id, part, bytes)
         SELECT ${h.id}::uuid, part, bytes FROM app.file_part WHERE harmonization_id = ${copiedFrom(h) ?? null}::uuid AND part < 0`;
      const rowCount = await execute(client)`
        UPDATE app.harmonization SET state = 'draft', size = ${size}, hash = ${hash} WHERE id = ${h.id} AND state = 'reading'`;
      return rowCount === 1 || undefined; // cancelled
    });
  } catch (error) {
    if (!(error instanceof KnownError)) throw error;
    await changeState(deps, h.id, ["reading"], { state: "cancelled" });
  }
}

async function copyText(client: pg.ClientBase, id: string, bytes: AsyncIterable<Buffer>) {
  const hash = createHash("sha256");
  async function* hashed() {
    for await (const part of inParts(bytes)) {
      hash.update(part);
      yield part;
    }
  }
  const { size } = await storeText(client, id, hashed());
  return { size, hash: hash.digest() };
}

async function* followed(bytes: AsyncIterable<Buffer>, watch: Watch): AsyncGenerator<Buffer> {
  for await (const each of bytes) {
    yield each;
    watch.goesOn(false);
  }
}

// A run that was cancelled while being read, or is in another encoding than UTF-8, still has its file.
async function* bytesOf(deps: Deps, h: Harmonization, { soFar }: Watch): AsyncGenerator<Buffer> {
  const source = await loadHarmonization(deps, copiedFrom(h) ?? "");
  if (!source) throw rowsGone();
  if (source.listingCount === 0 || h.format.encoding !== "utf-8") return yield* readParts(deps.pool, source.id);
  yield* writeRows(deps, source, (rows) => {
    soFar.rows += rows;
  });
  if (soFar.rows < source.listingCount) throw rowsGone();
}

export const rowsGone = () =>
  new KnownError(409, "deleted", t("You cannot begin again: the rows of this file were deleted."));

interface ListingRow {
  line: number;
  cells: string[];
  problem: Problem | null;
}

/** Writes each row on its original line, with blank lines for skipped ones: results and downloads name lines. */
async function* writeRows(
  { pool }: Deps,
  { id, format, header, listingCount }: Harmonization,
  onRows: (rows: number) => void,
): AsyncGenerator<Buffer> {
  const { kind, hasHeader, headerLine = kind ? 0 : 1 } = format;
  const put = kind ? putStored : putLines(format);
  if (hasHeader) for (const text of put({ line: headerLine, cells: header, problem: null })) yield Buffer.from(text);
  const size = pageSize();
  for (let [after, upTo] = [0, size.rows()]; after < listingCount; [after, upTo] = [upTo, upTo + size.rows()]) {
    const rows = await patiently(
      () =>
        queryRows<ListingRow>(pool)`
          SELECT line, to_json(cells) AS cells, problem FROM app.listing
           WHERE harmonization_id = ${id} AND number > ${after} AND number <= ${upTo} ORDER BY number`,
    );
    onRows(rows.length);
    size.see(rows);
    for await (const some of inPieces(rows)) {
      let page = "";
      for (const row of some)
        for (const text of put(row)) {
          page += text;
          if (page.length < PIECE) continue;
          yield Buffer.from(page);
          page = "";
        }
      yield Buffer.from(page);
    }
  }
}

function* putStored({ line, cells, problem }: ListingRow): Generator<string> {
  const why = problem?.code === "unreadable_line" && (problem.why === "json" || problem.why === "long") && problem.why;
  yield storedRow(why ? { line, cells, problem: why } : { line, cells: cellsOf({ line, cells, problem }) });
}

function putLines({ separator }: FileFormat) {
  let at = 1;
  return function* put(row: ListingRow): Generator<string> {
    yield* blankLines(row.line - at);
    const text = csvRecord(cellsOf(row), separator);
    at = Math.max(at, row.line) + text.split("\n").length - 1;
    yield text;
  };
}

const PIECE = 64 * 1024;

function* blankLines(count: number): Generator<string> {
  for (let left = count; left > 0; left -= PIECE) yield "\n".repeat(Math.min(left, PIECE));
}

// An unreadable line gets an extra cell, so that it fails again whatever the columns are.
function cellsOf({ cells, problem }: ListingRow): string[] {
  if (problem?.code === "unreadable_line") return [...cells, wordsOf(problem)];
  if (problem?.code === "too_many_cells") return [...cells, problem.value];
  return cells;
}
