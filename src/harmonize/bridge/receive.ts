import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Client } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { deleteNumbered } from "../../db/bulk.ts";
import { withOwnConnection } from "../../db/own-connection.ts";
import { execute } from "../../db/sql.ts";
import type { FileFormat } from "../../files/format.ts";
import { unusableFile } from "../../files/formats/base/refusal.ts";
import { readRows } from "../../files/formats/table.ts";
import { KnownError } from "../../shared/errors.ts";
import { copyLine } from "../file/copy-line.ts";
import { readParts } from "../file/parts.ts";
import { receiveRows, tidyFileName } from "../file/receive.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization, Person } from "../run/harmonizations.ts";
import { sendEarly } from "../run/queue.ts";
import { wantSideTask } from "../run/side-task.ts";
import type { Bridge } from "./bridge.ts";

type Deps = Pick<Harmonizer, "prisma" | "pool" | "databaseUrl" | "directoryUrl" | "limits" | "queue">;

interface Sent {
  name: string;
  /** Whose rows are taken; empty to choose the list's own, or the only one. */
  dataset: string;
  bytes: AsyncIterable<Uint8Array>;
  signal: AbortSignal;
}

/** Rows of a file for each that a file of listings may have: it may be about several lists. */
const TIMES_ROWS = 10;
/** Data sets of a file that are told apart, and characters of an id that are kept. */
const MOST_DATASETS = 1000;
const LONGEST_ID = 500;
const STATEMENT_MS = 600_000;

/**
 * Stores the rows of a bridge file (docs/bridge-files.md) and queues the task that takes over its decisions, in the place
 * of an earlier file.
 * @throws KnownError 400 for another file, or if it is unclear whose rows are meant; 409 while another is being taken over;
 * 413 for one that is too large
 */
export async function receiveBridge(deps: Deps, h: Harmonization, person: Person, sent: Sent): Promise<void> {
  const upload = { accountId: person.id, name: sent.name, bytes: sent.bytes, signal: sent.signal };
  const limits = { ...deps.limits, rows: TIMES_ROWS * deps.limits.rows };
  await receiveRows({ ...deps, limits }, upload, async (id, { format, header }) => {
    const file: File = { deps, id, format, header, columns: columnsOf(header) };
    const { dataset, rows, others } = await chosen(file, h, sent.dataset.trim());
    const about = { file: tidyFileName(sent.name), dataset, rows, others, groupId: randomUUID(), at: now() };
    const options = { name: "bridge", statementMs: STATEMENT_MS };
    await withOwnConnection(deps.databaseUrl, options, (client) => store(client, file, { h, person, about }));
  });
  await sendEarly(deps.queue, { kind: "bridge", harmonizationId: h.id });
}

const now = () => new Date().toISOString();

interface File {
  deps: Deps;
  /** Of the upload. */
  id: string;
  format: FileFormat;
  header: string[];
  columns: { id: number; record: number; dataset: number };
}

function columnsOf(header: string[]): File["columns"] {
  const names = header.map((name) => name.trim().toLowerCase());
  const [id, record, dataset] = ["id", "record_id", "dataset"].map((name) => names.indexOf(name)) as [
    number,
    number,
    number,
  ];
  if (id >= 0 && record >= 0) return { id, record, dataset };
  const has = header.slice(0, 10).join(", ").slice(0, 200);
  throw unusableFile(
    `A bridge file has the columns id (of the venue) and record_id (of the row). This one has: ${has}.`,
  );
}

const rowsOf = ({ deps, id, format, header }: File) => readRows(readParts(deps.pool, id), format, header);

async function chosen(file: File, { name }: Harmonization, wanted: string) {
  const most = TIMES_ROWS * file.deps.limits.rows;
  const counts = new Map<string, number>();
  let all = 0;
  for await (const { cells } of rowsOf(file)) {
    all += 1;
    if (all > most) throw tooMany(most);
    const dataset = cells[file.columns.dataset] ?? "";
    if (counts.has(dataset) || counts.size < MOST_DATASETS) counts.set(dataset, (counts.get(dataset) ?? 0) + 1);
  }
  if (all === 0) throw unusableFile("This bridge file has no rows.");
  const [only] = counts.size === 1 ? counts.keys() : [];
  const dataset = (file.columns.dataset >= 0 && wanted) || (counts.has(name) ? name : only);
  const rows = dataset === undefined ? undefined : counts.get(dataset);
  if (dataset !== undefined && rows !== undefined) return { dataset, rows, others: all - rows };
  const largest = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 10);
  const words = largest.map(([each, n]) => `${each.slice(0, 60) || "(empty)"} (${n.toLocaleString("en")})`).join(", ");
  const what = wanted ? `has no rows of the data set “${wanted.slice(0, 60)}”` : "is about several data sets";
  throw unusableFile(`This bridge file ${what}. Name one of these as the data set: ${words}.`);
}

const tooMany = (most: number) =>
  unusableFile(
    `A bridge file may have at most ${most.toLocaleString("en")} rows. Split it, or keep only your data set.`,
    413,
  );

interface Stored {
  h: Harmonization;
  person: Person;
  about: Bridge;
}

async function store(client: Client, file: File, { h, person, about }: Stored): Promise<void> {
  await execute(client)`BEGIN`;
  if (!(await wantSideTask(client, h, "bridge", { accountId: person.id, about })))
    throw new KnownError(
      409,
      "conflict",
      "Another bridge file is being taken over. Send this one again when that is done.",
    );
  await deleteNumbered(client, "app.bridge_row", `harmonization_id = '${h.id}'`);
  const copy = client.query(
    copyFrom("COPY app.bridge_row (harmonization_id, number, line, record_id, venue_id, outcome) FROM STDIN"),
  );
  await pipeline(Readable.from(lines(file, h.id, about.dataset), { objectMode: false }), copy);
  await execute(client)`COMMIT`;
}

const BATCH = 1000;

async function* lines(file: File, id: string, dataset: string | null): AsyncGenerator<string> {
  const { columns } = file;
  let number = 0;
  let batch: string[] = [];
  for await (const { line, cells, problem } of rowsOf(file)) {
    if ((cells[columns.dataset] ?? "") !== dataset) continue;
    number += 1;
    const [record, venue] = [columns.record, columns.id].map((at) => (cells[at] ?? "").trim());
    const isWhole = record && venue && record.length <= LONGEST_ID && venue.length <= LONGEST_ID && !problem;
    const kept = [record, venue].map((cell = "") => cell.slice(0, LONGEST_ID).toWellFormed());
    batch.push(copyLine([id, number, line, ...kept, isWhole ? null : "unreadable"]));
    if (batch.length < BATCH) continue;
    yield batch.join("");
    batch = [];
  }
  yield batch.join("");
}
