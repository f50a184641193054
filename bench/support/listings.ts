import { degreesOf, radians } from "../../src/matching/distance.ts";
import { chance, type MadeVenue } from "./venues.ts";

export interface ChosenListing {
  /** Id of the venue that it matches, in the venues' own list. */
  venue: string;
  name: string;
  lat: number;
  lng: number;
  /** One listing in three has an address, three in ten a telephone number, if the venue has. */
  address?: string;
  phone?: string;
}

/** In metres. */
const [USUALLY_OFF, FARTHEST_OFF] = [35, 150];
const ADDED = ["the", "inc", "llc", "co", "shop", "store", "center", "of"];

/** Returns `count` listings for venues at even distances, each as another list might have it. Always the same ones. */
export async function chooseListings(venues: AsyncIterable<MadeVenue>, rows: number, count: number) {
  const step = Math.max(1, Math.floor(rows / count));
  const chosen: ChosenListing[] = [];
  let index = 0;
  for await (const venue of venues) if (index++ % step === 0) chosen.push(asListing(venue, index));
  return shuffled(chosen).slice(0, count);
}

function asListing(venue: MadeVenue, seed: number): ChosenListing {
  const share = (kind: number) => (chance(1_000_000, seed, kind) + 0.5) / 1_000_000;
  const metres = Math.min(FARTHEST_OFF, -USUALLY_OFF * Math.log(share(1)));
  const direction = 2 * Math.PI * share(2);
  const off = degreesOf(metres);
  const [lat, lng] = [Number(venue.lat), Number(venue.lng)];
  return {
    venue: venue.id,
    name: misspelt(venue.name, share),
    lat: lat + off * Math.cos(direction),
    lng: lng + (off * Math.sin(direction)) / Math.cos(radians(lat)),
    ...(share(3) < 1 / 3 && venue.address && { address: venue.address }),
    ...(share(4) < 0.3 && venue.phone && { phone: venue.phone }),
  };
}

/** Removes, adds or swaps a letter in half of the names, and a word in the others. */
function misspelt(name: string, share: (kind: number) => number): string {
  const words = name.split(" ");
  const at = 1 + Math.floor(share(5) * (name.length - 1));
  const [before, after] = [name.slice(0, at), name.slice(at)];
  const kind = share(6);
  if (kind < 0.2) return before + after.slice(1);
  if (kind < 0.35) return before + String.fromCharCode(97 + Math.floor(share(7) * 26)) + after;
  if (kind < 0.5) return before + (after[1] ?? "") + (after[0] ?? "") + after.slice(2);
  if (kind < 0.75 && words.length > 1) return words.toSpliced(Math.floor(share(5) * words.length), 1).join(" ");
  const word = ADDED[Math.floor(share(7) * ADDED.length)];
  return share(8) < 0.5 ? `${word} ${name}` : `${name} ${word}`;
}

/** Neighbours in the file are neighbours on the map: searched in that order, they would be cached. */
function shuffled<T>(list: T[]): T[] {
  const keyed = list.map((each, index) => ({ each, key: chance(2 ** 31, index, 9) }));
  return keyed.sort((a, b) => a.key - b.key).map(({ each }) => each);
}
