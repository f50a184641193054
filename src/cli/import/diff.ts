import { closeSync, createReadStream, existsSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Change } from "../../directory/import/release/changes.ts";
import { parquetFile } from "../../harmonize/export/writers/parquet.ts";
import { badRequest } from "../../shared/errors.ts";

interface Diff {
  /** Keeps changes that are about to be stored, so that no kill between the two loses them. */
  note(changes: readonly Change[]): void;
  /** Makes the file of what was noted, by interrupted imports too. */
  finish(): Promise<void>;
  close(): void;
}

const COLUMNS = ["change", "id", "into", "name", "metres", "columns"];

/**
 * Opens a file with a row for each change: CSV, NDJSON or Parquet. Until finish() they are noted in NAME.part, where the same import goes
 * on after an interruption. Throws KnownError 400 for another ending of the name.
 *
 * @param of what is imported; an import of something else begins anew
 */
export function openDiff(name: string, of: string): Diff {
  const [, ending = ""] = /\.(csv|ndjson|parquet)$/i.exec(name) ?? [];
  const format = FORMATS[ending.toLowerCase()];
  if (!format) {
    const message = "--diff needs a file that ends in .csv, .ndjson or .parquet.";
    throw badRequest(message);
  }
  const part = `${name}.part`;
  const head = `${JSON.stringify({ of })}\n`;
  const isResumed = beginsWith(part, head);
  const file = openSync(part, isResumed ? "a" : "w");
  // A kill may have cut the last line.
  writeAll(file, Buffer.from(isResumed ? "\n" : head));
  return {
    note(changes) {
      if (changes.length > 0)
        writeAll(file, Buffer.from(changes.map((change) => `${JSON.stringify(change)}\n`).join("")));
    },
    async finish() {
      const whole = `${name}.whole`;
      await writeWhole(part, whole, { ...format(), isResumed });
      renameSync(whole, name);
      rmSync(part);
    },
    close: () => closeSync(file),
  };
}

function beginsWith(name: string, head: string): boolean {
  if (!existsSync(name)) return false;
  const file = openSync(name, "r");
  const begin = Buffer.alloc(Buffer.byteLength(head));
  try {
    readSync(file, begin);
  } finally {
    closeSync(file);
  }
  return begin.toString() === head;
}

/** A venue that was noted, but not stored before the interruption, is noted again: the last line counts. */
async function writeWhole(
  part: string,
  whole: string,
  { add, end, isResumed }: Written & { isResumed: boolean },
): Promise<void> {
  const last = new Map<string, number>();
  if (isResumed) for await (const { change, line } of changesIn(part)) last.set(change.id, line);
  const file = openSync(whole, "w");
  try {
    for await (const { change, line } of changesIn(part)) {
      const piece = (last.get(change.id) ?? line) === line ? add(change) : undefined;
      if (piece) writeAll(file, piece);
    }
    writeAll(file, end());
  } finally {
    closeSync(file);
  }
}

async function* changesIn(part: string): AsyncGenerator<{ change: Change; line: number }> {
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(part), crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    const change = changeIn(text);
    if (change) yield { change, line };
  }
}

/** Undefined for the head and a line that was cut. */
function changeIn(text: string): Change | undefined {
  try {
    const change = JSON.parse(text);
    return "change" in change ? change : undefined;
  } catch {
    return undefined;
  }
}

interface Written {
  add(change: Change): Uint8Array | undefined;
  end(): Uint8Array;
}

const FORMATS: Record<string, (() => Written) | undefined> = {
  csv: () => lines(csvLine, `${COLUMNS.join(",")}\n`),
  ndjson: () => lines((change) => `${JSON.stringify(change)}\n`, ""),
  parquet() {
    const { add, end } = parquetFile(COLUMNS.map((name) => ({ name, kind: name === "metres" ? "number" : "text" })));
    return { add: (change) => add(cellsOf(change)), end };
  },
};

const BUFFERED = 64 * 1024;

function lines(line: (change: Change) => string, begin: string): Written {
  let text = begin;
  const taken = () => {
    const bytes = Buffer.from(text);
    text = "";
    return bytes;
  };
  return {
    add(change) {
      text += line(change);
      return text.length > BUFFERED ? taken() : undefined;
    },
    end: taken,
  };
}

function cellsOf(change: Change): string[] {
  const values = { ...change, columns: "columns" in change ? change.columns.join(" ") : "" } as Record<string, unknown>;
  return COLUMNS.map((name) => String(values[name] ?? ""));
}

const csvLine = (change: Change): string =>
  `${cellsOf(change)
    .map((cell) => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(",")}\n`;

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
