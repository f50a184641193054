import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";

/** A listing or venue of a set. */
export interface Spot {
  id: string;
  name: string;
  lat?: number | undefined;
  lng?: number | undefined;
  address?: string | undefined;
  city?: string | undefined;
  state?: string | undefined;
  zip?: string | undefined;
  country?: string | undefined;
  phone?: string | undefined;
  url?: string | undefined;
  category?: string | undefined;
}

export interface Pair {
  split: string;
  isSame: boolean;
  left: Spot;
  right: Spot;
}

export interface PairSet {
  name: string;
  pairs: Pair[];
}

/** Listings, the directory to search, and the right venues of each listing, which may be none. */
export interface RetrievalSet {
  name: string;
  listings: Spot[];
  directory: Spot[];
  truth: Map<string, Set<string>>;
}

type Fields = Record<string, string>;

/** Reads `folder/pairs/*.csv.gz`: columns pair_id, split, label, then both records with prefix `l_` and `r_`. */
export function readPairSets(folder: string): PairSet[] {
  return namesIn(folder, "pairs", ".csv.gz").map((name) => ({
    name,
    pairs: readCsv(path.join(folder, "pairs", `${name}.csv.gz`)).map((row) => ({
      split: row.split ?? "",
      isSame: row.label === "1",
      left: spotOf(row, "l_"),
      right: spotOf(row, "r_"),
    })),
  }));
}

/** Reads listings.csv.gz, directory.csv.gz and truth.csv.gz of each `folder/retrieval/<set>/`. */
export function readRetrievalSets(folder: string): RetrievalSet[] {
  return namesIn(folder, "retrieval", "").map((name) => {
    const rows = (file: string) => readCsv(path.join(folder, "retrieval", name, `${file}.csv.gz`));
    const truth = new Map<string, Set<string>>();
    for (const { listing_id = "", venue_id } of rows("truth")) {
      const right = truth.get(listing_id) ?? new Set();
      if (venue_id) right.add(venue_id);
      truth.set(listing_id, right);
    }
    const listings = rows("listings").map((row) => spotOf(row));
    return { name, listings, directory: rows("directory").map((row) => spotOf(row)), truth };
  });
}

function namesIn(folder: string, kind: string, ending: string): string[] {
  const within = path.join(folder, kind);
  if (!existsSync(within)) return [];
  return readdirSync(within)
    .filter((name) => name.endsWith(ending) && !name.startsWith("."))
    .map((name) => name.slice(0, name.length - ending.length))
    .sort();
}

/** Reads a CSV file, or one that gzip packed. */
export function readCsv(file: string): Fields[] {
  const bytes = readFileSync(file);
  return parse(file.endsWith(".gz") ? gunzipSync(bytes) : bytes, { columns: true });
}

function spotOf(row: Fields, prefix = ""): Spot {
  const text = (column: string) => row[prefix + column] || undefined;
  const number = (column: string) => (text(column) === undefined ? undefined : Number(text(column)));
  return {
    id: text("id") ?? "",
    name: text("name") ?? "",
    lat: number("lat"),
    lng: number("lng"),
    address: text("address"),
    city: text("city"),
    state: text("state"),
    zip: text("zip"),
    country: text("country"),
    phone: text("phone"),
    url: text("url"),
    category: text("category"),
  };
}
