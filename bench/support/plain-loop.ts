// A peer for whole files, as a script for a few files is written: each listing is compared with the places of its block, as csvlink forms
// blocks, here cells of a grid, by the edit distance of the names, metres, telephone number and address. Arguments: venues.csv, listings.csv
// (with the right venue in `truth`). Prints JSON.
import { readFileSync } from "node:fs";

const [venues = "", listings = ""] = process.argv.slice(2);
const [HEIGHT, WIDTH] = [0.0018, 0.0024];

type Place = Record<"id" | "name" | "address" | "phone" | "truth", string> & Record<"lat" | "lng" | "y" | "x", number>;

function read(file: string): Place[] {
  const [header = [], ...lines] = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = ""]) => unquoted(cell)));
  return lines.map((cells) => {
    const row = Object.fromEntries(header.map((name, at) => [name, cells[at] ?? ""])) as Record<string, string>;
    const [lat, lng] = [Number(row.lat), Number(row.lng)];
    const compared = {
      name: row.name?.toLowerCase(),
      address: row.address?.toLowerCase(),
      phone: row.phone?.replace(/\D/g, ""),
    };
    return { ...row, ...compared, lat, lng, y: Math.floor(lat / HEIGHT), x: Math.floor(lng / WIDTH) } as Place;
  });
}

const unquoted = (cell: string) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);

/** From 0 to 1. */
function alike(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at++) {
    const row = [at];
    for (let to = 1; to <= other.length; to++) {
      const changed = (before[to - 1] ?? 0) + Number(one[at - 1] !== other[to - 1]);
      row.push(Math.min(changed, (before[to] ?? 0) + 1, (row[to - 1] ?? 0) + 1));
    }
    before = row;
  }
  return 1 - (before.at(-1) ?? 0) / Math.max(one.length, other.length, 1);
}

function scoreOf(listing: Place, venue: Place): number {
  const across = (listing.lng - venue.lng) * Math.cos((listing.lat * Math.PI) / 180);
  const metres = 111_320 * Math.hypot(listing.lat - venue.lat, across);
  const isSame = (field: "phone" | "address") => Number(listing[field] !== "" && listing[field] === venue[field]);
  return 3 * alike(listing.name, venue.name) - metres / 300 + 2 * isSame("phone") + isSame("address");
}

const blocks = Map.groupBy(read(venues), ({ y, x }) => `${y} ${x}`);
const SIDES = [-1, 0, 1];
let [answered, right, all] = [0, 0, 0];
for (const listing of read(listings)) {
  const near = SIDES.flatMap((dy) => SIDES.flatMap((dx) => blocks.get(`${listing.y + dy} ${listing.x + dx}`) ?? []));
  const [best] = near.map((venue) => ({ venue, score: scoreOf(listing, venue) })).sort((a, b) => b.score - a.score);
  all += 1;
  if (best) answered += 1;
  if (best?.venue.id === listing.truth) right += 1;
}
console.log(JSON.stringify({ listings: all, answered, right }));
