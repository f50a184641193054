import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Prisma } from "../../../src/db/generated/client.ts";
import { beginAgain } from "../../../src/harmonize/file/begin-again.ts";
import { copyRows } from "../../../src/harmonize/file/copy-rows.ts";
import { changeDraft } from "../../../src/harmonize/file/layout.ts";
import { readParts } from "../../../src/harmonize/file/parts.ts";
import { previewFile } from "../../../src/harmonize/file/preview.ts";
import { progressOf } from "../../../src/harmonize/results/progress.ts";
import { deleteAll, deleteHarmonization } from "../../../src/harmonize/run/deletion.ts";
import {
  cancelHarmonization,
  type Harmonization,
  pauseHarmonization,
  resumeHarmonization,
} from "../../../src/harmonize/run/harmonizations.ts";
import { withPoints } from "../points.ts";
import { startFiles } from "./reader.ts";

const { database, deps, sent, load, upload, read, uploadAndRead, listings, fileRows } = await startFiles();
const { prisma, pool } = database;

/** Begins again with other columns and reads the rows. */
async function again(from: string, more: Prisma.HarmonizationUncheckedUpdateInput = {}) {
  const id = await beginAgain(deps, await load(from));
  await prisma.harmonization.update({ where: { id }, data: { state: "reading", task: Prisma.DbNull, ...more } });
  await read(await load(id));
  return load(id);
}

const rowsOf = async (id: string) => (await listings(id)).map(({ number, line, cells }) => ({ number, line, cells }));
const codesOf = async (id: string) =>
  (await listings(id)).map(({ problem }) => (problem as { code: string } | null)?.code);

