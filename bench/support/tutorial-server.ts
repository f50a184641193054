// The searches of tutorial-ways.ts, behind Fastify. Arguments: port, connection string. GET /trigram?name=&lat=&lng= uses a GIN
// index of trigrams and an earthdistance box, GET /radius a GiST index of points. Both return the best two in our format.
import Fastify from "fastify";
import pg from "pg";
import { compactVenue } from "../../src/directory/venues/present.ts";
import type { VenueRow } from "../../src/directory/venues/rows.ts";
import { TUTORIAL_WAYS } from "./tutorial-ways.ts";

const [port, connectionString] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 4 });
const app = Fastify();

interface Listing {
  Querystring: { name: string; lat: string; lng: string };
}

for (const [way, { text, valuesOf }] of Object.entries(TUTORIAL_WAYS))
  app.get<Listing>(`/${way}`, async ({ query: { name, ...place } }) => {
    const [lat, lng] = [Number(place.lat), Number(place.lng)];
    const { rows } = await pool.query<VenueRow>({ name: way, text, values: valuesOf({ name, lat, lng }) });
    const how = { baseUrl: "http://localhost:3002", from: { lat, lng }, sources: new Map(), now: new Date() };
    return { meta: { code: 200 }, response: { venues: rows.map((row) => compactVenue(row, how)), confident: false } };
  });
app.get("/", async () => "ready");

await app.listen({ host: "127.0.0.1", port: Number(port) });
process.once("SIGTERM", () => app.close().then(() => pool.end()));
