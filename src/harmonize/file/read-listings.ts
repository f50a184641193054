import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { Prisma } from "../../db/generated/client.ts";
import { planForMany } from "../../db/own-connection.ts";
import { execute } from "../../db/sql.ts";
import { type Row, readRows } from "../../files/formats/table.ts";
import { KnownError } from "../../shared/errors.ts";
import { placeOf } from "../match/place.ts";
import { queryInFile } from "../query/to-query.ts";
import { ANALYZE_FROM, analyzeListings } from "../run/analyze.ts";
import type { Harmonizer } from "../run/deps.ts";
import { changeState, type Harmonization, HELD_UNTIL } from "../run/harmonizations.ts";
import { cutPortions } from "../run/portions.ts";
import { type Problem, problemOf } from "../run/problems/problems.ts";
import { wordsOf } from "../run/problems/words.ts";
import { takeUndone } from "../run/undone.ts";
import { carryCorrections } from "./carry-corrections.ts";
import { carryDecisionsOver } from "./carry-over.ts";
import { copyLine, type Value } from "./copy-line.ts";
import { PART_BYTES, PARTS_LOOKED_AT, readParts } from "./parts.ts";
import { type Reading, readAlone, type Watch } from "./read-alone.ts";
import type { ReadSoFar } from "./read-watch.ts";
import { leaveOutShared } from "./shared-positions.ts";
import { withoutTotal } from "./total-row.ts";
import { newTrial } from "./trial.ts";

type Deps = Pick<Harmonizer, "prisma" | "pool" | "databaseUrl" | "queue" | "limits">;

/** Rows per write to the COPY; other work runs between two. */
const BATCH = 250;

/**
 * The task `read`: turns all rows into listings, or none. With too many it becomes a draft again.
 * @throws like readAlone()
 */
export async function readListings(deps: Deps, harmonization: Harmonization, reading: Reading): Promise<void> {
  const { id } = harmonization;
  try {
    const count = await readAlone(deps, id, reading, (client, watch) => readAll(deps, client, harmonization, watch));
    if (count === undefined) return;
    if (count >= ANALYZE_FROM) await analyzeListings(deps.databaseUrl);
    await deps.queue.send((["match", "positions"] as const).map((kind) => ({ kind, harmonizationId: id, portion: 0 })));
  } catch (error) {
    if (!(error instanceof KnownError)) throw error;
    await refuse(deps, id, problemOf(error));
  }
}

async function refuse(deps: Deps, id: string, error: Problem): Promise<void> {
  const trial = JSON.parse(JSON.stringify({ ...newTrial(), state: "done", error }));
  await changeState(deps, id, ["reading"], { state: "draft", trial, task: Prisma.DbNull });
}

async function readAll(
  deps: Deps,
  client: pg.Client,
  harmonization: Harmonization,
  watch: Watch,
): Promise<number | undefined> {
  const { id, previousId } = harmonization;
  const copy = client.query(copyFrom(`COPY app.listing (${COLUMNS.join(", ")}) FROM STDIN`));
  await pipeline(Readable.from(copyLines(deps, harmonization, watch), { objectMode: false }), copy);
  await planForMany(client);
  await leaveOutShared(client, harmonization);
  if (previousId) await carryDecisionsOver(client, harmonization, previousId);
  if (harmonization.againOf) await carryCorrections(client, harmonization, harmonization.againOf);
  await cutPortions(client, id);
  // The encoding may turn out wrong, and only the bytes can be read with another.
  if (harmonization.format.encoding.startsWith("utf-"))
    await execute(client)`DELETE FROM app.file_part WHERE harmonization_id = ${id} AND part >= 0`;
  // Beyond that size, only the beginning has been judged.
  const rowCount = await execute(client)`
    UPDATE app.harmonization AS h SET listing_count = ${copy.rowCount}, started_at = now(), task = NULL,
       state = CASE WHEN pending THEN 'matching' ELSE 'ready' END::app.harmonization_state,
       matched_at = CASE WHEN pending THEN NULL ELSE now() END,
       positions = CASE WHEN h.size <= ${PARTS_LOOKED_AT * PART_BYTES} OR positions ? 'answer' THEN positions END,
       retry_at = CASE WHEN pending THEN greatest(h.retry_at, ${HELD_UNTIL}) END
     FROM (SELECT EXISTS (SELECT FROM app.listing WHERE harmonization_id = ${id} AND status = 'pending') AS pending) AS left_over
     WHERE id = ${id} AND state = 'reading'`;
  if (previousId) await takeUndone(client, harmonization);
  return rowCount === 1 ? copy.rowCount : undefined; // cancelled
}

const COLUMNS = [
  "harmonization_id",
  "number",
  "line",
  "cells",
  "own_id",
  "print",
  "query",
  "place",
  "status",
  "problem",
];

async function* copyLines({ pool, limits }: Deps, harmonization: Harmonization, watch: Watch): AsyncGenerator<Buffer> {
  const { id, format, header, columns } = harmonization;
  const { soFar } = watch;
  let lines: string[] = [];
  const rows = readRows(counted(readParts(pool, id), soFar), format, header);
  for await (const row of withoutTotal(rows, columns)) {
    soFar.rows += 1;
    if (soFar.rows > limits.rows) throw tooMany(limits.rows);
    lines.push(copyLine([id, soFar.rows, ...valuesOf(row, harmonization)]));
    if (lines.length < BATCH) continue;
    yield Buffer.from(lines.join(""));
    watch.goesOn(false);
    lines = [];
    await nextTurn();
  }
  if (lines.length > 0) yield Buffer.from(lines.join(""));
  watch.goesOn(true);
}

async function* counted(parts: AsyncIterable<Buffer>, soFar: ReadSoFar): AsyncGenerator<Buffer> {
  for await (const part of parts) {
    soFar.bytes += part.length;
    yield part;
  }
}

const tooMany = (most: number) =>
  new KnownError(413, "too_many_rows", wordsOf({ code: "too_many_rows", most }), { params: { most } });

function valuesOf({ line, cells, problem: unreadable }: Row, harmonization: Harmonization): Value[] {
  const { query, problem, ownId, print } = queryInFile(cells, harmonization);
  const why = unreadable ?? problem;
  const asked = why ? null : JSON.stringify(query);
  const rest = [
    ownId,
    `\\x${print.toString("hex")}`,
    asked,
    query?.ll ? placeOf(query.ll) : null,
    why ? "failed" : "pending",
    why ? JSON.stringify(why) : null,
  ];
  return [line, arrayLiteral(cells), ...rest];
}

const arrayLiteral = (cells: string[]): string =>
  `{${cells.map((cell) => `"${cell.replace(/["\\]/g, "\\$&")}"`).join(",")}}`;
