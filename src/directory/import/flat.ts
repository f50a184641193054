import type { Columns } from "../../shared/parquet/parquet.ts";
import { ourCategory, type Unmapped } from "./categories.ts";
import type { Place, Release } from "./release.ts";

/** What a row says, as that of the release's Parquet files does. */
export type ReadFlat = (cells: readonly string[]) => { from: Pick<Place, "dataset" | "licence">; fields: object };

/**
 * Reads rows of a file in which a release has no columns within others: of lists of objects the first, and other lists in one
 * cell, as src/files/formats/fields.ts writes them. Leaves id, position and other names to those who read any file.
 */
export function flatReader(release: Release, header: readonly string[]): ReadFlat {
  const paths = header.map((name) => name.replace(/\.0(?=\.)/, ""));
  const found = release.columns.flatMap((column) => {
    const index = paths.indexOf(column.replace(/\[\]$/, ""));
    return index < 0 ? [] : [{ column, index, isList: column.endsWith("[]") }];
  });
  const unmapped: Unmapped = { places: 0, categories: new Map() };
  return (cells) => {
    const columns: Columns<string> = {};
    for (const { column, index, isList } of found) {
      const cell = cells[index] ?? "";
      columns[column] = [isList ? cell.split(BETWEEN).filter(Boolean) : cell];
    }
    const { fields, categories, dataset, licence } = release.place(columns, 0);
    const { otherNames: _, ...known } = fields;
    const category = ourCategory(release.id, categories, unmapped) ?? (categories.length > 0 ? UNKNOWN : undefined);
    return { from: { dataset, licence }, fields: { ...known, category } };
  };
}

const BETWEEN = "; ";
/** The name of no category, so that it is counted as left out. */
const UNKNOWN = "?";
