import { describe, expect, test } from "vitest";
import { DirectoryError } from "../../../src/directory-client/calls/errors.ts";
import type { VenueOutcome } from "../../../src/directory-client/venues.ts";
import { matchMany } from "../../../src/harmonize/add/outcomes.ts";
import { takeOver } from "../../../src/harmonize/bridge/take-over.ts";
import { carryDecisionsOver } from "../../../src/harmonize/file/carry-over.ts";
import { decideMany } from "../../../src/harmonize/results/many.ts";
import { decide } from "../../../src/harmonize/review/decisions.ts";
import { decideFamily, familyOf } from "../../../src/harmonize/review/family.ts";
import { undo } from "../../../src/harmonize/review/undo.ts";
import { noteFound, noteGone } from "../../../src/harmonize/run/gone-venues.ts";
import type { Harmonization } from "../../../src/harmonize/run/harmonizations.ts";
import { claimPortion, cutPortions, writeListings } from "../../../src/harmonize/run/portions.ts";
import { startBridges } from "../bridge/bridges.ts";
import { type MadeListing, makeCandidate, makeHarmonization } from "../rows.ts";

const { deps, database, ada, person, list, send, outcomes, listings: rowsOf } = await startBridges();
const { pool } = database;
const never = new AbortController().signal;

let count = 0;
/** A venue that no other test knows. */
const newVenue = () => `gone-${++count}`;
const row = async (h: { id: string }, number = 1) => (await rowsOf(h as Harmonization))[number - 1];
const alike = (id: string): MadeListing => ({
  name: "Shop",
  candidates: [makeCandidate(id, 0.6, { name: 2.5, phone: -1 }), makeCandidate("next", 0.4, { name: 1 })],
});
/** Makes a listing that keeps a venue that is gone as its best candidate, as one whose answer was under way does. */
async function withGone(...more: MadeListing[]) {
  const id = newVenue();
  await noteGone(deps, [id]);
  return { id, h: await list([alike(id), ...more]) };
}
const matched = (id: string) =>
  ({ decision: "matched", venueId: id, venueName: "Shop", decidedHow: "person" }) as const;

const [TAKE, NOTE] = [/^\s*WITH found AS/, /INSERT INTO app\.gone_venue/];

