// npm run bench -- check-ins [--count 10000] [--times 100]: a person with many check-ins. Measures the first copy, each page, and the
// statement of each chart, then stops the directory and measures what the same pages show.
import type { ChildProcess } from "node:child_process";
import { parseArgs } from "node:util";
import type { Pool } from "pg";
import { type CheckinFilter, countCheckins, findPlaces, findStreaks } from "../src/checkins/figures.ts";
import { readCheckins } from "../src/checkins/read.ts";
import { openDatabase } from "../src/db/database.ts";
import { measureCalls } from "./support/latency.ts";
import { logIn, type Member } from "./support/member.ts";
import { environment, freeAddress, ready, samespot, start, stop, withConstantServer } from "./support/programs.ts";
import { type Row, say, type Tables } from "./support/report.ts";
import { type Scratch, withScratch } from "./support/scratch.ts";

const PASSWORD = "check-ins of some length";
/** Milliseconds for a page of the copy, by the wait of a second at most for the directory (docs/architecture.md). */
const LIMIT = 1000;

const PAGES = {
  "first page": "/checkins",
  "page 2": "/checkins?page=2",
  "last page": "/checkins?page=250",
  "a year": "/checkins?when=2025",
  "a month": "/checkins?when=2025-03",
  "a town": "/checkins?town=Providence",
  "a word": "/checkins?q=coffee",
  "download as CSV": "/checkins/download?format=csv",
};

export const SMALLEST = ["--count", "300", "--times", "3"];

export async function run(args: string[]): Promise<Tables> {
  const options = {
    count: { type: "string", default: "10000" },
    times: { type: "string", default: "100" },
  } as const;
  const { values } = parseArgs({ args, options });
  const [count, times] = [Number(values.count), Number(values.times)];
  return withScratch(async (scratch) => {
    await samespot(scratch, ["user", "add", "--handle", "walker", "--password-stdin"], PASSWORD);
    return withSite(scratch, async (site) => {
      const database = openDatabase(scratch.url, { patience: 60_000 });
      try {
        await checkIn(database.pool, count);
        return await measureAll(site, database.pool, { count, times });
      } finally {
        await database.close();
      }
    });
  });
}

interface Site {
  appUrl: string;
  authUrl: string;
  stopDirectory(): Promise<void>;
}

async function withSite<Result>(scratch: Scratch, work: (site: Site) => Promise<Result>): Promise<Result> {
  const [APP_URL, AUTH_URL, BASE_URL] = [await freeAddress(), await freeAddress(), await freeAddress()];
  const env = { ...environment(scratch), APP_URL, AUTH_URL, BASE_URL, RATE_LIMIT: "off", LOG_LEVEL: "error" };
  const children: ChildProcess[] = [];
  const launch = (ROLES: string) => {
    const child = start(["src/main.ts"], { ...env, ROLES, SAMPLE_DATA: "on" });
    children.push(child);
    return child;
  };
  try {
    const directory = launch("directory");
    await ready(directory, `${BASE_URL}/readyz`);
    await ready(launch("app"), `${APP_URL}/readyz`);
    return await work({ appUrl: APP_URL, authUrl: AUTH_URL, stopDirectory: () => stop(directory) });
  } finally {
    for (const child of children.reverse()) await stop(child);
  }
}

/** Check-ins at the sample's venues, some of them often, over the last five years. */
async function checkIn(pool: Pool, count: number): Promise<void> {
  say(`${count} check-ins…`);
  await pool.query(
    `WITH places AS MATERIALIZED (SELECT array_agg(id ORDER BY md5(id)) AS ids FROM directory.venue)
     INSERT INTO directory.checkin (id, user_id, venue_id, shout, created_at, time_zone_offset)
     SELECT md5('c' || n), u.id, ids[1 + (n::bigint * n * 7919) % least(cardinality(ids), 1 + n % 997)],
            CASE WHEN n % 3 = 0 THEN 'number ' || n END,
            now() - (n * 5 * 365.0 / $1) * interval '1 day' - (n * 37 % 600) * interval '1 minute', -300
       FROM generate_series(1, $1::int) n, places, directory."user" u WHERE u.handle = 'walker'`,
    [count],
  );
}

interface Extent {
  count: number;
  times: number;
}

async function measureAll(site: Site, pool: Pool, { count, times }: Extent): Promise<Tables> {
  const person = await logIn(site, "walker", PASSWORD);
  const seconds = await firstCopy(person);
  const { rows } = await pool.query<{ id: string; copied: number }>(
    "SELECT account_id AS id, count(*)::int AS copied FROM app.copied_checkin GROUP BY 1",
  );
  const [{ id, copied } = { id: "", copied: 0 }] = rows;
  if (copied !== count) throw new Error(`Only ${copied} of ${count} check-ins were copied.`);
  const charts = await chartRows(pool, id, times);
  const limit = await withConstantServer((url) => pace(times, async () => void (await (await fetch(url)).text())));
  const running = await pageRows(person, limit.p50, times);
  say("without the directory…");
  await site.stopDirectory();
  return {
    "The first copy": [{ "check-ins": count, seconds, "per second": count / seconds }],
    "Statements of the page, all check-ins": charts,
    [`Pages, one at a time, of at most ${LIMIT} ms`]: running,
    "Pages while the directory is stopped": await pageRows(person, limit.p50, times),
  };
}

/** Reloads the page until it shows the check-ins. */
async function firstCopy({ browser }: Member): Promise<number> {
  const begun = performance.now();
  for (;;) {
    const { status, body } = await browser.get("/checkins");
    if (status !== 200) throw new Error(`/checkins returned ${status}.`);
    if (body.includes("/checkins/download")) return (performance.now() - begun) / 1000;
  }
}

const pace = (times: number, work: () => Promise<void>) =>
  measureCalls(
    times,
    async () => {
      await work();
      return () => {};
    },
    1,
  );

async function chartRows(pool: Pool, id: string, times: number): Promise<Row[]> {
  const all: CheckinFilter = { text: undefined, when: undefined, category: undefined, town: undefined };
  const statements = {
    "forty check-ins": () => readCheckins({ pool }, id, all, { limit: 40, offset: 0 }),
    "charts by category, town, month, weekday and hour": () => countCheckins({ pool }, id, all),
    streaks: () => findStreaks({ pool }, id, all),
    "map of places": () => findPlaces({ pool }, id, all, 500),
  };
  const rows: Row[] = [];
  const { p50: least } = await pace(
    times,
    async () => void (await pool.query("SELECT count(*) FROM app.copied_checkin")),
  );
  for (const [statement, work] of Object.entries(statements)) {
    say(statement);
    const { p50, p99 } = await pace(times, async () => void (await work()));
    rows.push({ statement, "p50 ms": p50, "p99 ms": p99, "times a count of all": p50 / least });
  }
  return rows;
}

async function pageRows({ browser }: Member, least: number, times: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [page, path] of Object.entries(PAGES)) {
    say(page);
    const answers = new Set<string>();
    const { p50, p99 } = await pace(times, async () => {
      const { status, body } = await browser.get(path);
      answers.add(`${status}${/As of [^<]*/.exec(body)?.[0] ? ", as of its last copy" : ""}`);
    });
    const isWithin = path.includes("download") ? "" : p99 <= LIMIT ? "yes" : "no";
    const figures = { "p50 ms": p50, "p99 ms": p99, "times a constant page": p50 / least, within: isWithin };
    rows.push({ page, ...figures, shows: [...answers].join("; ") });
  }
  return rows;
}
