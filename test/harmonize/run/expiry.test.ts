import { beforeAll, expect, test } from "vitest";
import { deleteAll } from "../../../src/harmonize/run/deletion.ts";
import { expireFiles, noteUse } from "../../../src/harmonize/run/expiry.ts";
import { testDatabase } from "../../support/database/database.ts";
import { snapshot } from "../../support/database/snapshot.ts";
import { makeAccount, makeCandidate, makeHarmonization } from "../rows.ts";

const { database, url } = await testDatabase();
const { prisma, pool } = database;
const DIRECTORY = "http://directory.test";
const deps = { pool, directoryUrl: DIRECTORY };

const STATES = [
  ...(["uploading", "draft", "reading", "matching", "adding", "annotating", "undoing"] as const),
  ...(["ready", "cancelled", "deleting"] as const),
];
/** Days since the last use of files at rest; the others are all due. */
const AGES = [0, 22, 24, 31, 400];
const DUE = [31];
const KINDS = [
  ...(["alone", "previous", "next", "copied", "with a side task", "with a search", "with an add"] as const),
  ...(["elsewhere", "used late"] as const),
  // Relations of editions: of a list that is used, or in which nothing is.
  ...(["before the last two", "before a draft", "before one at work", "before a cancelled one"] as const),
  ...(["unused newest", "unused previous", "unused first of three"] as const),
];
/** Those that go once they are old, because nothing that stays needs them. */
const UNNEEDED: readonly string[] = [
  ...["alone", "used late", "before the last two", "unused newest", "unused previous", "unused first of three"],
];
const [DAYS, LATER] = [30, 8];

interface Case {
  id: string;
  state: (typeof STATES)[number];
  age: number;
  kind: (typeof KINDS)[number];
}
const cases: Case[] = [];

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

beforeAll(async () => {
  const account = await makeAccount(database, "Ada", DIRECTORY);
  const make = async (more: object) =>
    (await makeHarmonization(database, account, [], { directory: DIRECTORY, ...more })).id;
  for (const state of STATES)
    for (const age of state === "ready" ? AGES : DUE)
      for (const kind of KINDS) {
        const previousId = kind === "next" ? await make({ createdAt: new Date() }) : null;
        const directory = kind === "elsewhere" ? "http://other.test" : DIRECTORY;
        // Its age is that of the latest of three times.
        const [createdAt, ...others] = [daysAgo(age + 100), daysAgo(age), age % 2 ? null : daysAgo(age + 9)];
        const [usedAt, matchedAt] = age % 3 ? others : others.toReversed();
        const times = { createdAt, usedAt, matchedAt };
        const before = kind === "unused newest" ? await make(times) : previousId;
        const id = await make({ state, directory, previousId: before, ...times });
        const next = NEXT[kind]?.(times) ?? [];
        for (let [at, last] = [0, id]; at < next.length; at++) last = await make({ ...next[at], previousId: last });
        if (kind === "previous") await make({ previousId: id });
        if (kind === "copied") await make({ state: "reading", task: { from: id } });
        if (kind === "with a side task")
          await prisma.sideTask.create({
            data: { harmonizationId: id, kind: "changes", wantedAt: new Date(), about: {} } as never,
          });
        if (kind === "with a search")
          await prisma.conflictSearch.create({ data: { harmonizationId: id, wantedAt: new Date() } as never });
        if (kind === "with an add")
          await prisma.listing.create({
            data: { harmonizationId: id, number: 1, line: 2, cells: [], candidates: [], adding: { key: "k" } } as never,
          });
        cases.push({ id, state, age, kind });
      }
  await pool.query("ANALYZE app.harmonization, app.listing, app.side_task, app.conflict_search"); // as a server has by then
});

/** The editions after the file, of its own times if nothing of the list is used. */
const NEXT: Partial<Record<(typeof KINDS)[number], (times: object) => object[]>> = {
  "before the last two": () => [{}, {}],
  "before a draft": () => [{ state: "draft" }, {}],
  "before one at work": () => [{ state: "matching" }, {}],
  "before a cancelled one": () => [{ state: "cancelled" }],
  "unused previous": (times) => [times],
  "unused first of three": (times) => [times, times],
};

const files = async () => new Map((await prisma.harmonization.findMany()).map((row) => [row.id, row]));

/** In the words of the documents: at rest, of this directory, needed by no edition that stays, and nothing still to be done with it. */
const mayGo = ({ state, kind }: Case) => ["draft", "ready", "cancelled"].includes(state) && UNNEEDED.includes(kind);

