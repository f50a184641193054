import { z } from "zod";
import { badRequest } from "../shared/errors.ts";
import { createByteReader, DAMAGED } from "./header.ts";

/**
 * What a backup holds, in order: for each table its columns and then its rows as COPY writes them (text), cut anywhere; the
 * sequences; and the number of rows of each table.
 */
const tableSchema = z.object({ schema: z.string(), name: z.string(), columns: z.array(z.string()) });
const endSchema = z.object({
  /** The last number given out; null if none was. */
  sequences: z.array(z.object({ schema: z.string(), name: z.string(), last: z.string().nullable() })),
  /** By `schema.name`. */
  rows: z.record(z.string(), z.int()),
});

export type Table = z.infer<typeof tableSchema>;
export type End = z.infer<typeof endSchema>;
export type BackupRecord =
  | { kind: "table"; table: Table }
  | { kind: "rows"; bytes: Buffer }
  | { kind: "end"; end: End };

const KINDS = { table: 1, rows: 2, end: 3 };
const HEAD_BYTES = 5;
const MOST_BYTES = 64 * 1024 ** 2;

export const tableRecord = (table: Table): Buffer => record(KINDS.table, Buffer.from(JSON.stringify(table)));
export const rowsRecord = (bytes: Buffer): Buffer => record(KINDS.rows, bytes);
export const endRecord = (end: End): Buffer => record(KINDS.end, Buffer.from(JSON.stringify(end)));

function record(kind: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(kind);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/** Ends after the record `end`; throws a KnownError if there is none. */
export async function* readRecords(source: AsyncIterable<Uint8Array>): AsyncGenerator<BackupRecord> {
  const reader = createByteReader(source);
  for (;;) {
    const head = await reader.take(HEAD_BYTES);
    const length = head?.readUInt32BE(1) ?? 0;
    const bytes = length <= MOST_BYTES ? await reader.take(length) : undefined;
    if (!head || !bytes) throw badRequest(DAMAGED);
    const kind = head.readUInt8();
    if (kind === KINDS.rows) yield { kind: "rows", bytes };
    else if (kind === KINDS.table) yield { kind: "table", table: parsed(tableSchema, bytes) };
    else {
      yield { kind: "end", end: parsed(endSchema, bytes) };
      if (await reader.isOver()) return; // and with it the last frame has been checked
      throw badRequest(DAMAGED);
    }
  }
}

function parsed<Schema extends z.ZodType>(schema: Schema, bytes: Buffer): z.infer<Schema> {
  try {
    return schema.parse(JSON.parse(bytes.toString()));
  } catch {
    throw badRequest(DAMAGED);
  }
}

export const nameOf = ({ schema, name }: { schema: string; name: string }): string => `${schema}.${name}`;
