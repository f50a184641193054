import { boxesAround, formatPoint } from "../../src/directory/venues/mercator.ts";
import { VENUE_COLUMNS } from "../../src/directory/venues/rows.ts";

const METRES = 1500;
const ORDER = "ORDER BY similarity(v.name, $1) DESC, v.point <-> $2::point LIMIT 2";

interface Listing {
  name: string;
  lat: number;
  lng: number;
}

const way = (within: string, area: (place: Listing) => unknown[]) => ({
  text: `SELECT ${VENUE_COLUMNS.text} FROM tutorial v WHERE ${within} ${ORDER}`,
  valuesOf: (listing: Listing) => [listing.name, formatPoint(listing), ...area(listing)],
});

/** The searches of typical tutorials, on a table that addTutorial() has made: the best two within 1.5 km. */
export const TUTORIAL_WAYS = {
  trigram: way("v.name % $1 AND earth_box(ll_to_earth($3, $4), $5) @> ll_to_earth(v.lat, v.lng)", ({ lat, lng }) => [
    ...[lat, lng, METRES],
  ]),
  radius: way("v.point <@ $3::box", (place) => boxesAround(place, METRES).slice(0, 1)),
};
