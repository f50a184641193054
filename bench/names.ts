// npm run bench -- names [--rows 15266] [--listings 200] [--rounds 7]: what other names cost a match. Finds and compares the candidates
// of listings in a directory without other names, by a statement that never looks at them and by ours, and in one where each venue
// has two more, which are names of other venues. One call each, in calls for fifty, and as the API does it for 200; in interleaved
// rounds, the least of each. Time means little on a busy machine; processor time is that of Node and PostgreSQL.
import { parseArgs } from "node:util";
import pg from "pg";
import type { SearchParameters } from "../src/contract/search-parameters.ts";
import { openDatabase } from "../src/db/database.ts";
import { candidatesOf, candidatesOfEach } from "../src/directory/venues/candidates.ts";
import { otherNamesNorm, otherNamesOf } from "../src/directory/venues/other-names.ts";
import { matchEach } from "../src/directory/venues/search/match-each.ts";
import { matchAmong } from "../src/directory/venues/search/search.ts";
import { type ChosenListing, chooseListings } from "./support/listings.ts";
import { postmaster, usageOf } from "./support/processes.ts";
import { type Row, say, type Tables } from "./support/report.ts";
import { type Scratch, withScratch } from "./support/scratch.ts";
import { countOf, settle, sizedDatabase, venuesOf } from "./support/sized.ts";
import { chance } from "./support/venues.ts";

export const SMALLEST = ["--rows", "1k", "--listings", "20", "--rounds", "1"];

const PATIENT = { patience: 60_000 };
const SLICE = 50;
const LIMIT = { limit: 10 };

export async function run(args: string[]): Promise<Tables> {
  const text = (value: string) => ({ type: "string", default: value }) as const;
  const options = { rows: text("15266"), listings: text("200"), rounds: text("7") } as const;
  const { values } = parseArgs({ args, options });
  const rows = countOf(values.rows);
  const listings = await chooseListings(venuesOf(rows), rows, Number(values.listings));
  return withScratch(async (scratch) => {
    const sized = await sizedDatabase(scratch, rows);
    say("Copying them, with two more names each…");
    const named = { ...sized, url: await copyWithNames(sized) };
    for (const each of [sized, named]) await settle(each);
    const [plain, two] = [openDatabase(sized.url, PATIENT), openDatabase(named.url, PATIENT)];
    const pools = { without: withoutOtherNames(plain.pool), none: plain.pool, two: two.pool };
    const measured = await measure(pools, listings, Number(values.rounds));
    await Promise.all([plain.close(), two.close()]);
    return { [`What other names cost a match among ${rows} venues`]: measured };
  });
}

async function copyWithNames({ url }: Scratch): Promise<string> {
  const copy = new URL(url);
  copy.pathname = "named";
  await withClient(url, (client) =>
    client.query(`CREATE DATABASE named TEMPLATE ${client.escapeIdentifier(new URL(url).pathname.slice(1))}`),
  );
  await withClient(copy.href, async (client) => {
    const { rows } = await client.query<{ id: string; name: string }>(
      "SELECT id, name FROM directory.venue ORDER BY id",
    );
    const named = rows.map(({ id, name }, at) => {
      const others = ["common:en", "alternate"].map((kind, seed) => {
        const other = rows[chance(rows.length, at, seed)];
        return { kind, name: other?.name ?? "" };
      });
      const kept = otherNamesOf(name, others);
      return { id, names: kept, norm: otherNamesNorm(kept) };
    });
    await client.query(
      `UPDATE directory.venue v SET other_names = names, other_names_norm = norm
         FROM json_to_recordset($1) AS n (id text, names jsonb, norm text) WHERE n.id = v.id`,
      [JSON.stringify(named)],
    );
    await client.query("VACUUM FULL directory.venue"); // an import writes each row once
  });
  return copy.href;
}

/** A pool that asks for candidates without the part of the statement that looks at other names. */
function withoutOtherNames(pool: pg.Pool): pg.Pool {
  const query = (asked: pg.QueryConfig) => {
    if (asked.name !== "candidates") return pool.query(asked);
    const parts = asked.text.split(/(?=UNION ALL)/);
    const kept = parts.filter((part) => !part.includes("other_names_norm %>"));
    if (kept.length !== parts.length - 1) throw new Error("The statement has no part for other names, or several.");
    return pool.query({ ...asked, name: "without", text: kept.join("") });
  };
  return { query } as unknown as pg.Pool;
}

const WAYS: Record<string, (pool: pg.Pool, listings: ChosenListing[]) => Promise<unknown>> = {
  async "one call each"(pool, listings) {
    for (const each of listings) matchAmong(LIMIT, each, await candidatesOf(pool, each));
  },
  async "calls for fifty"(pool, listings) {
    for (let from = 0; from < listings.length; from += SLICE) {
      const slice = listings.slice(from, from + SLICE);
      const found = await candidatesOfEach(pool, slice);
      for (const [at, each] of slice.entries()) matchAmong(LIMIT, each, found[at] ?? []);
    }
  },
  "as the API": (pool, listings) => {
    const asked = listings.map((each) => ({ ...each, ...LIMIT, ll: each, intent: "match", v: "20260101" }));
    const late = performance.now() + PATIENT.patience;
    return matchEach(pool, asked as unknown as SearchParameters[], late, { due: late });
  },
};

interface Cost {
  ms: number;
  cpuMs: number;
}

type Pools = Record<"without" | "none" | "two", pg.Pool>;

async function measure(pools: Pools, listings: ChosenListing[], rounds: number): Promise<Row[]> {
  const server = await postmaster(pools.none);
  const least = new Map<string, Cost>();
  for (let round = 0; round <= rounds; round++) {
    say(round === 0 ? "Warm-up…" : `Round ${round} of ${rounds}…`);
    for (const [way, ask] of Object.entries(WAYS))
      for (const [name, pool] of turned(Object.entries(pools), round)) {
        const cost = await costOf(() => ask(pool, listings), server);
        const key = `${way} ${name}`;
        const known = round <= 1 ? cost : (least.get(key) ?? cost);
        least.set(key, { ms: Math.min(known.ms, cost.ms), cpuMs: Math.min(known.cpuMs, cost.cpuMs) });
      }
  }
  return Object.keys(WAYS).flatMap((way) =>
    (["cpuMs", "ms"] as const).map((figure): Row => {
      const each = (name: keyof Pools) => (least.get(`${way} ${name}`)?.[figure] ?? Number.NaN) / listings.length;
      const [without, none, two] = [each("without"), each("none"), each("two")];
      return {
        ...{ way, figure: figure === "ms" ? "time" : "processor time" },
        ...{ "ms without the part": without, "ms no names": none, "ms two more": two },
        ...{ "no names / without": none / without, "two more / no names": two / none },
      };
    }),
  );
}

/** Whoever comes first pays for what the one before has left. */
const turned = <T>(list: T[], by: number): T[] => [...list.slice(by % list.length), ...list.slice(0, by % list.length)];

async function costOf(work: () => Promise<unknown>, server: number): Promise<Cost> {
  const [own, theirs, begun] = [process.cpuUsage(), usageOf(server).cpuMs, performance.now()];
  await work();
  const ms = performance.now() - begun;
  const { user, system } = process.cpuUsage(own);
  return { ms, cpuMs: (user + system) / 1000 + usageOf(server).cpuMs - theirs };
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  return work(client).finally(() => client.end());
}
