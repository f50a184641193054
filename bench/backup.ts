// npm run bench -- backup [--rows 1000000] [--checkins 100000]: backs up and restores synthetic venues and check-ins, into the
// embedded database of a new folder and into a database by address, and compares the hash of every table. The peer is
// pg_dump -Fc and pg_restore, where Debian's PostgreSQL is installed: Samespot and the peer then both use its server.
import { statSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { LEFT_OUT } from "../src/backup/dump.ts";
import { connect } from "../src/db/connections.ts";
import { startEmbedded } from "../src/db/embedded/embedded.ts";
import { tableHashes } from "../test/support/database/table-hashes.ts";
import { type DebianServer, withDebianServer } from "./support/debian-server.ts";
import { samespot } from "./support/programs.ts";
import { type Row, say, type Tables } from "./support/report.ts";
import { type Scratch, withScratch } from "./support/scratch.ts";
import { makeVenues, writeVenues } from "./support/venues.ts";

export const SMALLEST = ["--rows", "2000", "--checkins", "100"];

export async function run(args: string[]): Promise<Tables> {
  const options = {
    rows: { type: "string", default: "1000000" },
    checkins: { type: "string", default: "100000" },
  } as const;
  const { values } = parseArgs({ args, options });
  return withScratch(async (scratch) => {
    await fill(scratch, Number(values.rows), Number(values.checkins));
    const rows = [
      await backUp(scratch, "embedded.backup"),
      await restoreFolder(scratch, "embedded.backup"),
      await restoreAddress(scratch, "embedded.backup"),
    ];
    const peer = await withDebianServer(scratch.folder, (server) => comparePeer(scratch, server));
    return {
      [`${values.rows} venues and ${values.checkins} check-ins, embedded PostgreSQL`]: rows,
      ...(peer && { [`The same on PostgreSQL ${peer.version} of Debian`]: peer.rows }),
    };
  });
}

async function fill(scratch: Scratch, rows: number, checkins: number): Promise<void> {
  const file = path.join(scratch.folder, "venues.csv");
  say(`Making ${rows} venues…`);
  await writeVenues(file, makeVenues(rows));
  await samespot(scratch, ["import", file, "--source", "bench"]);
  const client = await connect({ connectionString: scratch.url, query_timeout: 0 });
  await client.query("INSERT INTO directory.\"user\" (id, handle, password_hash) VALUES ('u', 'u', '')");
  await client.query(
    `INSERT INTO directory.checkin (id, user_id, venue_id, shout, time_zone_offset)
     SELECT md5(n::text), 'u', v.id, 'Check-in ' || n, 0
       FROM (SELECT row_number() OVER () AS n, id FROM directory.venue LIMIT $1) v`,
    [checkins],
  );
  await client.query("REFRESH MATERIALIZED VIEW directory.name_word");
  await client.end();
}

async function backUp(scratch: Scratch, name: string): Promise<Row> {
  say("Backing up…");
  const file = path.join(scratch.folder, name);
  const { seconds, megabytes } = await samespot(scratch, ["backup", file]);
  return { step: "samespot backup", seconds, "file MB": statSync(file).size / 1e6, "peak MB": megabytes, equal: "" };
}

async function restoreFolder({ folder, url }: Scratch, name: string): Promise<Row> {
  const target = path.join(folder, "restored");
  const begun = await samespot({ folder: target, url: "" }, ["restore", path.join(folder, name)]);
  const embedded = await startEmbedded({ dir: path.join(target, "data") });
  const equal = await areEqual(url, embedded.url).finally(embedded.stop);
  return restored("samespot restore, new folder", begun, equal);
}

async function restoreAddress({ folder, url }: Scratch, name: string): Promise<Row> {
  const target = await newDatabase(url, "restored");
  const begun = await samespot({ folder, url: target }, ["restore", path.join(folder, name)]);
  return restored("samespot restore, new database", begun, await areEqual(url, target));
}

const restored = (
  step: string,
  { seconds, megabytes }: { seconds: number; megabytes: number },
  equal: boolean,
): Row => ({
  ...{ step, seconds, "file MB": "", "peak MB": megabytes },
  equal: equal ? "yes" : "NO",
});

async function newDatabase(url: string, name: string): Promise<string> {
  const client = await connect({ connectionString: url, query_timeout: 0 });
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const target = new URL(url);
  target.pathname = name;
  return target.href;
}

async function areEqual(one: string, other: string): Promise<boolean> {
  say("Comparing every table…");
  const aside = [...LEFT_OUT, "directory.setup_step"]; // the backup notes its time there
  const [a, b] = await Promise.all(
    [one, other].map(async (url) => {
      const client = await connect({ connectionString: url, query_timeout: 0 });
      return tableHashes(client, aside).finally(() => client.end());
    }),
  );
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Restores the backup there, then lets both programs back that database up and restore it. */
async function comparePeer(scratch: Scratch, server: DebianServer): Promise<{ version: string; rows: Row[] }> {
  const source = { folder: scratch.folder, url: await newDatabase(server.url, "source") };
  say("Restoring into Debian's PostgreSQL…");
  const rows = [
    restored(
      "samespot restore",
      await samespot(source, ["restore", path.join(scratch.folder, "embedded.backup")]),
      await areEqual(scratch.url, source.url),
    ),
  ];
  rows.unshift(await backUp(source, "debian.backup"));
  const file = path.join(scratch.folder, "peer.dump");
  say("pg_dump and pg_restore…");
  const dumping = await server.run("pg_dump", ["-Fc", "-f", file, source.url]);
  rows.push({ step: "pg_dump -Fc", seconds: dumping, "file MB": statSync(file).size / 1e6, "peak MB": "", equal: "" });
  const target = await newDatabase(server.url, "peer");
  const seconds = await server.run("pg_restore", ["-d", target, file]);
  rows.push({
    step: "pg_restore",
    seconds,
    "file MB": "",
    "peak MB": "",
    equal: (await areEqual(source.url, target)) ? "yes" : "NO",
  });
  return { version: server.version, rows };
}
