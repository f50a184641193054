import { setTimeout as after } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { readSample, writeVenues } from "../../../bench/support/venues.ts";
import { LOCKS } from "../../../src/db/locks.ts";
import { spawnCommand } from "../../cli/samespot-command.ts";
import { dataFolder } from "../../support/samespot.ts";
import { searching } from "./searching.ts";

const { pool, query, store, pairs, search, run, url, folder } = await searching();

const BLUE = { id: "blue", name: "Blue State Coffee", address: "300 Thayer St", phone: "+14013836600" };
const AGAIN = { ...BLUE, id: "again", name: "Blue State Cofee", lat: 41.8269, phone: "" };
const OTHER = { id: "other", name: "Avon Cinema", address: "260 Thayer St" };

describe("a search for duplicates", () => {
  test("finds two venues that are one place, with the reasons", async () => {
    await store(BLUE, AGAIN, OTHER);
    expect(await search()).toMatchObject({ venues: 3, passed: 3, compared: 3, groups: 1 });
    expect(await pairs()).toEqual(["again blue"]);
    const [pair] = await query<{ score: number; evidence: { text: string }[] }>(
      "SELECT score, evidence FROM directory.duplicate_pair",
    );
    expect(pair?.score).toBeGreaterThan(0.77);
    expect(pair?.evidence.map(({ text }) => text)).toContain("same address");
  });

  test("compares only what is new or changed since the last one", async () => {
    await store(BLUE, OTHER);
    await search();
    expect(await search()).toMatchObject({ passed: 2, compared: 0, groups: 0 });
    await store(AGAIN);
    expect(await search()).toMatchObject({ passed: 3, compared: 1, groups: 1 });
    await store({ ...AGAIN, name: "Thayer Street Optician" });
    expect(await search()).toMatchObject({ compared: 1, groups: 0 });
    expect(await pairs()).toEqual([]);
    await store(AGAIN);
    expect(await search()).toMatchObject({ compared: 1, groups: 1 });
  });

  test("compares a venue that comes to a square that was quartered since, and none of the others again", async () => {
    const crowd = Array.from({ length: 990 }, (_, at) => ({ id: `c${at}`, name: `Crowd ${at}`, lat: 41 + at / 1000 }));
    await store(BLUE, ...crowd);
    await search();
    await store(
      AGAIN,
      ...Array.from({ length: 20 }, (_, at) => ({ id: `d${at}`, name: `Dance ${at}`, lat: 40 + at / 50 })),
    );
    expect(await search()).toMatchObject({ venues: 1012, passed: 1012, compared: 21 });
    expect(await pairs()).toEqual(["again blue"]);
    expect(await search()).toMatchObject({ compared: 0 });
  });

  test("leaves out venues that are closed, and finds them when they open again", async () => {
    await store(BLUE, AGAIN);
    await query("UPDATE directory.venue SET closed_at = now() WHERE id = 'again'");
    expect(await search()).toMatchObject({ venues: 1, groups: 0 });
    await query("UPDATE directory.venue SET closed_at = NULL");
    expect(await search()).toMatchObject({ venues: 2, compared: 1, groups: 1 });
    await query("UPDATE directory.venue SET closed_at = now() WHERE id = 'again'");
    expect(await search()).toMatchObject({ groups: 0 });
  });

  test("waits for nobody who writes venues", async () => {
    await store(BLUE, AGAIN);
    const writer = await pool.connect();
    try {
      await writer.query("BEGIN");
      await writer.query("UPDATE directory.venue SET checkins_count = checkins_count + 1");
      expect(await search()).toMatchObject({ groups: 1 });
    } finally {
      writer.release(true);
    }
  });

  test("is refused while another one runs", async () => {
    const other = await pool.connect();
    try {
      await other.query("SELECT pg_advisory_lock($1)", [LOCKS.duplicates]);
      await expect(search()).rejects.toThrow("Another search for duplicates is running.");
    } finally {
      other.release(true);
    }
  });
});

test("F47: a search for duplicates that was killed at any point and repeated finds each pair once and compares nothing twice", async () => {
  const file = `${folder}/third.csv`;
  const third = (await readSample()).filter((_, at) => at % 3 === 0);
  await writeVenues(
    file,
    (async function* () {
      yield* third;
    })(),
  );
  await run(file, { keepIds: true });
  await query(
    `INSERT INTO directory.venue (id, name, name_norm, lat, lng, point, tile, address, city, category_id)
     SELECT 'copy-' || id, name, name_norm, lat, lng, point, tile, address, city, category_id FROM directory.venue
      WHERE hashtext(id) % 8 = 0`,
  );
  const env = { DATABASE_URL: url, DATA_DIR: dataFolder() };
  const passed = async () => {
    const [sum] = await query<{ compared: number }>(
      "SELECT sum(compared)::int AS compared FROM directory.duplicate_run",
    );
    return sum?.compared ?? 0;
  };
  for (let round = 0; round < 2; round++) {
    const before = await passed();
    const child = spawnCommand(env, ["venues", "duplicates", "--json"]);
    while ((await passed()) === before) await after(5);
    await after(Math.random() * 100);
    child.kill("SIGKILL");
    await child.ended;
  }
  await query("SELECT pg_advisory_xact_lock($1)", [LOCKS.duplicates]); // the server has noticed that its client is gone
  const cut = await passed();
  const result = await search();
  expect([cut + result.compared, cut < result.passed]).toEqual([result.passed, true]);
  const found = await pairs();
  await query("TRUNCATE directory.duplicate_pair, directory.duplicate_portion");
  await search();
  expect(found).toEqual(await pairs());
  expect(found.length).toBeGreaterThan(500);
});
