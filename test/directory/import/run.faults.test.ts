import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { KnownError } from "../../../src/shared/errors.ts";
import { HEADER, importing, rows } from "./importing.ts";

const { database, write, run, venues } = await importing();

describe("a venue import", () => {
  test("updates changed venues and keeps the ids when repeated, zipped or not", async () => {
    await run(write("again.csv", `${HEADER}${rows(2)}`));
    const before = await venues();
    const zipped = gzipSync(`${HEADER}${rows(1)}1,Cafe 1,41.8,-71.4,Village,,\n${rows(1, 2)}`);
    const result = await run(write("again.csv.gz", zipped));
    expect(result).toMatchObject({ imported: 1, updated: 1, unchanged: 1, refused: 0 });
    const after = await venues();
    expect(after.slice(0, 2).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after.map(({ city }) => city)).toEqual(["Town", "Village", "Town"]);
  });

  test("keeps the last of two lines with the same id", async () => {
    const text = `${HEADER}1,First,41.8,-71.4,,,\n1,Second,41.8,-71.4,,,\n`;
    expect(await run(write("twice.csv", text), { keepIds: true })).toMatchObject({ imported: 1 });
    expect(await venues()).toMatchObject([{ id: "1", name: "Second" }]);
  });

  test("derives the ids from the file name or the given source", async () => {
    const text = `${HEADER}${rows(2)}`;
    await run(write("north.csv", text));
    expect(await run(write("south.csv", text))).toMatchObject({ imported: 2 }); // the same ids, another file
    expect(await run(write("moved.csv", text), { source: "north.csv" })).toMatchObject({ unchanged: 2 });
    expect(await run(write("north.csv", text), { source: "other" })).toMatchObject({ imported: 2 });
    await expect(run(write("north.csv", text), { source: " " })).rejects.toThrow("The source name is empty.");
  });

  test("refuses a truncated gzip file before it stores anything, and imports the whole one", async () => {
    const whole = gzipSync(HEADER + rows(8000));
    const cut = write("cut.csv.gz", whole.subarray(0, whole.length * 0.8));
    await expect(run(cut)).rejects.toThrow(/damaged or incomplete/);
    expect(await venues()).toEqual([]);
    write("cut.csv.gz", whole);
    expect(await run(cut)).toMatchObject({ imported: 8000 });
  });

  test("stops between two batches when interrupted, and continues when repeated", async () => {
    const file = write("long.csv", HEADER + rows(6000));
    const controller = new AbortController();
    const stop = () => controller.abort(new KnownError(499, "interrupted", "Interrupted."));
    await expect(run(file, { signal: controller.signal, onProgress: stop })).rejects.toThrow(
      /Interrupted\. \d+ venues/,
    );
    const stored = (await venues()).length;
    expect(stored).toBeGreaterThan(0);
    expect(stored).toBeLessThan(6000);
    expect(await run(file)).toMatchObject({ imported: 6000 - stored, unchanged: stored });
  });

  test("with --replace leaves the file's venues and no check-in", async () => {
    await run(write("old.csv", HEADER + rows(3)));
    const [{ id } = { id: "" }] = await venues();
    await database.pool.query(`INSERT INTO directory."user" (id, handle, password_hash) VALUES ('u', 'visitor', '')`);
    await database.pool.query(
      `INSERT INTO directory.checkin (id, user_id, venue_id, time_zone_offset) VALUES ('c', 'u', $1, 0)`,
      [id],
    );
    expect(await run(write("new.csv", HEADER + rows(1, 50)), { replace: true })).toMatchObject({ imported: 1 });
    expect(await venues()).toMatchObject([{ name: "Cafe 50" }]);
    expect(await database.prisma.checkin.count()).toBe(0);
  });

  test("waits for another import, and does not block reads or check-ins meanwhile", async () => {
    const [one, two] = [write("one.csv", HEADER + rows(6000)), write("two.csv", HEADER + rows(10))];
    const untilFree = (): ReturnType<typeof run> =>
      run(two).catch((error) => (error.code === "conflict" ? untilFree() : Promise.reject(error))); // after 5 s
    const [first, second] = [run(one), untilFree()];
    const [slowest] = await Promise.all([slowestRead(first), second]);
    expect(await first).toMatchObject({ imported: 6000 });
    expect(await second).toMatchObject({ imported: 10 });
    expect(slowest).toBeLessThan(1000);
  });
});

/** Milliseconds of the slowest read until `work` was done. */
async function slowestRead(work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  let slowest = 0;
  while (!isDone) {
    const begun = performance.now();
    await database.pool.query("SELECT count(*) FROM directory.venue WHERE point <@ box '(0,0),(-90,90)'");
    slowest = Math.max(slowest, performance.now() - begun);
  }
  await done;
  return slowest;
}