describe("a file that is begun again", () => {
  test("keeps what people corrected, read with the new columns, and categories to be added", async () => {
    const text =
      "id,name,note,lat,lng\n1,Joe,Joseph,41.8,-71.4\n2,,Nameless,41.8,-71.4\n3,Ann,Anna,41.8,-71.4\n4,Bob,Bobby,41.8,-71.4\n";
    const first = await uploadAndRead(Buffer.from(text));
    const correct = (number: number, query: object) =>
      prisma.listing.update({
        where: { harmonizationId_number: { harmonizationId: first.id, number } },
        data: {
          query: {
            ...query,
            mended: { by: "6a0b0c0d-0000-4000-8000-000000000001", at: "2026-03-04T00:00:00Z", ...query },
          },
        },
      });
    await correct(2, { name: "Named", ll: { lat: 41.8, lng: -71.4 }, was: { name: null } });
    await correct(3, { name: "Ann", ll: { lat: 42.5, lng: -70.5 }, was: { ll: { lat: 41.8, lng: -71.4 } } });
    const phone = { was: { phone: null }, now: { phone: "+1 401 555 0100", category: "Bar" } };
    await correct(4, { name: "Bob", ll: { lat: 41.8, lng: -71.4 }, ...phone });
    await pool.query("UPDATE app.listing SET category_id = 'c1' WHERE harmonization_id = $1 AND number = 4", [
      first.id,
    ]);
    const { id } = await again(first.id, { columns: { ...first.columns, name: 2 } });
    const rows = await listings(id);
    expect(rows.map(({ query, status, categoryId }) => [(query as { name: string }).name, status, categoryId])).toEqual(
      [
        ["Joseph", "pending", null],
        ["Named", "pending", null],
        ["Anna", "pending", null],
        ["Bobby", "pending", "c1"],
      ],
    );
    expect(rows[1]?.query).toMatchObject({ mended: { was: { name: "Nameless" } } });
    expect(rows[2]?.query).toMatchObject({
      ll: { lat: 42.5, lng: -70.5 },
      mended: { was: { ll: { lat: 41.8, lng: -71.4 } } },
    });
    expect(rows[3]?.query).toMatchObject({ name: "Bobby", phone: "+1 401 555 0100", mended: { now: phone.now } });
    const third = await again(id, { columns: { ...first.columns } });
    expect((await listings(third.id))[1]?.query).toMatchObject({ name: "Named", mended: { was: { name: null } } });
  });

  test("takes over many corrections without reading all rows for each, even if PostgreSQL's statistics are from small files", async () => {
    const many = 1000;
    const csv = (rows: number) =>
      `id,name,lat,lng\n${Array.from({ length: rows }, (_, row) => `${row},Place ${row},41.8,-71.4\n`).join("")}`;
    const rowsRead = async () => {
      const { rows } = await pool.query(
        "SELECT sum(idx_tup_read)::int AS read FROM pg_stat_user_indexes WHERE relname ^@ 'listing'",
      );
      return rows[0].read as number;
    };
    for (let files = 0; files < 20; files += 1) await uploadAndRead(csv(10));
    await pool.query("SELECT app.analyze_listings()");
    const first = await uploadAndRead(csv(many));
    const mended = { by: crypto.randomUUID(), at: "2026-03-04T00:00:00Z", was: { name: null } };
    await pool.query(
      "UPDATE app.listing SET category_id = 'c1', query = query || $2::jsonb WHERE harmonization_id = $1",
      [first.id, { name: "Renamed", mended }],
    );
    const before = await rowsRead();
    const { id } = await again(first.id);
    const { rows } = await pool.query(
      "SELECT count(*)::int FROM app.listing WHERE harmonization_id = $1 AND category_id = 'c1' AND query ? 'mended'",
      [id],
    );
    expect(rows).toEqual([{ count: many }]);
    await expect.poll(rowsRead).toBeGreaterThan(before + many);
    expect((await rowsRead()) - before).toBeLessThan(50 * many);
  });

  const ODD = Buffer.concat([
    Buffer.from("Our stores;;;\n\nid;name;lat;lng;note\n"),
    Buffer.from(`1;Caf\xe9 Zo\xeb;41,8;-71,4;\n\n\n2;"Joe's ""Pizza""; etc";41,9;-71,5;"in two\nlines"\n`, "latin1"),
    Buffer.from('3;"Broken;42;-71;\n4;Too;42;-71;x;y;z\n5;"Broken" too;42;-71;\n6;Short\n'),
    Buffer.from('7;Nu\0l;42;-71;\n8;\'=SUM(1);42;-71; kept \n9;"a | b, c";42;-71;""\n'),
  ]);

  test.each([
    // Of the one the bytes are kept, of the other the rows are written anew.
    ["windows-1252", ODD, "unreadable_line"],
    ["utf-8", Buffer.from(ODD.toString("latin1")), "too_many_cells"],
  ] as const)(
    "W14: has the same rows on the same lines in %s, and unreadable rows fail again",
    async (encoding, bytes, code) => {
      const first = await uploadAndRead(bytes, { name: "shops / of May" });
      expect(first).toMatchObject({ format: { headerLine: 3, separator: ";", encoding } });
      const before = await rowsOf(first.id);
      const failed = ["unreadable_line", "too_many_cells", "unreadable_line", "no_place"];
      const codes = [undefined, undefined, ...failed, undefined, undefined, undefined];
      expect([before.map(({ line }) => line), await codesOf(first.id)]).toEqual([
        [4, 7, 9, 10, 11, 12, 13, 14, 15],
        codes,
      ]);
      const id = await beginAgain(deps, first);
      const { name, header, columns } = first;
      expect(await load(id)).toMatchObject({ state: "draft", name, header, columns, listingCount: 0, trial: null });
      expect((await previewFile(deps, await load(id))).columns[1]?.samples).toContain("Caf\xe9 Zo\xeb");
      let from = first.id;
      for (let times = 0; times < 2; times += 1) {
        from = (await again(from)).id;
        expect([await rowsOf(from), await codesOf(from)]).toEqual([
          before,
          codes.map((each) => each?.replace("unreadable_line", code)),
        ]);
      }
      expect([await rowsOf(first.id), await load(first.id)]).toEqual([before, first]);
    },
  );

  test("is read with its new columns, and keeps decisions if it names the previous edition", async () => {
    const text = "id,name,lat,lng,phone\n1,Joe,41.8,-71.4,\n2,Ann,41.9,-71.5,401 555 0100\n3,Bob,42,-71.6,\n";
    const columns = { id: 0, name: 1, lat: 2, lng: 3 };
    const first = await uploadAndRead(text, { columns });
    const decided = { decision: "matched" as const, venueId: "v", venueName: "The Venue", decidedAt: new Date() };
    await prisma.listing.updateMany({ where: { harmonizationId: first.id, number: { in: [1, 2] } }, data: decided });
    const next = await again(first.id, { columns: { ...columns, phone: 4 }, previousId: first.id });
    expect((await listings(next.id)).map(({ decision, query }) => [decision, query])).toMatchObject([
      ["matched", { name: "Joe" }],
      [null, { name: "Ann", phone: "401 555 0100" }],
      [null, { name: "Bob" }],
    ]);
    expect((await load(first.id)).columns).toEqual(columns);
    expect(await load(await beginAgain(deps, next))).toMatchObject({ columns: next.columns, previousId: first.id });
  });

  test("keeps its separator, and has no header if it had none", async () => {
    const first = await uploadAndRead("1\tJoe\t41.8\t-71.4\n2\tAnn, Bob\t41.9\t-71.5\n");
    expect(first.format).toEqual({ encoding: "utf-8", separator: "\t", hasHeader: false });
    const next = await again(first.id);
    expect([next.format, next.header, await rowsOf(next.id)]).toEqual([
      first.format,
      first.header,
      await rowsOf(first.id),
    ]);
  });

  test.each([
    ["quotes behind backslashes", '"id","name","note"\n"1","Joe \\"the Lark\\"",\\N\n"2","C:\\\\","\\\\N"\n'],
    ["whole lines in quotes", '"id,name,note"\n"1,""Joe, Bar"","\n"2,Ann,""a, """"b"""""""\n'],
  ])("keeps its cells if the file has %s", async (_, text) => {
    const first = await uploadAndRead(text);
    const next = await again(first.id);
    expect(await rowsOf(next.id)).toEqual(await rowsOf(first.id));
    expect(first.listingCount).toBe(2);
  });

  test("W14: keeps its line numbers after any number of blank lines", async () => {
    const first = await uploadAndRead(`id,name,lat,lng\n1,Joe,41.8,-71.4\n${"\n".repeat(100_000)}2,Ann,41.9,-71.5\n`);
    const next = await again(first.id);
    expect((await rowsOf(next.id)).map(({ line }) => line)).toEqual([2, 100_003]);
  });
});

