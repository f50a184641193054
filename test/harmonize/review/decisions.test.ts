import { beforeEach, describe, expect, test } from "vitest";
import { type Decision, decide } from "../../../src/harmonize/review/decisions.ts";
import { reviewListing } from "../../../src/harmonize/review/listing.ts";
import { lockListing } from "../../../src/harmonize/review/locks.ts";
import { undo } from "../../../src/harmonize/review/undo.ts";
import type { Harmonization } from "../../../src/harmonize/run/harmonizations.ts";
import { testDatabase } from "../../support/database/database.ts";
import { makeAccount, makeCandidate, makeHarmonization } from "../rows.ts";

const { database, url } = await testDatabase();
const DIRECTORY = "http://directory.test";
const venue = async (_auth: unknown, id: string) => ({ id, name: "Found Books" });
const deps = { pool: database.pool, databaseUrl: url, directoryUrl: DIRECTORY, directory: { venue } as never };
const [ada, ben] = [await person("Ada"), await person("Ben")];

async function person(name: string) {
  return { id: await makeAccount(database, name, DIRECTORY), isAdmin: false };
}

const BEST = makeCandidate("v1", 0.6, { name: 2.4, phone: -1, distance: 0.5, zip: 0.3, street: -0.2 });
const MATCHED: Decision = { decision: "matched", venueId: "v1", seen: null };
const REJECTED: Decision = { decision: "rejected", seen: null };

let h: Harmonization;
beforeEach(async () => {
  const listing = { name: "Shop", candidates: [BEST, makeCandidate("v2", 0.3)] };
  h = await makeHarmonization(database, ada.id, [listing, listing, listing], { directory: DIRECTORY });
});
const row = (number = 1) =>
  database.prisma.listing.findUniqueOrThrow({ where: { harmonizationId_number: { harmonizationId: h.id, number } } });
const steps = () => database.prisma.decisionStep.count({ where: { harmonizationId: h.id } });

describe("a decision", () => {
  test("records venue, person, time, kind, and the directory's reasons", async () => {
    await decide(deps, { h, person: ada, number: 1 }, MATCHED);
    expect(await row()).toMatchObject({
      ...{ decision: "matched", venueId: "v1", venueName: "Venue v1", decidedBy: ada.id, decidedHow: "person" },
      why: { code: "evidence", said: ["same name", "different phone", "same position", "same postal code"] },
    });
    await decide(deps, { h, person: ada, number: 2 }, REJECTED);
    expect(await row(2)).toMatchObject({ decision: "rejected", venueId: null, why: { code: "none_alike", venues: 2 } });
    expect((await row(3)).decision).toBe(null);
  });

  test("takes away that the venue of an added listing could not be deleted", async () => {
    const held = { code: "venue_held", rows: 1, lists: 1 };
    for (const [number, wish] of [MATCHED, REJECTED].entries()) {
      const where = { harmonizationId_number: { harmonizationId: h.id, number: number + 1 } };
      const data = { decision: "added", venueId: "new", decidedAt: new Date(), problem: held } as const;
      const { decidedAt } = await database.prisma.listing.update({ where, data });
      await decide(deps, { h, person: ada, number: number + 1 }, { ...wish, seen: decidedAt });
      expect(await row(number + 1)).toMatchObject({ decision: wish.decision, problem: null });
    }
  });

  test("may choose a venue of the directory that is no candidate", async () => {
    const wish: Decision = { decision: "matched", venueId: "b7", seen: null };
    await expect(decide(deps, { h, person: ada, number: 1 }, wish)).rejects.toThrow("Choose a venue");
    await decide(deps, { h, person: ada, number: 1 }, { ...wish, auth: { token: "t" } });
    expect(await row()).toMatchObject({ venueId: "b7", venueName: "Found Books", why: { code: "found_by_hand" } });
  });

  test("is rejected with the other person's name if somebody has decided since the page was opened", async () => {
    await decide(deps, { h, person: ada, number: 1 }, MATCHED);
    await expect(decide(deps, { h, person: ben, number: 1 }, REJECTED)).rejects.toThrow(
      "Ada decided this a moment ago.",
    );
    const { decidedAt } = await row();
    await decide(deps, { h, person: ben, number: 1 }, { ...REJECTED, seen: decidedAt });
    await expect(decide(deps, { h, person: ada, number: 1 }, { ...MATCHED, seen: decidedAt })).rejects.toThrow(
      "Ben decided this",
    );
    await undo(deps, h, ben);
    expect(await row()).toMatchObject({ decision: "matched", decidedBy: ada.id });
  });

  test("takes effect once if many are made at once", async () => {
    const people = Array.from({ length: 8 }, (_, index) => (index % 2 ? ada : ben));
    const wishes = people.map((who, index) =>
      decide(
        deps,
        { h, person: who, number: 1 },
        { decision: "matched", venueId: index < 4 ? "v1" : "v2", seen: null },
      ).catch(() => {}),
    );
    await Promise.all(wishes);
    expect(await steps()).toBe(1);
  });

  test("repeated by a double click is one step", async () => {
    await decide(deps, { h, person: ada, number: 1 }, MATCHED);
    await decide(deps, { h, person: ada, number: 1 }, MATCHED);
    expect(await steps()).toBe(1);
    await expect(decide(deps, { h, person: ada, number: 1 }, { ...MATCHED, venueId: "v2" })).rejects.toThrow(
      "Ada decided this",
    );
  });

  test("to skip, repeated by a double click, is one step that can be undone", async () => {
    const skip: Decision = { decision: "skip", seen: null };
    await decide(deps, { h, person: ada, number: 1 }, skip);
    await decide(deps, { h, person: ada, number: 1 }, skip);
    expect(await steps()).toBe(1);
    await undo(deps, h, ada);
    expect((await row()).skippedAt).toBe(null);
  });

  test("is rejected if the listing was matched again since the page was opened, so that no candidate is rejected unseen", async () => {
    const matchedAt = new Date();
    await database.prisma.listing.updateMany({ where: { harmonizationId: h.id, number: 1 }, data: { matchedAt } });
    await expect(decide(deps, { h, person: ada, number: 1 }, REJECTED)).rejects.toThrow(
      "has changed since you opened it",
    );
    expect((await reviewListing(deps, { h, person: ada, number: 1 }))?.changedAt).toEqual(matchedAt);
    await decide(deps, { h, person: ada, number: 1 }, { ...REJECTED, seen: matchedAt });
  });

  test("is rejected while another person has the listing locked, and unlocks it afterwards", async () => {
    expect(await lockListing(deps, { h, person: ben, number: 1 })).toBe(true);
    expect(await lockListing(deps, { h, person: ada, number: 1 })).toBe(false);
    await expect(decide(deps, { h, person: ada, number: 1 }, MATCHED)).rejects.toThrow("Ben is reviewing this row.");
    await decide(deps, { h, person: ben, number: 1 }, REJECTED);
    expect(await lockListing(deps, { h, person: ada, number: 1 })).toBe(true);
  });

  test("is rejected before the listing is matched, and during an add", async () => {
    await database.prisma.listing.update({
      where: { harmonizationId_number: { harmonizationId: h.id, number: 1 } },
      data: { status: "pending" },
    });
    await expect(decide(deps, { h, person: ada, number: 1 }, REJECTED)).rejects.toThrow("has not been asked");
    await database.prisma.listing.update({
      where: { harmonizationId_number: { harmonizationId: h.id, number: 2 } },
      data: { adding: { key: "k" } },
    });
    await expect(decide(deps, { h, person: ada, number: 2 }, REJECTED)).rejects.toThrow("is being added");
    await expect(decide(deps, { h, person: ada, number: 9 }, REJECTED)).rejects.toThrow("no such row");
  });
});

