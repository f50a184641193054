import { type Db, execute, queryRows, rawSql, sql } from "../../db/sql.ts";
import type { Patiently } from "../../db/unavailable.ts";
import type { Source } from "../../files/formats/base/source.ts";
import { t } from "../../language/translate.ts";
import { KnownError } from "../../shared/errors.ts";

/** Few rows per file, yet each is written and read quickly. */
export const PART_BYTES = 256 * 1024;

/** The sample of positions comes from the first 4 MB. */
export const PARTS_LOOKED_AT = 16;

/** Parts of a file's own bytes begin at -1 and go down; those of a file inside a zip file begin this much lower. */
const INSIDE = 1_000_000;

export async function* readParts(pool: Db, harmonizationId: string, most = Infinity): AsyncGenerator<Buffer> {
  for (let part = 0; part < most; part += 1) {
    const bytes = await readPart(pool, harmonizationId, part);
    if (!bytes) return;
    yield bytes;
  }
}

async function readPart(database: Db, harmonizationId: string, part: number): Promise<Buffer | undefined> {
  const rows = await queryRows<{ bytes: Buffer }>(database)`
    SELECT bytes FROM app.file_part WHERE harmonization_id = ${harmonizationId} AND part = ${part}`;
  return rows[0]?.bytes;
}

export async function storePart(database: Db, harmonizationId: string, part: number, bytes: Buffer): Promise<void> {
  await execute(database)`
    INSERT INTO app.file_part (harmonization_id, part, bytes) VALUES (${harmonizationId}, ${part}, ${bytes})`;
}

/** The part of a file's own bytes at `index`; `depth` counts the zip files it is in. */
export const ownPart = (index: number, depth: number): number => -1 - index - depth * INSIDE;

// SQL: how many zip files a part of own bytes is in.
const DEPTH = sql`(-1 - part) / ${rawSql(INSIDE)}`;

/**
 * The own bytes that were stored, of the innermost file. Undefined if there are none.
 * @throws KnownError 409 while they are read, if they were deleted meanwhile
 */
export async function ownBytes(
  database: Db,
  harmonizationId: string,
  patiently: Patiently = (step) => step(),
): Promise<Source | undefined> {
  const rows = await patiently(
    () =>
      queryRows<{ depth: number; size: number }>(database)`
        SELECT ${DEPTH} AS depth, sum(length(bytes))::float8 AS size FROM app.file_part
        WHERE harmonization_id = ${harmonizationId} AND part < 0 GROUP BY depth ORDER BY depth DESC LIMIT 1`,
  );
  const [{ depth, size } = { depth: 0, size: 0 }] = rows;
  let last: { index: number; bytes: Buffer } | undefined; // zip files are read in small pieces
  async function partAt(index: number): Promise<Buffer> {
    if (last?.index === index) return last.bytes;
    const bytes = await patiently(() => readPart(database, harmonizationId, ownPart(index, depth)));
    if (!bytes) throw new KnownError(409, "deleted", t("The file was deleted in the meantime."));
    last = { index, bytes };
    return bytes;
  }
  async function* bytes(start = 0, end = size): AsyncGenerator<Buffer> {
    for (let at = start; at < end; ) {
      const index = Math.floor(at / PART_BYTES);
      const part = await partAt(index);
      const from = at - index * PART_BYTES;
      const piece = part.subarray(from, Math.min(end - index * PART_BYTES, part.length));
      if (piece.length === 0) return;
      yield piece;
      at += piece.length;
    }
  }
  return rows.length > 0 ? { size, bytes } : undefined;
}

/** Deletes own bytes: all, or only those of the zip files around the innermost file. */
export const dropOwn = (db: Db, harmonizationId: string, which: "all" | "around"): Promise<void> => {
  const innermost = sql`SELECT max(${DEPTH}) FROM app.file_part WHERE harmonization_id = this.harmonization_id AND part < 0`;
  const isOwn = sql`part < 0`;
  return dropParts(db, harmonizationId, which === "all" ? isOwn : sql`${isOwn} AND ${DEPTH} < (${innermost})`);
};

/** Deletes parts in stretches, because one statement for a large file would time out. `which` is SQL. */
export async function dropParts(db: Db, harmonizationId: string, which = sql`true`): Promise<void> {
  let dropped: number;
  do {
    dropped = await execute(db)`
      DELETE FROM app.file_part WHERE harmonization_id = ${harmonizationId} AND part IN
        (SELECT part FROM app.file_part AS this WHERE harmonization_id = ${harmonizationId} AND ${which} LIMIT 100)`;
  } while (dropped > 0);
}
