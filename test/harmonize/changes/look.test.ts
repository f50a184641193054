import { parse } from "csv-parse/sync";
import { beforeEach, describe, expect, test } from "vitest";
import { DirectoryError } from "../../../src/directory-client/calls/errors.ts";
import { changedVenues, lookStateOf, SHOWN_CHANGES, wantLook } from "../../../src/harmonize/changes/changes.ts";
import { lookForChanges } from "../../../src/harmonize/changes/look.ts";
import { lookUp } from "../../../src/harmonize/export/mappings.ts";
import type { Harmonization } from "../../../src/harmonize/run/harmonizations.ts";
import { missing, startBridges } from "../bridge/bridges.ts";
import { makeCandidate } from "../rows.ts";

const bridges = await startBridges();
const { list, others, deps, asked, person } = bridges;

beforeEach(() => {
  for (const id of Object.keys(others)) delete others[id];
});

const on = (id: string) => ({ name: `On ${id}`, candidates: [makeCandidate(id, 0.95)], more: { isClear: true } });
const never = new AbortController().signal;
const run = (h: Harmonization, signal = never) => lookForChanges(deps, h, { signal, calls: signal });
const look = async (h: Harmonization) => {
  await wantLook(deps, h);
  await run(h);
  return (await lookStateOf(deps, h))?.counts;
};
const changed = async (h: Harmonization) => {
  const found = await changedVenues(deps, h, { changes: SHOWN_CHANGES, after: 0, most: 50 });
  return found.map(({ venueId, change }) => `${venueId} ${change}`);
};
const mapping = async (h: Harmonization): Promise<Record<string, string>[]> =>
  parse(await bridges.exported(h, "mapping-csv"), { columns: true, bom: true });

describe("a look at the venues of a list", () => {
  test("finds what became of each, and the mapping follows merged venues and names closed ones", async () => {
    Object.assign(others, {
      old: { id: "new" },
      shut: { closed: true },
      none: { error: missing() },
      far: { location: { lat: 41.83, lng: -71.41 } },
      near: { location: { lat: 41.82005, lng: -71.41 } },
      other: { name: "مقهى" },
      odd: { error: new DirectoryError("invalid_answer") },
    });
    const ids = ["same", "old", "shut", "none", "far", "near", "other", "odd", "same"];
    const h = await list([...ids.map(on), { name: "In doubt", candidates: [makeCandidate("doubt", 0.5)] }]);
    const once = { merged: 1, closed: 1, gone: 1, moved: 1, renamed: 1, unanswered: 1 };
    expect(await look(h)).toEqual({ ...once, unchanged: 2 });
    expect(await changed(h)).toEqual([
      ...["old merged", "shut closed", "none gone", "far moved", "other renamed", "odd unanswered"],
    ]);
    const [moved] = await changedVenues(deps, h, { changes: ["moved"], after: 0, most: 1 });
    expect(moved).toMatchObject({ metres: 1112, ownId: "own-5", listing: "On far" });
    const mapped = await mapping(h);
    expect(mapped.map((row) => row.venue_name)).toContain("مقهى");
    const states = mapped.map((row) => [row.venue_id, row.former_venue_id, row.venue_state]);
    expect(states.slice(0, 4)).toEqual([
      ["same", "", ""],
      ["new", "old", ""],
      ["shut", "", "closed"],
      ["none", "", "gone"],
    ]);
    const [, merged, closed]: Record<string, string>[] = parse(await bridges.exported(h, "csv"), {
      columns: true,
      bom: true,
    });
    expect(merged).toMatchObject({
      venue_id: "new",
      reason: expect.stringContaining("old has since been merged into this venue"),
    });
    expect(closed?.reason).toContain("the venue has since closed");
    const found = await lookUp(deps, person, ["old"]);
    expect(found).toMatchObject({ unknown: [], mappings: [{ venueId: "new", formerVenueId: "old" }] });
  });

  test("takes what the look before found as known, and finds what has changed since", async () => {
    Object.assign(others, { old: { id: "new" }, shut: { closed: true }, none: { error: missing() } });
    const h = await list(["old", "shut", "none", "same"].map(on));
    await look(h);
    const before = (await lookStateOf(deps, h))?.at;
    expect(await look(h)).toEqual({ unchanged: 4 });
    expect((await lookStateOf(deps, h))?.since).toBe(before);
    expect((await mapping(h)).map((row) => row.venue_state)).toEqual(["", "closed", "gone", ""]);
    Object.assign(others, { shut: {}, none: {}, old: { id: "newer" }, same: { name: "Other", closed: true } });
    expect(await look(h)).toEqual({ merged: 1, reopened: 2, closed: 1 });
    expect((await mapping(h)).map((row) => row.venue_id)).toEqual(["newer", "shut", "none", "same"]);
  });

  test("compares names and positions with those of the look before", async () => {
    Object.assign(others, { other: { name: "Other" }, far: { location: { lat: 41.83, lng: -71.41 } } });
    const h = await list(["other", "far"].map(on));
    expect(await look(h)).toEqual({ renamed: 1, moved: 1 });
    expect(await look(h)).toEqual({ unchanged: 2 });
    Object.assign(others, { other: {}, far: {} });
    expect(await look(h)).toEqual({ renamed: 1, moved: 1 });
  });

  test("forgets venues that are no longer matched, and looks at new ones", async () => {
    const h = await list(["a", "b"].map(on));
    await look(h);
    const where = { harmonizationId_number: { harmonizationId: h.id, number: 1 } };
    await bridges.database.prisma.listing.update({
      where,
      data: { decision: "matched", venueId: "c", venueName: "Old name" },
    });
    expect(await look(h)).toEqual({ renamed: 1, unchanged: 1 });
    expect(await changed(h)).toEqual(["c renamed"]);
  });

  test("goes on after the worker was killed, and asks for no venue twice", async () => {
    const h = await list(Array.from({ length: 1200 }, (_, at) => on(`v${at}`)));
    const { venues } = deps.directory;
    const killed = new AbortController();
    let calls = 0;
    deps.directory.venues = async (...asking) => {
      calls += 1;
      if (calls === 2) killed.abort();
      return venues(...asking);
    };
    await wantLook(deps, h);
    asked.length = 0;
    await expect(run(h, killed.signal)).rejects.toThrow();
    deps.directory.venues = venues;
    const first = asked.shift() ?? [];
    asked.length = 0;
    await run(h);
    const rest = asked.flat();
    expect(new Set([...first, ...rest]).size).toBe(1200);
    expect(first.length + rest.length).toBe(1200);
    expect((await lookStateOf(deps, h))?.counts).toEqual({ unchanged: 1200 });
  });

  test("waits while the directory does not answer, keeps what it has, and says why", async () => {
    others.away = { error: new DirectoryError("unreachable") };
    const h = await list(["here", "away"].map(on));
    expect(await look(h)).toBeUndefined();
    expect(await lookStateOf(deps, h)).toMatchObject({ isAtWork: true, problem: { code: "unreachable" } });
    await wantLook(deps, h); // has no effect while it is at work
    delete others.away;
    await run(h);
    expect(await lookStateOf(deps, h)).toMatchObject({ isAtWork: false, counts: { unchanged: 2 } });
  });
});
