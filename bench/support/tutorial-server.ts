// The search of typical tutorials: pg_trgm within 1.5 km, behind Fastify. Arguments: port, connection string. GET
// /trigram?name=&lat=&lng= uses a GIN index of trigrams and an earthdistance box, GET /radius a GiST index of points. Both return
// the best two in our format.
import Fastify from "fastify";
import pg from "pg";
import { boxesAround, formatPoint } from "../../src/directory/venues/mercator.ts";
import { compactVenue } from "../../src/directory/venues/present.ts";
import { VENUE_COLUMNS, type VenueRow } from "../../src/directory/venues/rows.ts";

const [port, connectionString] = process.argv.slice(2);
const METRES = 1500;
const pool = new pg.Pool({ connectionString, max: 4 });
const app = Fastify();

interface Listing {
  Querystring: { name: string; lat: string; lng: string };
}

const ORDER = "ORDER BY similarity(v.name, $1) DESC, v.point <-> $2::point LIMIT 2";
const WAYS: Record<string, { within: string; area: (lat: number, lng: number) => unknown[] }> = {
  trigram: {
    within: "v.name % $1 AND earth_box(ll_to_earth($3, $4), $5) @> ll_to_earth(v.lat, v.lng)",
    area: (lat, lng) => [lat, lng, METRES],
  },
  radius: { within: "v.point <@ $3::box", area: (lat, lng) => boxesAround({ lat, lng }, METRES).slice(0, 1) },
};

for (const [way, { within, area }] of Object.entries(WAYS))
  app.get<Listing>(`/${way}`, async ({ query: { name, ...place } }) => {
    const [lat, lng] = [Number(place.lat), Number(place.lng)];
    const values = [name, formatPoint({ lat, lng }), ...area(lat, lng)];
    const text = `SELECT ${VENUE_COLUMNS} FROM tutorial v WHERE ${within} ${ORDER}`;
    const { rows } = await pool.query<VenueRow>({ name: way, text, values });
    const how = { baseUrl: "http://localhost:3002", from: { lat, lng }, now: new Date() };
    return { meta: { code: 200 }, response: { venues: rows.map((row) => compactVenue(row, how)), confident: false } };
  });
app.get("/", async () => "ready");

await app.listen({ host: "127.0.0.1", port: Number(port) });
process.once("SIGTERM", () => app.close().then(() => pool.end()));
