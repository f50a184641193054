import { Readable } from "node:stream";
import type { Prisma } from "../../../src/db/generated/client.ts";
import { type Row, readRows } from "../../../src/files/formats/table.ts";
import { readParts } from "../../../src/harmonize/file/parts.ts";
import { readListings } from "../../../src/harmonize/file/read-listings.ts";
import { receiveFile } from "../../../src/harmonize/file/receive.ts";
import { type Harmonization, loadHarmonization } from "../../../src/harmonize/run/harmonizations.ts";
import type { Queue, Task } from "../../../src/harmonize/run/queue.ts";
import { FILE_LIMITS } from "../../../src/shared/file-limits.ts";
import { testDatabase } from "../../support/database/database.ts";

/** Prepares uploads on its own database, without web app and worker. Call it at the top of a test file. */
export async function startFiles({ directoryUrl = "http://directory.test" } = {}) {
  const { url, database } = await testDatabase();
  const { prisma, pool } = database;
  const sent: Task[] = [];
  const queue: Pick<Queue, "send"> = { send: async (tasks) => void sent.push(...[tasks].flat()) };
  const deps = { prisma, pool, databaseUrl: url, directoryUrl, queue: queue as Queue, limits: FILE_LIMITS };

  const load = async (id: string): Promise<Harmonization> => {
    const found = await loadHarmonization(deps, id);
    if (!found) throw new Error(`There is no harmonization ${id}.`);
    return found;
  };
  /** Uploads a file, with these columns of its row. */
  async function upload(
    content: string | Buffer | AsyncIterable<Buffer>,
    more: Prisma.HarmonizationUncheckedUpdateInput = {},
    signal = new AbortController().signal,
  ) {
    const isWhole = typeof content === "string" || Buffer.isBuffer(content);
    const bytes = isWhole ? Readable.from([Buffer.from(content)]) : content;
    const id = await receiveFile(deps, { accountId: null, name: "places.csv", bytes, signal });
    await prisma.harmonization.update({ where: { id }, data: more });
    return load(id);
  }
  const read = (harmonization: Harmonization, signal = new AbortController().signal) =>
    readListings(deps, harmonization, { signal });
  async function uploadAndRead(text: string | Buffer, more: Prisma.HarmonizationUncheckedUpdateInput = {}) {
    const harmonization = await upload(text, { state: "reading", ...more });
    await read(harmonization);
    return load(harmonization.id);
  }
  const listings = (harmonizationId: string) =>
    prisma.listing.findMany({ where: { harmonizationId }, orderBy: { number: "asc" } });
  async function* eachRow(id: string) {
    const { format, header } = await load(id);
    yield* readRows(readParts(pool, id), format, header);
  }
  async function fileRows(id: string) {
    const rows: Pick<Row, "line" | "cells">[] = [];
    for await (const { line, cells } of eachRow(id)) rows.push({ line, cells });
    return rows;
  }
  return { ...{ url, database, deps, sent, load, upload, read, uploadAndRead, listings, eachRow, fileRows } };
}
