import type { LatLng } from "../../contract/parameters.ts";
import { type Columns, FIELDS, hasPosition, PLACED_BY } from "../../files/columns.ts";
import { ALL_ALIKE, type FileFormat } from "../../files/format.ts";
import { type Row, readRows } from "../../files/formats/table.ts";
import { metresIn } from "../../files/guess/codes.ts";
import { isPlausible } from "../../files/guess/plausible.ts";
import { valuesOf } from "../../files/guess/values.ts";
import { givenIn, isError, isNothing, visibleIn, writtenPosition } from "../../files/row/row.ts";
import { t } from "../../language/translate.ts";
import { meaningOf } from "../../shared/csv/column-names.ts";
import { pointIn, townOf } from "../query/to-query.ts";
import type { Harmonizer } from "../run/deps.ts";
import type { Harmonization } from "../run/harmonizations.ts";
import type { Problem } from "../run/problems/problems.ts";
import { oddCells, shortened } from "./odd-cells.ts";
import { oddPositions } from "./odd-positions.ts";
import { readParts } from "./parts.ts";
import { isTotal } from "./total-row.ts";

export interface Preview {
  rows: number;
  /** Whether the file has no more rows than these. */
  isWhole: boolean;
  unreadable: number;
  firstProblem?: Problem;
  columns: {
    name: string;
    filled: number;
    samples: string[];
  }[];
  warnings: string[];
  owned: OwnedRow[];
}

const MOST_ROWS = 2000;
/** Cells looked at in one stretch, which blocks the process (attacks F28). */
const MOST_CELLS = 60_000;
const MOST_PARTS = 5;
const LONGEST_SAMPLE = 60;

type Previewed = Pick<Harmonization, "id" | "format" | "header" | "columns"> &
  Partial<Pick<Harmonization, "positions">>;

export async function previewFile(
  { pool }: Pick<Harmonizer, "pool">,
  { id, format, header, columns, positions }: Previewed,
): Promise<Preview> {
  const isAsked = positions?.verdict === "wrong";
  const enough = Math.min(MOST_ROWS, Math.ceil(MOST_CELLS / header.length));
  const rows: Row[] = [];
  let parts = 0;
  const counted = async function* () {
    for await (const part of readParts(pool, id, MOST_PARTS)) {
      parts += 1;
      yield part;
    }
  };
  for await (const row of readRows(counted(), format, header)) {
    rows.push(row);
    if (rows.length === enough) break;
  }
  const isWhole = rows.length < enough && parts < MOST_PARTS;
  const last = isWhole ? rows.at(-1) : undefined;
  const total = last && isTotal(last, columns) ? rows.pop() : undefined;
  const readable = rows.filter(({ problem }) => !problem);
  const firstProblem = rows.find(({ problem }) => problem)?.problem;
  return {
    rows: rows.length,
    isWhole,
    unreadable: rows.length - readable.length,
    ...(firstProblem && { firstProblem }),
    columns: header.map((name, index) =>
      columnOf(
        name,
        readable.map(({ cells }) => cells[index] ?? ""),
      ),
    ),
    // The question about all positions covers these.
    warnings: [
      ...missingColumns(columns, format),
      ...(format.town === undefined ? streetsOnly(readable, columns) : []),
      ...fewClues(columns, format),
      ...(total ? [leftOut(total, columns)] : []),
      ...unknownMetres(readable, header, columns),
      ...unlikeTheirName(readable, header, columns),
      ...(isAsked ? [] : oddPositions(readable, columns)),
      ...oddCells(readable, header, columns),
      ...otherSheets(format),
      ...emptyFormulas(format),
    ],
    owned: ownedRows(readable, columns),
  };
}

export interface OwnedRow {
  id: string;
  name: string;
  ll: LatLng | undefined;
}

function ownedRows(rows: Row[], columns: Columns): OwnedRow[] {
  const found = new Map<string, OwnedRow>();
  if (columns.id !== undefined)
    for (const { cells } of rows) {
      const given = givenIn(cells, columns);
      const { id = "", name = "" } = given;
      if (id && !found.has(id)) found.set(id, { id, name, ll: pointIn({ given, put: () => undefined }) });
    }
  return [...found.values()];
}

function columnOf(name: string, cells: string[]): Preview["columns"][number] {
  const values = cells.map(visibleIn).filter((cell) => cell !== "");
  const samples = new Set<string>();
  for (const value of values) {
    if (isError(value) || isNothing(value)) continue;
    samples.add(shortened(value, LONGEST_SAMPLE));
    if (samples.size === 3) break;
  }
  return { name, filled: values.length / Math.max(cells.length, 1), samples: [...samples] };
}

export function missingColumns(columns: Columns, { town }: Pick<FileFormat, "town"> = {}): string[] {
  const missing: string[] = [];
  const { name, wholeAddress } = columns;
  // A whole address may begin with the name.
  if (name === undefined && wholeAddress === undefined)
    missing.push(t("No column is chosen for the name. Choose one: Samespot cannot match rows without a name."));
  const lacking = halves().filter(([half, other]) => columns[half] === undefined && columns[other] !== undefined);
  missing.push(...lacking.map(([, , message]) => message));
  const isPlaced = town !== undefined || columns.address !== undefined || namesPlace(columns);
  if (lacking.length === 0 && !isPlaced) missing.push(noPlace());
  return missing;
}

