import type { Columns } from "../../shared/parquet/parquet.ts";

/** A directory of the world, as it is published. */
export interface Release {
  /** As in `source.release`. */
  id: string;
  name: string;
  /** Columns by which its files are recognized. */
  hallmarks: readonly string[];
  columns: readonly string[];
  /** Columns whose bounds in a group of rows say where its places are. */
  box: Record<"west" | "south" | "east" | "north", string>;
  country: string;
  hasConfidence: boolean;
  /** Reads row `at`. */
  place(columns: Columns<string>, at: number): Place;
  /** The words that the licence asks for. `licence` is what the row says, if it does. */
  sourceOf(dataset: string, licence: string | undefined): NewSource;
}

interface NewSource {
  attribution: string;
  licence: string;
  /** Of the licence; null if it is not known. */
  url: string | null;
}

export interface Place {
  id: string | undefined;
  lat: number | undefined;
  lng: number | undefined;
  country: string | undefined;
  confidence: number | undefined;
  /** Why it is no open place. */
  gone: "closed" | "flagged" | undefined;
  dataset: string;
  licence: string | undefined;
  /** With the names of the columns of `samespot import`. */
  fields: Record<string, unknown>;
  /** Of the release's own taxonomy, most telling first. */
  categories: string[];
}

export const textAt = (columns: Columns<string>, name: string, at: number): string | undefined => {
  const value = columns[name]?.[at];
  return typeof value === "string" && value !== "" ? value : undefined;
};

export const textsAt = (columns: Columns<string>, name: string, at: number): string[] => {
  const value = columns[name]?.[at];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
};

export const numberAt = (columns: Columns<string>, name: string, at: number): number | undefined => {
  const value = columns[name]?.[at];
  return typeof value === "number" ? value : undefined;
};
