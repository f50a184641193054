import { createWriteStream } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { venueId } from "../../src/directory/import/venue-row.ts";
import type { Columns } from "../../src/files/columns.ts";
import type { ChosenListing } from "./listings.ts";
import type { Scratch } from "./scratch.ts";
import { SOURCE } from "./sized.ts";

/** `truth`, the id of the listing's venue, is the seventh column and means nothing to Samespot. */
export const COLUMNS: Columns = { id: 0, name: 1, lat: 2, lng: 3, address: 4, phone: 5 };
/** SQL: of a listing `l`. */
export const TRUTH = "l.cells[7]";

const AT_A_TIME = 1000;

export async function writeListings(file: string, listings: ChosenListing[]): Promise<void> {
  await pipeline(Readable.from(lines(listings)), createWriteStream(file));
}

export async function exportVenues({ folder, url }: Scratch): Promise<string> {
  const file = path.join(folder, "venues.csv");
  const client = new pg.Client(url);
  await client.connect();
  const columns =
    "COPY (SELECT id, name, lat, lng, address, phone FROM directory.venue) TO STDOUT (FORMAT csv, HEADER)";
  await pipeline(client.query(copyTo(columns)), createWriteStream(file)).finally(() => client.end());
  return file;
}

function* lines(listings: ChosenListing[]): Generator<string> {
  yield `${[...Object.keys(COLUMNS), "truth"].join()}\n`;
  for (let from = 0; from < listings.length; from += AT_A_TIME)
    yield listings
      .slice(from, from + AT_A_TIME)
      .map((listing, index) => line(listing, from + index))
      .join("");
}

const line = ({ name, lat, lng, address = "", phone = "", venue }: ChosenListing, id: number): string =>
  `${[id, name, lat, lng, address, phone, venueId(SOURCE, venue)].map(quoted).join()}\n`;

const quoted = (cell: string | number) => `"${String(cell).replaceAll('"', '""')}"`;
