import type { Prisma } from "../../db/generated/client.ts";
import { patiently } from "../../db/patiently.ts";
import { KnownError } from "../../errors.ts";
import type { Harmonizer } from "../deps.ts";
import { neutralised } from "../formulas.ts";
import { changeState, type Harmonization } from "../harmonizations.ts";
import { inPieces, pageSize } from "../page-size.ts";
import type { FileFormat, Problem } from "../rows.ts";
import { readParts } from "./parts.ts";
import { receiveFile } from "./receive.ts";

type Deps = Pick<Harmonizer, "prisma" | "pool" | "directoryUrl">;

/**
 * A new draft of the same file, by its id: the same rows, each on its line, with the name, the columns and the edition before
 * that were chosen last. What is there stays as it is.
 *
 * @param isRepaired its positions are put right, where it is known how
 * @throws KnownError 409 while the file is being read, or where it was deleted meanwhile
 */
export async function beginAgain(deps: Deps, run: Harmonization, { isRepaired = false } = {}): Promise<string> {
  if (run.state === "reading") throw beingRead();
  const { id: from, accountId, name, header, columns, previousId, format, listingCount } = run;
  const positions = positionsAgain(run, isRepaired);
  // One that was cancelled while it was read still has its file.
  const isRead = listingCount > 0;
  const bytes = isRead ? writeRows(deps, run) : readParts(deps.pool, from);
  const id = await receiveFile(deps, { accountId, name, bytes, limit: Infinity });
  const chosen = { name, header, columns: { ...columns }, previousId, ...(positions && { positions }) };
  const data = { ...chosen, format: { ...format, ...(isRead && WRITTEN) } };
  await changeState(deps, id, ["draft"], data);
  return id;
}

/** What is known of the positions holds for the same rows, and so does what their owner said to it. */
function positionsAgain({ positions }: Harmonization, isRepaired: boolean): Prisma.InputJsonObject | undefined {
  const answer = isRepaired && positions?.repair ? "repair" : positions?.answer;
  return positions ? JSON.parse(JSON.stringify({ ...positions, answer })) : undefined;
}

const WRITTEN = { encoding: "utf-8" } satisfies Partial<FileFormat>;

const beingRead = () => {
  const message = "Its file is still being read. Wait a moment until that is done, or cancel it, then begin again.";
  return new KnownError(409, "being_read", message);
};

interface ListingRow {
  line: number;
  cells: string[];
  problem: Problem | null;
}

/**
 * The rows as the file had them. Whatever was left out between them is blank lines, so that each stands on the line it had: of
 * that the results and the downloads speak.
 */
async function* writeRows({ pool }: Deps, { id, format, header, listingCount }: Harmonization): AsyncGenerator<Buffer> {
  const { separator, hasHeader, headerLine = 1 } = format;
  let at = 1;
  function* put(line: number, cells: string[]) {
    yield* blankLines(line - at);
    const text = csvRecord(cells, separator);
    at = Math.max(at, line) + text.split("\n").length - 1;
    yield text;
  }
  if (hasHeader) for (const text of put(headerLine, header)) yield Buffer.from(text);
  let read = 0;
  const size = pageSize();
  for (let [after, upTo] = [0, size.rows()]; after < listingCount; [after, upTo] = [upTo, upTo + size.rows()]) {
    const { rows } = await patiently(() =>
      pool.query<ListingRow>({
        name: "write-rows",
        text: `SELECT line, to_json(cells) AS cells, problem FROM app.listing
        WHERE harmonization_id = $1 AND number > $2 AND number <= $3 ORDER BY number`,
        values: [id, after, upTo],
      }),
    );
    read += rows.length;
    size.see(rows);
    for await (const some of inPieces(rows)) {
      let page = "";
      for (const row of some)
        for (const text of put(row.line, cellsOf(row))) {
          page += text;
          if (page.length < PIECE) continue;
          yield Buffer.from(page);
          page = "";
        }
      yield Buffer.from(page);
    }
  }
  if (read < listingCount) throw new KnownError(409, "deleted", "This was deleted while it was begun again.");
}

/** Characters: a long row is a piece of its own, and many blank lines are several. */
const PIECE = 64 * 1024;

function* blankLines(count: number): Generator<string> {
  for (let left = count; left > 0; left -= PIECE) yield "\n".repeat(Math.min(left, PIECE));
}

const csvRecord = (cells: string[], separator: FileFormat["separator"]): string =>
  `${cells
    .map((cell) => neutralised(cell, separator)) // for what is read loses the apostrophes of an export
    .map((cell) => (/["\r\n]/.test(cell) || cell.includes(separator) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(separator)}\n`;

/**
 * What a line held. One that could not be read as a row has what is known of it in a cell too many: so its cells come out as
 * they were, and it fails again, whatever the columns are.
 */
function cellsOf({ cells, problem }: ListingRow): string[] {
  if (problem?.code === "unreadable_line") return [...cells, problem.message];
  if (problem?.code === "too_many_cells") return [...cells, problem.value ?? problem.message];
  return cells;
}