const CSV = "id,name,lat,lng\n1,Joe,41.8,-71.4\n2,Ann,41.9,-71.5\n";

test("a run cancelled while being read begins again with its original file", async () => {
  const { id, format } = await upload(Buffer.from(CSV, "utf16le"), { state: "cancelled" });
  expect(format.encoding).toBe("utf-16le");
  const next = await load(await beginAgain(deps, await load(id)));
  expect(next.format).toEqual(format);
  const parts: Buffer[] = [];
  for await (const bytes of readParts(pool, next.id)) parts.push(bytes);
  expect(Buffer.concat(parts).toString("utf16le")).toBe(CSV);
});

test("beginning again is rejected while the file is being read or its rows are being deleted", async () => {
  const reading = await upload(CSV, { state: "reading" });
  await expect(beginAgain(deps, reading)).rejects.toMatchObject({ status: 409, code: "being_read" });
  const found = await uploadAndRead(CSV);
  await prisma.harmonization.update({ where: { id: found.id }, data: { state: "deleting" } });
  const before = await prisma.harmonization.count();
  await expect(beginAgain(deps, found)).rejects.toMatchObject({ status: 409, code: "deleted" });
  expect(await prisma.harmonization.count()).toBe(before);
});

describe("a large file that is begun again", () => {
  const ROWS = 5000;
  const LARGE = `id,name,lat,lng\n${Array.from({ length: ROWS }, (_, at) => `${at},Shop ${at} ${"x".repeat(50)},41.8,-71.4\n`).join("")}`;
  /** Creates a run, and a draft of it without rows yet. */
  async function begun() {
    const first = await uploadAndRead(LARGE);
    return { first, next: await load(await beginAgain(deps, first)) };
  }
  const copy = async (id: string, onRows: () => unknown = () => {}, signal = new AbortController().signal) => {
    const watched = withPoints(deps, async (name) => void (name === "again: row" && (await onRows())));
    return copyRows(watched, await load(id), { signal });
  };
  /** Calls `act` once some rows have been copied. */
  const midway = (act: () => Promise<unknown>) => {
    let pages = 0;
    return async () => void (++pages === 3 && (await act()));
  };
  const partsOf = (harmonizationId: string) => prisma.filePart.count({ where: { harmonizationId } });
  const remove = async (id: string) => {
    await deleteHarmonization(deps, id);
    await deleteAll(deps, { id, state: "deleting" }, { signal: new AbortController().signal });
  };

  test("F32: becomes a run at once, while a worker copies its rows and reports progress", async () => {
    const { first, next } = await begun();
    expect(next).toMatchObject({ state: "reading", name: first.name, columns: first.columns });
    expect([await partsOf(next.id), sent.at(-1)]).toEqual([0, { kind: "read", harmonizationId: next.id }]);
    expect(await progressOf(deps, next)).toMatchObject({ total: ROWS, done: 0 });
    let seen = next;
    await copy(next.id, async () => {
      if (progressIn(seen) > 0) return;
      await sleep(200);
      seen = await load(next.id);
    });
    expect(progressIn(seen)).toBeGreaterThan(0);
    expect(progressIn(seen)).toBeLessThan(ROWS);
    expect(await load(next.id)).toMatchObject({ state: "draft" });
    expect(await fileRows(next.id)).toEqual(await rowsIn(first.id));
  });

  test("F06: has one draft for any number of requests, until that draft is started", async () => {
    const { first, next } = await begun();
    const together = await Promise.all([1, 2, 3, 4].map(() => beginAgain(deps, first)));
    expect(new Set([...together, await beginAgain(deps, first)])).toEqual(new Set([next.id]));
    await copy(next.id);
    expect(await beginAgain(deps, first)).toBe(next.id);
    await changeDraft(deps, next, next, "start");
    await read(await load(next.id));
    expect(await load(next.id)).toMatchObject({ state: "matching", listingCount: ROWS });
    const fresh = await Promise.all([1, 2, 3, 4].map(() => beginAgain(deps, first)));
    expect([new Set(fresh).size, fresh.includes(next.id)]).toEqual([1, false]);
  });

  test("F32: is copied completely or not at all when the worker is stopped, and then once", async () => {
    const { first, next } = await begun();
    const controller = new AbortController();
    let pages = 0;
    const stop = () => {
      pages += 1;
      if (pages === 5) controller.abort();
    };
    await expect(copy(next.id, stop, controller.signal)).rejects.toThrow("aborted");
    expect(pages, "it was in the midst of it").toBeGreaterThanOrEqual(5);
    expect([await partsOf(next.id), (await load(next.id)).state]).toEqual([0, "reading"]);
    await expect.poll(async () => [await copy(next.id), (await load(next.id)).state][1]).toBe("draft");
    await copy(next.id);
    expect(await fileRows(next.id)).toEqual(await rowsIn(first.id));
  });

  test("stops being copied when paused, and continues when resumed", async () => {
    const { first, next } = await begun();
    const stopped = copy(
      next.id,
      midway(() => pauseHarmonization(deps, next.id).then(() => sleep(2500))),
    );
    await expect(stopped).rejects.toMatchObject({ name: "AbortError" });
    expect(await load(next.id)).toMatchObject({ state: "reading", pausedFor: "person" });
    expect(await resumeHarmonization(deps, next.id)).toBe(true);
    await expect.poll(async () => [await copy(next.id), (await load(next.id)).state][1]).toBe("draft");
    expect(await fileRows(next.id)).toEqual(await rowsIn(first.id));
  });

  test("can be started once more from a run whose copying was cancelled, unless the first run's rows were deleted", async () => {
    const { first, next } = await begun();
    await copy(
      next.id,
      midway(() => cancelHarmonization(deps, next.id)),
    );
    expect([(await load(next.id)).state, await partsOf(next.id)]).toEqual(["cancelled", 0]);
    const third = await beginAgain(deps, await load(next.id));
    await copy(third);
    expect(await fileRows(third)).toEqual(await rowsIn(first.id));
    await remove(first.id);
    expect(await prisma.listing.count({ where: { harmonizationId: first.id } })).toBe(0);
    await expect(beginAgain(deps, await load(next.id))).rejects.toMatchObject({ status: 409, code: "deleted" });
  });

  test("F32: gets its rows even if their source is deleted meanwhile, which is deleted afterwards", async () => {
    const { first, next } = await begun();
    const before = await rowsIn(first.id);
    await remove(first.id);
    await copy(next.id);
    expect(await fileRows(next.id)).toEqual(before);
    await remove(first.id);
    expect(await prisma.harmonization.count({ where: { id: first.id } })).toBe(0);
  });

  test("F17: is copied completely or not at all when its connection is killed", async () => {
    const { first, next } = await begun();
    const kill = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'samespot reading' AND datname = current_database()`;
    await expect(
      copy(
        next.id,
        midway(() => pool.query(kill)),
      ),
    ).rejects.toThrow();
    expect([await partsOf(next.id), (await load(next.id)).state]).toEqual([0, "reading"]);
    await copy(next.id);
    expect(await fileRows(next.id)).toEqual(await rowsIn(first.id));
  });

  test("leaves nothing when deleted during the copy", async () => {
    const { next } = await begun();
    await copy(
      next.id,
      midway(() => deleteHarmonization(deps, next.id)),
    );
    await remove(next.id);
    expect([await prisma.harmonization.count({ where: { id: next.id } }), await partsOf(next.id)]).toEqual([0, 0]);
  });

  const progressIn = ({ task }: Harmonization): number => (task as { rows?: number } | null)?.rows ?? 0;
  const rowsIn = async (id: string) => (await rowsOf(id)).map(({ line, cells }) => ({ line, cells }));
});
