import type { ClientBase, Pool } from "pg";

/** Few rows per file, yet each is written and read quickly. */
export const PART_BYTES = 256 * 1024;

/** The sample of positions comes from the first 4 MB. */
export const PARTS_LOOKED_AT = 16;

export async function* readParts(pool: Pool, harmonizationId: string, most = Infinity): AsyncGenerator<Buffer> {
  for (let part = 0; part < most; part += 1) {
    const { rows } = await pool.query<{ bytes: Buffer }>({
      name: "file-part",
      text: "SELECT bytes FROM app.file_part WHERE harmonization_id = $1 AND part = $2",
      values: [harmonizationId, part],
    });
    if (!rows[0]) return;
    yield rows[0].bytes;
  }
}

export async function storePart(
  database: Pick<ClientBase, "query">,
  harmonizationId: string,
  part: number,
  bytes: Buffer,
): Promise<void> {
  await database.query({
    name: "store-file-part",
    text: "INSERT INTO app.file_part (harmonization_id, part, bytes) VALUES ($1, $2, $3)",
    values: [harmonizationId, part, bytes],
  });
}