describe("undo", () => {
  test("restores everything step by step, and only the person's own steps", async () => {
    const before = await row();
    await decide(deps, { h, person: ada, number: 1 }, { decision: "skip", seen: null });
    const skipped = await row();
    expect(skipped.skippedAt).not.toBe(null);
    await decide(deps, { h, person: ada, number: 1 }, { ...MATCHED, seen: skipped.skippedAt });
    expect((await row()).skippedAt).toBe(null);
    await decide(deps, { h, person: ben, number: 2 }, REJECTED);
    expect(await undo(deps, h, ada)).toEqual({ number: 1, restored: 1, changed: 0, gone: 0 });
    expect(await row()).toEqual(skipped);
    expect(await undo(deps, h, ada)).toMatchObject({ number: 1, restored: 1 });
    expect(await row()).toEqual(before);
    expect(await undo(deps, h, ada)).toBe(undefined);
    expect((await row(2)).decision).toBe("rejected");
    expect(await reviewListing(deps, { h, person: ada, number: 1 })).toMatchObject({
      candidates: [{ id: "v1" }, { id: "v2" }],
    });
  });

  test("skips steps that somebody has decided again since, and undoes the one before", async () => {
    await decide(deps, { h, person: ada, number: 2 }, REJECTED);
    await decide(deps, { h, person: ada, number: 1 }, MATCHED);
    await decide(deps, { h, person: ben, number: 1 }, { ...REJECTED, seen: (await row()).decidedAt });
    expect(await undo(deps, h, ada)).toEqual({ number: 2, restored: 1, changed: 0, gone: 0 });
    expect(await undo(deps, h, ada)).toBeUndefined();
    expect(await row()).toMatchObject({ decision: "rejected", decidedBy: ben.id });
  });

  test("requested twice at once undoes one step", async () => {
    for (const number of [1, 2, 3]) await decide(deps, { h, person: ada, number }, REJECTED);
    await Promise.all([undo(deps, h, ada), undo(deps, h, ada)]);
    const left = await database.prisma.listing.count({ where: { harmonizationId: h.id, decision: "rejected" } });
    expect(left).toBeGreaterThanOrEqual(1);
    expect(
      left + (await database.prisma.decisionStep.count({ where: { harmonizationId: h.id, undoneAt: { not: null } } })),
    ).toBe(3);
  });
});
