import { type Columns, columnsAre, type Field, indexesOf } from "../../files/columns.ts";
import { SHAPE, shapeFields } from "../../files/formats/fields.ts";
import { fieldsNamedIn, fold, isIdName, meaningOf } from "../../shared/csv/column-names.ts";
import { type NameColumn, otherNameColumns } from "./other-name-columns.ts";
import { OVERTURE } from "./overture.ts";
import type { Release } from "./release.ts";

/** Which columns of a file are read of a venue. */
export interface VenueColumns {
  columns: Columns;
  /** What only venues have, by the names that venueRow() reads. */
  more: [name: string, index: number][];
  otherNames: NameColumn[];
  /** Columns that are not read. */
  unused: number[];
  /** The directory of the world whose places these are: their ids become venue ids, as those of its Parquet files. */
  release: Release | undefined;
}

/** Names of columns that lists do not have, or that say something else there. */
const ONLY_OF_VENUES: Record<string, string> = {
  crossStreet: "crossstreet",
  dateClosed: "dateclosed",
  unresolvedFlags: "unresolvedflags",
  operatingStatus: "operatingstatus businessstatus",
};

/** Keys of OpenStreetMap and columns of world directories that say the kind of a place: more closely than others, or else. */
const CATEGORIES = {
  first: "fsqcategoryids primarycategoryid categoryid categoryids cuisine religion".split(" "),
  last: "fsqcategorylabels amenity shop tourism leisure healthcare office craft".split(" "),
};

/** Columns of Overture's GeoJSON, and of these what a row says of where it is from. */
const OF_OVERTURE = ["id", "names.primary", "confidence", "geometry.latitude"];
const FROM = ["sources.0.dataset", "sources.0.license"];

const WHOLE = "addrfull fulladdress addressfull formattedaddress".split(" ");

/** Fields of which another column of the same meaning fills what the first leaves empty. */
const FILLED: Field[] = ["city", "state", "zip", "country", "phone", "url", "twitter", "category", "description"];

/**
 * Completes what is guessed of a list: an id is one only by its name, because venues with the same id are one venue.
 * @param choose corrects the guess, before other columns fill its gaps
 */
export function venueColumns(
  header: readonly string[],
  guessed: Columns,
  choose: (columns: Columns) => Columns,
): VenueColumns {
  const folded = header.map(fold);
  const more = Object.entries(ONLY_OF_VENUES).flatMap(([name, names]): [string, number][] => {
    const index = folded.findIndex((each) => names.split(" ").includes(each));
    return index < 0 ? [] : [[name, index]];
  });
  const columns = choose(unmistaken(guessed, header, new Set(more.map(([, index]) => index))));
  const used = new Set([...Object.values(columns).flat(), ...more.map(([, index]) => index)]);
  const fill = (field: Field, index: number, where?: "before") => {
    const others = indexesOf(columns, field);
    const filled = columnsAre(where ? [index, ...others] : [...others, index]);
    if (index < 0 || used.has(index) || filled === undefined) return;
    columns[field] = filled;
    used.add(index);
  };
  for (const name of CATEGORIES.first) fill("category", folded.indexOf(name), "before");
  for (const name of CATEGORIES.last) fill("category", folded.indexOf(name));
  for (const [index, name] of header.entries()) {
    const field = meaningOf(name)?.field;
    if (field && FILLED.includes(field) && columns[field] !== undefined) fill(field, index);
    const plain = folded[index] ?? "";
    if (WHOLE.includes(plain) && columns.wholeAddress === undefined) fill("wholeAddress", index);
    // AllThePlaces has street and number in one field or in two; what is the same in both is written once.
    if (columns.address !== undefined && plain === "addrstreetaddress") fill("address", index);
    // The id of a feature again, and the shape of which its position is.
    if (columns.id !== undefined && name === "@id") fill("id", index);
    if (name === SHAPE && header.includes(shapeFields(SHAPE).lat)) used.add(index);
  }
  const otherNames = otherNameColumns(header, (index) => used.has(index));
  for (const { index, variant = index } of otherNames) used.add(index).add(variant);
  const release = OF_OVERTURE.every((name) => header.includes(name)) ? OVERTURE : undefined;
  const unused = [...header].flatMap((name, index) =>
    used.has(index) || (release && FROM.includes(name)) ? [] : [index],
  );
  return { columns, more, otherNames, unused, release };
}

function unmistaken(guessed: Columns, header: readonly string[], taken: ReadonlySet<number>): Columns {
  const columns: Columns = {};
  for (const field of Object.keys(guessed) as Field[]) {
    const kept = columnsAre(indexesOf(guessed, field).filter((index) => !taken.has(index)));
    if (kept !== undefined) columns[field] = kept;
  }
  const [id = -1] = indexesOf(columns, "id");
  if (!fieldsNamedIn(header[id] ?? "").includes("id")) delete columns.id;
  // Of rows with the same id the last counts, so one that recurs is an id, too.
  const named = header.findIndex((name, index) => isIdName(name) && !taken.has(index));
  if (named >= 0 && !Object.values(columns).flat().includes(named)) columns.id ??= named;
  return columns;
}
