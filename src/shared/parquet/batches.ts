import { tooLarge } from "./fault.ts";
import type { Chunk, Group, ParquetLimits, ParquetSource } from "./footer.ts";
import { type Entries, openColumn } from "./pages.ts";

interface Options {
  source: ParquetSource;
  limits: ParquetLimits;
  /** Geometries, and bytes that are not said to be text, stay bytes. */
  keepsBytes: boolean;
  mostRows: number;
}

export interface Batch {
  rows: number;
  /** In the order of the chunks. */
  entries: Entries[];
}

/** The share of a batch's limit that its columns are expected to take, because values differ in size. */
const USUAL = 1 / 8;
const ENTRY = 64;

/**
 * Yields the rows of a group, some at a time, with one page of each column in memory. All columns share the limits.
 * @throws ParquetFault, or the plain errors of Node for bytes that end too early
 */
export async function* readBatches(group: Group, chunks: Chunk[], options: Options): AsyncGenerator<Batch> {
  const { limits, mostRows } = options;
  let held = 0;
  let kept = 0;
  let taken = 0;
  const reading = {
    ...options,
    hold(bytes: number) {
      held += bytes;
      if (held > limits.held) throw tooLarge("its pages are too large together");
    },
    keep(bytes: number) {
      kept += bytes;
      if (kept > limits.kept) throw tooLarge("its dictionaries are too large together");
    },
    charge(bytes: number) {
      taken += bytes;
      if (taken > limits.batch) throw tooLarge("its values are too large together");
    },
  };
  const columns = chunks.map((chunk) => openColumn(reading, chunk));
  const bytes = chunks.reduce((sum, { unpacked }) => sum + unpacked / group.rows + ENTRY, 1);
  const step = Math.max(1, Math.min(mostRows, Math.floor((limits.batch * USUAL) / bytes)));
  for (let at = 0; at < group.rows; at += step) {
    const rows = Math.min(step, group.rows - at);
    const entries: Entries[] = [];
    taken = 0;
    for (const column of columns) entries.push(await column.take(rows));
    yield { rows, entries };
  }
}
