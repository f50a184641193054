import { chosenColumns, columnsInWords } from "../../files/chosen-columns.ts";
import { type Columns, hasPosition, indexesOf } from "../../files/columns.ts";
import type { Row } from "../../files/formats/table.ts";
import { type Given, type OpenTable, openTable } from "../../files/open/open-table.ts";
import type { RowProblem } from "../../files/problems.ts";
import { givenIn, positionOf, takenApart, visibleIn, wrongIn } from "../../files/row/row.ts";
import { CSV_PROBLEMS } from "../../shared/csv/csv.ts";
import { givingWay } from "../../shared/csv/give-way.ts";
import { badRequest } from "../../shared/errors.ts";
import { flatReader, type ReadFlat } from "./flat.ts";
import { otherNamesIn } from "./other-name-columns.ts";
import type { Place } from "./release.ts";
import { type VenueColumns, venueColumns } from "./venue-columns.ts";

export interface HowRead extends Given {
  /** As `--columns` of `samespot harmonize`; the others are guessed. */
  columns?: string | undefined;
}

/** `fields`: what venueRow() reads; `line` as the table counts. */
export interface ReadVenue {
  line: number;
  fields?: Record<string, unknown>;
  /** Where a row of a release is from. */
  from?: Pick<Place, "dataset" | "licence">;
  problem?: string;
}

export interface OpenVenues extends Pick<OpenTable, "counts" | "share" | "close">, Pick<VenueColumns, "release"> {
  venues: () => AsyncGenerator<ReadVenue>;
  /** How often each column that is not read had a value, so far. */
  unused: () => Map<string, number>;
}

/**
 * Opens a file of venues in any format that lists are read in. A row needs a name and a position of its own: unlike a listing, which
 * is only searched for, a venue is what others are led to.
 * @throws KnownError 400 if it cannot be read, or no columns say name and position
 */
export async function openVenues(file: string, { columns, ...given }: HowRead = {}): Promise<OpenVenues> {
  const table = await openTable(file, given);
  try {
    const { header, counts, share, close } = table;
    const read = venueColumns(header, table.columns, (guessed) =>
      columns === undefined ? guessed : chosenColumns(columns, header, guessed),
    );
    requireColumns(read.columns, header);
    const readFlat = read.release && flatReader(read.release, header);
    const unused = new Map(read.unused.map((index): [number, number] => [index, 0]));
    const named = () => [...unused].flatMap(([index, n]): [string, number][] => (n ? [[header[index] ?? "", n]] : []));
    return {
      counts,
      share,
      close,
      release: read.release,
      venues: () => venuesIn(table, { ...read, readFlat, isChosen: columns !== undefined }, unused),
      unused: () => new Map(named()),
    };
  } catch (error) {
    await table.close();
    throw error;
  }
}

/** The venues of a file; closes it behind the last. */
export async function* readVenues(file: string): AsyncGenerator<ReadVenue> {
  const open = await openVenues(file);
  try {
    yield* open.venues();
  } finally {
    await open.close();
  }
}

function requireColumns(columns: Columns, header: readonly string[]): void {
  const { name, wholeAddress } = columns;
  const isPlaced = hasPosition(columns) || wholeAddress !== undefined;
  const axes = (["lat", "lng"] as const).filter((axis) => !isPlaced && columns[axis] === undefined);
  const missing = [...(name === undefined ? ["name"] : []), ...axes];
  if (missing.length === 0) return;
  const advice = "Choose columns with --columns, such as --columns name=2,lat=3,lng=4.";
  throw badRequest(`No column says ${missing.join(", ")}. ${advice} ${columnsInWords(header)}`);
}

interface Reading extends VenueColumns {
  readFlat: ReadFlat | undefined;
  /** Whether somebody said which columns are read. */
  isChosen: boolean;
}

async function* venuesIn(
  { rows, header }: OpenTable,
  read: Reading,
  unused: Map<number, number>,
): AsyncGenerator<ReadVenue> {
  const giveWay = givingWay();
  for await (const row of rows()) {
    const wait = giveWay();
    if (wait) await wait; // awaiting undefined would take time, too
    for (const [index, times] of unused) if (row.cells[index]) unused.set(index, times + 1);
    if (row.problem) yield { line: row.line, problem: problemInWords(row.problem) };
    else if (row.isCut) yield { line: row.line, problem: "the file ends in the middle of it" };
    else yield { line: row.line, ...venueIn(row, read, header) };
  }
}

function venueIn(
  { cells }: Row,
  { columns, more, otherNames, readFlat, isChosen }: Reading,
  header: readonly string[],
): Omit<ReadVenue, "line"> {
  const given = givenIn(cells, columns);
  const place = positionOf(given, wrongIn(given, header, columns));
  if (place && "problem" in place) {
    const problem = problemInWords(place.problem);
    return { problem: given.name === undefined ? `name is missing; ${problem}` : problem };
  }
  if (!place && given.lat !== undefined && given.lng !== undefined) return { problem: "the position 0, 0 is none" };
  const { wholeAddress: _, ...fields } = takenApart(given);
  const { lat, lng } = place?.ll ?? fields;
  const { from, fields: known } = readFlat?.(cells) ?? {};
  return {
    ...(from && { from }),
    fields: {
      ...fields,
      lat,
      lng,
      category: indexesOf(columns, "category").map((index) => visibleIn(cells[index] ?? "")),
      otherNames: otherNamesIn(cells, otherNames),
      ...Object.fromEntries(more.map(([name, index]) => [name, visibleIn(cells[index] ?? "")])),
      ...(!isChosen && known),
    },
  };
}

function problemInWords(problem: RowProblem): string {
  const { column = "the position", value = "" } = problem as { column?: string; value?: string };
  const said = `${column} “${value.slice(0, 60)}”`;
  switch (problem.code) {
    case "unreadable_line":
      return CSV_PROBLEMS[problem.why]();
    case "too_many_cells":
      return `has ${problem.cells} cells, but the header ${problem.columns}`;
    case "one_coordinate":
      return "latitude and longitude are the same";
    case "position_out_of_range":
      return `${said} is not on earth${problem.swapped ? "; are latitude and longitude swapped?" : ""}`;
    default:
      return `${said} is not a position`;
  }
}
