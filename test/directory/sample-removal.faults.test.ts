import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as after } from "node:timers/promises";
import { expect, test } from "vitest";
import { createDemo } from "../../src/directory/sample/demo-checkins.ts";
import { importSample } from "../../src/directory/sample/import-sample.ts";
import { countSample, removeSample, resumeRemoval, sampleState } from "../../src/directory/sample/remove.ts";
import { addUser } from "../../src/directory/users.ts";
import { CITUS_URL } from "../support/database/citus.ts";
import { testDatabase } from "../support/database/database.ts";

/** Of which a removal takes four portions. */
const SOME = 2000;
const USED = 3;

/** A directory with so many venues of the sample and the demo account, in which another user has used three venues. */
async function usedDirectory(venues: number) {
  const { database, url } = await testDatabase({ template: "sample" });
  const { prisma, pool } = database;
  const demo = { handle: "demo", passwordHash: "-", now: new Date("2026-11-21T15:00:00Z") };
  const prepare = async () => {
    await createDemo({ prisma, ...demo });
    await pool.query(
      "DELETE FROM directory.venue WHERE id NOT IN (SELECT id FROM directory.venue ORDER BY checkins_count DESC, id LIMIT $1)",
      [venues],
    );
    const { id: userId } = await addUser({ prisma }, { handle: "rosa", password: "a long password" });
    const busiest = await prisma.venue.findMany({ orderBy: [{ checkinsCount: "desc" }, { id: "asc" }], take: USED });
    const [visited, linked, edited] = busiest.map(({ id }) => id) as [string, string, string];
    await prisma.checkin.create({ data: { id: "c", userId, venueId: visited, timeZoneOffset: 0 } });
    await pool.query("UPDATE directory.venue SET checkins_count = checkins_count + 1, users_count = 2 WHERE id = $1", [
      visited,
    ]);
    const application = { clientId: "x", name: "x", ownerId: userId, redirectUris: ["https://app.example/"] };
    await prisma.application.create({ data: { ...application, providers: { create: { id: "p" } } } });
    await prisma.link.create({ data: { providerId: "p", linkedId: "1", venueId: linked, userId } });
    const before = { venue: {}, links: [] };
    await prisma.venueChange.create({ data: { venueId: edited, kind: "edited", userId, before, after: {} } });
    return { userId, kept: [visited, linked, edited], visited };
  };
  return { ...database, url, prepare };
}

const [whole, killed, twice] = [await usedDirectory(SOME), await usedDirectory(SOME), await usedDirectory(SOME)];

test("C65: a removal takes the sample venues that nobody uses, and the demo account's check-ins and log-in", async () => {
  const { prisma, pool, prepare } = whole;
  const { userId, kept, visited } = await prepare();
  const checkins = await prisma.checkin.count({ where: { user: { handle: "demo" } } });
  expect(await sampleState(pool)).toBe("there");
  expect(await countSample(whole)).toEqual({ venues: SOME - USED, used: USED, checkins, tokens: 0 });
  await removeSample(whole, userId);
  await expectRemoved(whole, kept);
  expect((await prisma.user.findUniqueOrThrow({ where: { handle: "demo" } })).disabledAt).not.toBeNull();
  const venue = await prisma.venue.findUniqueOrThrow({ where: { id: visited } });
  expect([venue.checkinsCount, venue.usersCount]).toEqual([1, 1]);
  expect(await prisma.venueChange.count({ where: { kind: "deleted", userId, clientId: null } })).toBe(SOME - USED);
  expect(await prisma.area.count()).toBeGreaterThan(0); // under the venues that stayed
  const [place] = await prisma.place.findMany({ where: { kind: "country" } });
  expect(place?.venues).toBe(USED);
});

test("C65: what was removed does not come back at a start", async () => {
  expect(await importSample({ ...whole, log: () => {} })).toBe(0);
  await createDemo({ ...whole, handle: "demo", passwordHash: "-", now: new Date() });
  expect(await whole.prisma.venue.count()).toBe(USED);
  expect(await whole.prisma.checkin.count()).toBe(1);
});

test("C65: a removal that is killed halfway continues at the next start, and loses nothing that is used", async () => {
  const { prisma, pool, url, prepare } = killed;
  const { userId, kept } = await prepare();
  const env = { ...process.env, DB: url, BY: userId };
  const child = spawn(process.execPath, ["--input-type=module", "-e", REMOVE], { env });
  const ended = once(child, "exit");
  while ((await prisma.venueChange.count({ where: { kind: "deleted" } })) === 0) await after(5);
  child.kill("SIGKILL");
  await ended;
  expect(await prisma.venue.count()).toBeGreaterThan(USED);
  expect(await sampleState(pool)).toBe("going");
  await resumeRemoval(killed);
  await expectRemoved(killed, kept);
  expect(await prisma.venueChange.count({ where: { kind: "deleted", userId } })).toBe(SOME - USED);
});

test("C65: two removals at once take each venue once", async () => {
  const { userId, kept } = await twice.prepare();
  await Promise.all([removeSample(twice, userId), removeSample(twice, userId)]);
  await expectRemoved(twice, kept);
  expect(await twice.prisma.venueChange.count({ where: { kind: "deleted" } })).toBe(SOME - USED);
});

async function expectRemoved({ prisma, pool }: Pick<typeof whole, "prisma" | "pool">, kept: string[]) {
  const left = await prisma.venue.findMany({ select: { id: true } });
  expect(left.map(({ id }) => id).sort()).toEqual([...kept].sort());
  expect(await prisma.checkin.findMany({ select: { id: true } })).toEqual([{ id: "c" }]);
  expect(await prisma.link.count()).toBe(1);
  expect(await sampleState(pool)).toBe("removed");
}

const REMOVE = `
  import { openDatabase } from "./src/db/database.ts";
  import { removeSample } from "./src/directory/sample/remove.ts";
  const database = openDatabase(process.env.DB, { patience: 60_000, isDistributed: ${CITUS_URL !== undefined} });
  await removeSample(database, process.env.BY);
`;