test("W81: no file goes without a warning of a week, and after it exactly those that nobody has used", async () => {
  const before = await files();
  expect(await expireFiles(deps, undefined)).toBe(0);
  expect(await files()).toEqual(before);

  expect(await expireFiles(deps, DAYS), "the setting is new").toBe(0);
  const warned = await files();
  for (const each of cases) {
    const due = each.age > DAYS - 7 && mayGo(each);
    const expiresAt = warned.get(each.id)?.expiresAt;
    expect([each, expiresAt !== null], "warned").toEqual([each, due]);
    if (expiresAt)
      expect(Math.round((expiresAt.getTime() - Date.now()) / 86_400_000)).toBe(Math.max(7, DAYS - each.age));
  }
  for (const { id, kind } of cases) if (kind === "used late") await noteUse(deps, id);

  await pool.query(`UPDATE app.harmonization SET created_at = created_at - interval '${LATER} days',
    used_at = used_at - interval '${LATER} days', matched_at = matched_at - interval '${LATER} days',
    expires_at = expires_at - interval '${LATER} days'`);
  await expireFiles(deps, DAYS);
  const later = await files();
  for (const each of cases) {
    const gone = later.get(each.id)?.state === "deleting" && each.state !== "deleting";
    expect([each, gone]).toEqual([
      each,
      mayGo(each) && each.kind !== "used late" && each.age + LATER > DAYS && each.age > DAYS - 7,
    ]);
  }
  await expireFiles(deps, undefined);
  expect([...(await files()).values()].filter(({ expiresAt, state }) => expiresAt && state !== "deleting")).toEqual([]);
});

test("W83: an edition that goes takes nothing of the two that stay along, and they go once nobody uses the list", async () => {
  await prisma.harmonization.deleteMany();
  const account = await makeAccount(database, "Cy", DIRECTORY);
  const listing = {
    name: "A",
    candidates: [makeCandidate("v", 0.9)],
    more: { decision: "matched", venueId: "v", decidedHow: "kept" } as const,
  };
  const make = async (age: number, previousId: string | null) =>
    (
      await makeHarmonization(database, account, [listing, listing], {
        directory: DIRECTORY,
        createdAt: daysAgo(age),
        previousId,
      })
    ).id;
  const second = await make(300, null);
  const third = await make(1, second);
  const others = await snapshot(pool, "app", []);
  const first = await make(400, null);
  await prisma.harmonization.update({ where: { id: second }, data: { previousId: first } });
  const expired = async () => {
    await expireFiles(deps, DAYS);
    await pool.query("UPDATE app.harmonization SET expires_at = now() WHERE expires_at IS NOT NULL");
    await expireFiles(deps, DAYS);
    const rows = await prisma.harmonization.findMany({ where: { state: "deleting" }, select: { id: true } });
    for (const { id } of rows)
      await deleteAll({ databaseUrl: url }, { id, state: "deleting" }, { signal: new AbortController().signal });
    return rows.map(({ id }) => id);
  };
  expect(await expired()).toEqual([first]);
  expect(await snapshot(pool, "app", [])).toEqual(others);
  await prisma.harmonization.update({ where: { id: third }, data: { createdAt: daysAgo(50), usedAt: null } });
  await prisma.harmonization.update({ where: { id: second }, data: { usedAt: daysAgo(2) } });
  expect(await expired(), "the one before the newest is used").toEqual([]);
  await prisma.harmonization.update({ where: { id: second }, data: { usedAt: null } });
  expect((await expired()).sort()).toEqual([second, third].sort());
});

test("W81: what goes takes nothing of other files along, and no account", async () => {
  await prisma.harmonization.deleteMany();
  const account = await makeAccount(database, "Ben", DIRECTORY);
  const listing = {
    name: "A",
    candidates: [makeCandidate("v", 0.9)],
    more: { decision: "added" as const, venueId: "v" },
  };
  const make = (age: number) =>
    makeHarmonization(database, account, [listing, listing], { directory: DIRECTORY, createdAt: daysAgo(age) });
  await make(1);
  const others = await snapshot(pool, "app", []);
  const old = await make(400);
  await prisma.harmonization.update({ where: { id: old.id }, data: { expiresAt: daysAgo(1) } });
  expect(await expireFiles(deps, DAYS)).toBe(1);
  await deleteAll({ databaseUrl: url }, { id: old.id, state: "deleting" }, { signal: new AbortController().signal });
  expect(await snapshot(pool, "app", [])).toEqual(others);
});
