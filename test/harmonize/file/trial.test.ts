import { expect, test } from "vitest";
import { DirectoryError } from "../../../src/directory-client/calls/errors.ts";
import type { DirectoryClient } from "../../../src/directory-client/client.ts";
import type { FileFormat } from "../../../src/files/format.ts";
import { changeDraft } from "../../../src/harmonize/file/layout.ts";
import { type Trial, tryOut } from "../../../src/harmonize/file/trial.ts";
import type { Query } from "../../../src/harmonize/run/rows.ts";
import { foundBy, type Outcome } from "../harmonizer.ts";
import { startFiles } from "./reader.ts";

const { deps, load, upload, sent } = await startFiles();
const { signal } = new AbortController();

/** Runs a trial at a directory that is one function. Returns its calls and result. */
async function run(
  text: string,
  answer: (query: Query, asked: Query[]) => Outcome | Promise<Outcome>,
  said: Pick<FileFormat, "town"> = {},
) {
  const harmonization = await upload(text);
  const format = { ...harmonization.format, ...said } as object;
  await deps.prisma.harmonization.update({ where: { id: harmonization.id }, data: { format } });
  await changeDraft(deps, harmonization, { ...harmonization, previousId: null }, "try");
  const asked: Query[] = [];
  const directory = {
    matchListings: async (_auth: unknown, queries: Query[]) => {
      asked.push(...queries);
      return Promise.all(queries.map((query) => answer(query, asked)));
    },
  } as unknown as DirectoryClient;
  const authFor = async () => ({ token: "t" });
  const tokenRefused = async () => {};
  await tryOut({ ...deps, directory, authFor, tokenRefused }, await load(harmonization.id), { signal });
  const trial = (await load(harmonization.id)).trial as unknown as Trial;
  return { id: harmonization.id, asked, trial };
}

const lines = (count: number, line: (index: number) => string) =>
  `name,lat,lng\n${Array.from({ length: count }, (_, index) => `${line(index)}\n`).join("")}`;

const withScore = (query: Query, score: number, confident: boolean): Outcome => {
  const found = foundBy(query);
  return { found: { ...found, confident, venues: found.venues.map((venue) => ({ ...venue, score })) } };
};

test("a trial matches 200 rows spread over the file and reports their outcomes", async () => {
  const text = lines(1000, (index) => (index % 10 === 0 ? `,41,-71` : `Place ${index},41,-71`));
  const { trial, asked, id } = await run(text, (query) => {
    const number = Number(query.name.split(" ")[1]);
    if (number % 20 === 5) return { found: { venues: [], confident: false, geocode: undefined } };
    return number < 500 ? withScore(query, 0.97, true) : withScore(query, 0.6, false);
  });
  expect(sent).toContainEqual({ kind: "trial", harmonizationId: id });
  expect(trial).toMatchObject({ state: "done", total: 200, done: 200 });
  // Every fifth row is taken; of these, every other has no name and every fourth no candidate.
  expect(trial.counts).toEqual({ matched: 25, review: 25, none: 50, failed: 100 });
  expect(asked.map(({ name }) => name).slice(0, 2)).toEqual(["Place 5", "Place 15"]);
  expect(trial.examples.filter(({ outcome }) => outcome === "failed")).toHaveLength(5);
  expect(trial.examples.find(({ outcome }) => outcome === "matched")).toMatchObject({ line: 17, score: 0.97 });
  expect(trial.examples.find(({ outcome }) => outcome === "failed")).toMatchObject({
    reasons: [],
    problem: { code: "no_name", column: "name" },
  });
});

test("a trial stops at a refusal that concerns all calls, and reports it", async () => {
  const refused = new DirectoryError("rate_limited", undefined, { retryAfter: 30 });
  const { trial, asked } = await run(
    lines(200, (index) => `Place ${index},41,-71`),
    () => ({ error: refused }),
  );
  expect(asked).toHaveLength(50);
  expect(trial).toMatchObject({ state: "done", error: { code: "rate_limited", wait: 30 } });
});

test("W90: a trial asks about rows that name no place in the town that their owner has said, as the start will", async () => {
  const { asked, trial } = await run("name,address\nKiosk,Main Street\n", (query) => ({ found: foundBy(query) }), {
    town: "Orrin, ME",
  });
  expect(asked).toEqual([{ name: "Kiosk", address: "Main Street", near: "Orrin, ME" }]);
  expect(trial.counts).toMatchObject({ matched: 1, failed: 0 });
});

test("a trial restarted with other columns replaces the first", async () => {
  let isFirst = true;
  const { trial, asked } = await run(
    lines(3, (index) => `Place ${index},41,-71`),
    async (query, before) => {
      if (isFirst) {
        isFirst = false;
        const { id } = await deps.prisma.harmonization.findFirstOrThrow({ orderBy: { createdAt: "desc" } });
        await changeDraft(deps, await load(id), { columns: { name: 1, lat: 1, lng: 2 }, previousId: null }, "try");
      }
      expect(before.length).toBeLessThanOrEqual(6);
      return withScore(query, 0.97, true);
    },
  );
  expect(asked.map(({ name }) => name)).toEqual(["Place 0", "Place 1", "Place 2", "41", "41", "41"]);
  expect(trial).toMatchObject({ state: "done", counts: { matched: 3 } });
});

test("F06: one of several concurrent starts of a draft succeeds", async () => {
  const harmonization = await upload(lines(3, (index) => `Place ${index},41,-71`));
  const start = () => changeDraft(deps, harmonization, { ...harmonization, previousId: null }, "start");
  expect((await Promise.all([start(), start(), start()])).filter(Boolean)).toHaveLength(1);
  expect(sent.filter(({ kind }) => kind === "read")).toEqual([{ kind: "read", harmonizationId: harmonization.id }]);
});
