import { closeSync, openSync, writeSync } from "node:fs";
import type { Change } from "../../directory/import/release/changes.ts";
import { parquetFile } from "../../harmonize/export/writers/parquet.ts";
import { KnownError } from "../../shared/errors.ts";

export interface Diff {
  write(change: Change): void;
  close(): void;
}

const COLUMNS = ["change", "id", "into", "name", "metres", "columns"];

/** Opens a file with a row for each change: CSV, NDJSON or Parquet. Throws KnownError 400 for another ending of the name. */
export function openDiff(name: string): Diff {
  const [, ending = ""] = /\.(csv|ndjson|parquet)$/i.exec(name) ?? [];
  const format = FORMATS[ending.toLowerCase()];
  if (!format) {
    const message = "--diff needs a file that ends in .csv, .ndjson or .parquet.";
    throw new KnownError(400, "param_error", message);
  }
  const file = openSync(name, "w");
  const { add, end } = format();
  return {
    write(change) {
      const piece = add(change);
      if (piece) writeAll(file, piece);
    },
    close() {
      writeAll(file, end());
      closeSync(file);
    },
  };
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
