// Uses the embedded PostgreSQL of a folder, with a query in flight, until SIGINT or SIGTERM. Prints one line after the start and
// one after the end.
import pg from "pg";
import { startEmbedded } from "../../../src/db/embedded/embedded.ts";

const [dir = "", seconds = "0", ...outside] = process.argv.slice(2);
const told = new Promise((resolve) => process.once("SIGTERM", resolve).once("SIGINT", resolve));
const { url, adopted, stop } = await startEmbedded({ dir, ...(outside.length && { outside }) });
const client = new pg.Client(url);
await client.connect();
const answer = client.query("SELECT 42 AS answer FROM pg_sleep($1)", [Number(seconds)]);
console.log(JSON.stringify({ url, adopted }));

await told;
const { rows } = await answer;
await client.end();
await stop();
console.log(JSON.stringify(rows[0]));