describe("F79: a venue that is gone", () => {
  test("F79: leaves the candidates of everybody’s undecided listings, and those gone before it leave with it", async () => {
    const [first, second] = [newVenue(), newVenue()];
    const candidates = [first, second, "third"].map((id, at) => makeCandidate(id, 0.6 - at / 10));
    const h = await list([{ name: "Shop", candidates, more: { isClear: true } }]);
    await noteGone(deps, [second]);
    expect((await row(h))?.candidates, "it is not the best: whoever chooses it asks the directory").toHaveLength(3);
    expect(await noteGone(deps, [first])).toBe(0);
    expect(await row(h)).toMatchObject({ bestId: "third", candidates: [candidates[2]], isClear: false, pattern: null });
    expect((await row(h))?.score).toBeCloseTo(0.4);
  });

  test("F79: stays in decisions that people know, unless it was deleted here", async () => {
    const id = newVenue();
    const h = await list([
      { name: "Shop", more: matched(id) },
      { ...alike(id), more: { isClear: true, score: 0.99 } },
    ]);
    expect(await noteGone(deps, [id])).toBe(0);
    expect(await row(h)).toMatchObject(matched(id));
    expect(await row(h, 2)).toMatchObject({ bestId: id, isClear: true });
    expect(await noteGone(deps, [id], { areDeleted: true })).toBe(2);
    for (const number of [1, 2])
      expect(await row(h, number)).toMatchObject({ decision: null, venueId: null, why: { code: "venue_deleted" } });
  });

  test.each([1, 2, 3, 4, 100])(
    "F79: leaves rows in portions of %i, in all files and each row once",
    async (portion) => {
      const [id, other] = [newVenue(), newVenue()];
      const rows = [
        alike(id),
        { name: "Shop", more: matched(id) },
        { ...alike(id), more: matched("kept") },
        alike(other),
        { ...alike(id), more: { isClear: true, score: 0.99 } },
        alike(id),
      ];
      const files = [await list(rows), await list(rows), await list([alike("here")]), await list([alike(id)])];
      const left = await list(rows);
      const statements = counting(TAKE);
      const noted = await noteGone({ ...deps, pool: statements.pool }, [id, other], {
        besides: left.id,
        areDeleted: true,
        portion,
      });
      expect(noted).toBe(4);
      expect(statements.count()).toBe(Math.floor(11 / portion) + 1);
      for (const h of files)
        for (const { bestId, venueId, candidates } of await rowsOf(h)) {
          const isKept = venueId === "kept";
          expect([null, "next", "here", ...(isKept ? [id, "kept"] : [])]).toContain(bestId);
          expect([null, ...(isKept ? ["kept"] : [])]).toContain(venueId);
          if (!isKept) expect(candidates).not.toContainEqual(expect.objectContaining({ id }));
        }
      expect((await row(left))?.bestId).toBe(id);
    },
  );

  test("F79: that its directory shows again meanwhile is not looked for without end", async () => {
    const id = newVenue();
    const h = await list([alike(id), alike(id), alike(id)]);
    const shown = poolWith(TAKE, () => noteFound(deps, [id]));
    expect(await noteGone({ ...deps, pool: shown }, [id], { portion: 1 })).toBe(0);
    expect((await row(h))?.bestId).toBe(id);
  });

  test("F79: keeps what was taken when a portion fails, and repeating it takes the rest", async () => {
    const id = newVenue();
    const h = await list([alike(id), alike(id), alike(id)]);
    let portions = 0;
    const failing = poolWith(TAKE, async () => {
      if (++portions > 2) throw tooSlow();
    });
    await expect(noteGone({ ...deps, pool: failing }, [id], { portion: 1 })).rejects.toThrow("too slow");
    expect((await rowsOf(h)).map(({ bestId }) => bestId)).toEqual(["next", "next", id]);
    await noteGone(deps, [id], { portion: 1 });
    expect((await row(h, 3))?.bestId).toBe("next");
  });

  const tooSlow = () => Object.assign(new Error("too slow"), { code: "57014" });

  /** The pool, with something done before each statement with such a text, or in its place if it returns rows. */
  const poolWith = (text: RegExp, act: () => Promise<unknown>) =>
    new Proxy(pool, {
      get(target, key) {
        if (key !== "query") return Reflect.get(target, key, target);
        return async (statement: { text?: string }, ...rest: []) => {
          const rows = text.test(statement.text ?? "") ? await act() : undefined;
          return rows ?? target.query(statement as never, ...rest);
        };
      },
    });

  function counting(text: RegExp) {
    let count = 0;
    return { pool: poolWith(text, async () => void count++), count: () => count };
  }

  test("F79: cannot be accepted for its listing, and the next candidate is not taken in its place", async () => {
    const { id, h } = await withGone();
    const wish = { decision: "matched", venueId: id, seen: null } as const;
    const accepting = decide(deps, { h, person, number: 1 }, wish);
    await expect(accepting).rejects.toThrow(
      `“Venue ${id}” is no longer in the directory. Choose another venue, or none.`,
    );
    expect((await row(h))?.decision).toBe(null);
    const seen = new Date();
    const before = await list([alike(newVenue())]);
    const best = (await row(before))?.bestId ?? "";
    await noteGone(deps, [best]);
    const which = { rows: [{ number: 1, changedAt: null }] };
    const late = await decideMany(deps, { h: before, person }, "matched", which);
    expect(late).toEqual({ changed: 0, left: [{ why: "changed", count: 1 }] });
    const all = { outcome: undefined, text: "", filter: {}, expected: undefined, seen };
    expect((await decideMany(deps, { h: before, person }, "matched", all)).changed).toBe(0);
  });

  const venues = async (_: unknown, ids: readonly string[]): Promise<VenueOutcome[]> =>
    ids.map(() => ({ error: new DirectoryError("not_found") }));
  const asking = { ...deps, directory: { ...deps.directory, venues, looksUpVenues: async () => true } };

  test.each(["TAKE", "NOTE"] as const)(
    "F79: is refused although the database is too slow for %s",
    async (statement) => {
      const id = newVenue();
      const h = await list([alike(id)]);
      const slow = poolWith({ TAKE, NOTE }[statement], () => Promise.reject(tooSlow()));
      const wish = { decision: "matched", venueId: id, seen: null, auth: { token: "t" } } as const;
      const accepting = decide({ ...asking, pool: slow }, { h, person, number: 1 }, wish);
      await expect(accepting).rejects.toMatchObject({ status: 409 });
      expect((await row(h))?.decision).toBe(null);
    },
  );

  test("F79: has a person wait for two portions of its rows at most", async () => {
    const id = newVenue();
    const h = await list([alike(id)]);
    let portions = 0;
    const endless = poolWith(TAKE, async () => {
      if (++portions > 9) throw new Error("waits too long");
      return { rows: [{ found: 500, undecided: 0, last: { id: h.id, number: 1 } }] };
    });
    const wish = { decision: "matched", venueId: id, seen: null, auth: { token: "t" } } as const;
    const accepting = decide({ ...asking, pool: endless }, { h, person, number: 1 }, wish);
    await expect(accepting).rejects.toMatchObject({ status: 409 });
    expect(portions).toBe(2);
    await expect(decide(deps, { h, person, number: 1 }, { ...wish, auth: undefined })).rejects.toThrow("no longer");
  });

  test("F79: is found to be so when it is accepted, and then leaves the candidates", async () => {
    const id = newVenue();
    const h = await list([alike(id)]);
    const wish = { decision: "matched", venueId: id, seen: null, auth: { token: "t" } } as const;
    await expect(decide(asking, { h, person, number: 1 }, wish)).rejects.toThrow("no longer in the directory");
    expect(await row(h)).toMatchObject({ decision: null, bestId: "next" });
  });

  test.each([
    ["does not look venues up", { looksUpVenues: async () => false }],
    ["does not answer", { venues: () => new Promise<never>(() => {}) }],
    ["fails", { venues: async () => [{ error: new DirectoryError("unreachable") }] }],
  ])("F79: is accepted as it was at a directory that %s", async (_how, more) => {
    const id = newVenue();
    const h = await list([alike(id)]);
    const asking = { ...deps, directory: { ...deps.directory, looksUpVenues: async () => true, ...more } };
    const wish = { decision: "matched", venueId: id, seen: null, auth: { token: "t" } } as const;
    await decide(asking, { h, person, number: 1 }, wish);
    expect((await row(h))?.venueId).toBe(id);
  });

  test("F79: is left out when many are accepted, and the person is told", async () => {
    const { h } = await withGone(alike("here"), alike("here too"));
    const all = { outcome: undefined, text: "", filter: {}, expected: 3, seen: new Date(Date.now() + 60_000) };
    const done = await decideMany(deps, { h, person }, "matched", all);
    expect(done).toEqual({ changed: 2, left: [{ why: "gone", count: 1 }] });
    expect((await rowsOf(h)).map(({ venueId }) => venueId)).toEqual([null, "here", "here too"]);
  });

  test.each(["pattern", "same"] as const)("F79: is in no family of listings (%s)", async (kind) => {
    const { id, h } = await withGone(alike("here"));
    const of = { h, person, number: kind === "pattern" ? 2 : 1 };
    const { count, at } = await familyOf(deps, of, kind);
    expect(count).toBe(kind === "pattern" ? 1 : 0);
    const wish = { kind, decision: "matched", expected: 1, seen: at ?? new Date() } as const;
    await decideFamily(deps, of, wish);
    expect((await rowsOf(h)).map(({ venueId }) => venueId)).not.toContain(id);
  });

  test("F79: does not come back with the undo of a later decision, and the person is told", async () => {
    const id = newVenue();
    const h = await list([{ ...alike(id), more: { ...matched(id), decidedAt: new Date("2026-03-04T08:41:00Z") } }]);
    const seen = new Date("2026-03-04T08:41:00Z");
    await decide(deps, { h, person, number: 1 }, { decision: "rejected", seen });
    await noteGone(deps, [id], { areDeleted: true });
    expect(await undo(deps, h, person)).toMatchObject({ restored: 0, changed: 0, gone: 1 });
    expect(await row(h)).toMatchObject({ decision: "rejected", venueId: null });
  });

  test("F79: is not accepted by its score if the answer was under way", async () => {
    const id = newVenue();
    const h = await makeHarmonization(database, ada, [{ name: "Shop", more: { status: "pending" } }], {
      ...{ directory: deps.directoryUrl, state: "matching" },
    });
    await cutPortions(pool, h.id);
    const claim = await claimPortion(pool, h.id, 0);
    if (!claim) throw new Error("no portion");
    await noteGone(deps, [id], { areDeleted: true });
    const candidates = [makeCandidate(id, 0.99)];
    await writeListings(pool, h.id, claim, [
      { number: 1, status: "asked", score: 0.99, isClear: true, bestId: id, candidates },
    ]);
    expect(await row(h)).toMatchObject({ status: "asked", bestId: id, isClear: false });
  });

  test("F79: is not matched by an add of many that found it before", async () => {
    const { id, h } = await withGone();
    const [venue, here] = [id, "here"].map((each) => ({ id: each, name: "Shop", score: 0.99 }));
    const found = (venues: unknown) => ({ venues, confident: true, geocode: undefined }) as never;
    await matchMany(deps, h.id, ada, [{ number: 1, found: found([venue]) }]);
    expect((await row(h))?.decision).toBe(null);
    await matchMany(deps, h.id, ada, [{ number: 1, found: found([here]) }]);
    expect((await row(h))?.venueId).toBe("here");
  });

  test("F79: is not taken over from a bridge file that found it before", async () => {
    const id = newVenue();
    const h = await list([{ name: "Shop", more: { ownId: "a" } }]);
    await send(h, `id,record_id,dataset\n${id},a,\n`);
    const late = poolWith(
      /ORDER BY row, array_position/,
      async () => void (await noteGone(deps, [id], { areDeleted: true })),
    );
    await takeOver({ ...deps, pool: late }, h, { signal: never, calls: never });
    expect([(await row(h))?.decision, await outcomes(h)]).toEqual([null, [`a ${id} unknown_venue`]]);
  });

  test("F79: is not carried over to the next edition, whose listing is matched anew", async () => {
    const [id, print] = [newVenue(), Buffer.from("same")];
    const rows = (more: object) => [
      { name: "Shop", more: { ownId: "a", print, ...more } },
      { name: "Other", more: { ownId: "b", print, ...(more ? { status: "pending" as const } : {}) } },
    ];
    const before = await list(rows(matched(id)));
    await pool.query(
      "UPDATE app.listing SET decision = 'matched', venue_id = 'here' WHERE harmonization_id = $1 AND number = 2",
      [before.id],
    );
    await noteGone(deps, [id]);
    const after = await list(rows({ status: "pending" }));
    const client = await pool.connect();
    await carryDecisionsOver(client, after, before.id);
    client.release();
    expect((await rowsOf(after)).map(({ status, venueId }) => [status, venueId])).toEqual([
      ["pending", null],
      ["pending", "here"],
    ]);
  });

  test("F79: can be accepted again once the directory shows it", async () => {
    const { id, h } = await withGone();
    await noteFound(deps, [id]);
    await decide(deps, { h, person, number: 1 }, { decision: "matched", venueId: id, seen: null });
    expect((await row(h))?.venueId).toBe(id);
  });
});