/** Whether there is a column that can say where a row is. */
export const namesPlace = (columns: Columns): boolean =>
  hasPosition(columns) || [columns.city, columns.zip, columns.wholeAddress].some((column) => column !== undefined);

const noPlace = () =>
  t(
    "No column is chosen for the place. Choose latitude and longitude, or the city or postal code. If all rows are in one town, name it.",
  );

/** A name and a town find a venue only where no other is called so. */
function fewClues(columns: Columns, { town }: Pick<FileFormat, "town">): string[] {
  const { name, address, wholeAddress, phone } = columns;
  const isKnown = hasPosition(columns) || [address, wholeAddress, phone].some((column) => column !== undefined);
  if (isKnown || name === undefined || !(namesPlace(columns) || town !== undefined)) return [];
  return [
    t(
      "Only name and town say which venue a row means, so most rows will need your review. If your list has streets, phone numbers or coordinates, choose those columns too.",
    ),
  ];
}

const leftOut = ({ cells, line }: Row, columns: Columns) =>
  t("The last row (line {line, number}) is left out: it says only “{total}”, which is no place.", {
    line,
    total: Object.values(givenIn(cells, columns)).join(" "),
  });

/** An address is a place only if it names its town. */
function streetsOnly(rows: Row[], columns: Columns): string[] {
  if (columns.address === undefined || namesPlace(columns)) return [];
  const given = rows.map(({ cells }) => givenIn(cells, columns)).filter((each) => each.address);
  const placed = given.filter((each) => townOf(each) !== undefined || "ll" in writtenPosition(each));
  return placed.length * 2 < given.length ? [noPlace()] : [];
}

const halves = () =>
  [
    ["lat", "lng", t("A position needs both latitude and longitude: choose a column for the latitude as well.")],
    ["lng", "lat", t("A position needs both latitude and longitude: choose a column for the longitude as well.")],
    ["x", "y", t("Web Mercator needs both x and y: choose a column for x as well.")],
    ["y", "x", t("Web Mercator needs both x and y: choose a column for y as well.")],
  ] as const;

/** Metres may be of any grid, so they are not read unless the owner says that they are Web Mercator. */
function unknownMetres(rows: Row[], header: readonly string[], columns: Columns): string[] {
  if (hasPosition(columns)) return [];
  const values = header.map((_, index) => rows.map(({ cells }) => cells[index] ?? ""));
  const { x, y } = metresIn(header, values);
  if (x === undefined || y === undefined) return [];
  return [
    t(
      "“{x}” and “{y}” look like map coordinates in metres. If they are Web Mercator (EPSG:3857), choose that meaning. If they are from a national grid, convert them to latitude and longitude before you upload.",
      { x: header[x] ?? "", y: header[y] ?? "" },
    ),
  ];
}

/** Columns that the guess left out because of their values, whose meaning no other column has. */
function unlikeTheirName(rows: Row[], header: readonly string[], columns: Columns): string[] {
  const used = new Set(Object.values(columns).flat());
  return header.flatMap((column, index) => {
    const field = used.has(index) ? undefined : meaningOf(column)?.field;
    if (field === undefined || columns[field] !== undefined || !WORTH_A_WORD.includes(field)) return [];
    if (PLACED_BY.some((each) => each === field) && hasPosition(columns)) return [];
    const values = valuesOf(
      rows.map(({ cells }) => cells),
      index,
    );
    const [value = ""] = values;
    if (isPlausible(field, values)) return [];
    return [
      t(
        "“{column}” is not used: most of its values, such as “{value}”, do not fit its name. If they are right, choose the meaning yourself.",
        { column, value: shortened(value) },
      ),
    ];
  });
}

/** Others cost nothing, or have words of their own. */
const WORTH_A_WORD = FIELDS.filter((field) => !["id", "category", "description", "twitter", "x", "y"].includes(field));

export const noIds = () => t("To recognize rows of the previous edition, choose the column of your own ids.");

const otherSheets = ({ sheet, alike = [] }: Previewed["format"]): string[] => {
  const others = alike.filter((name) => name !== sheet);
  if (sheet === ALL_ALIKE || others.length === 0) return [];
  const said = { count: others.length, others: quoted(others) };
  return [
    t(
      "{count, plural, one {The sheet {others} has} other {The sheets {others} have}} the same columns as “{sheet}” and {count, plural, one {is} other {are}} not read. To match all these sheets together, choose them as the sheet in “How the file is read”.",
      { ...said, sheet: sheet ?? "" },
    ),
  ];
};

export const quoted = (names: string[]): string => names.map((name) => t("“{value}”", { value: name })).join(", ");

const emptyFormulas = ({ emptyFormulas: count = 0 }: Previewed["format"]): string[] =>
  count === 0
    ? []
    : [
        t(
          "{count, plural, one {# formula of this sheet has} other {# formulas of this sheet have}} no stored value, so the cell is read as empty. Open the workbook in a spreadsheet, save it there, and upload it again.",
          { count },
        ),
      ];
