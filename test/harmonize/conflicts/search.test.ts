import { expect, test } from "vitest";
import { FEW_LISTINGS } from "../../../src/harmonize/conflicts/conflicts.ts";
import { conflictsOf, searchConflicts, wantConflicts } from "../../../src/harmonize/conflicts/search.ts";
import { conflictFiles, on, signal } from "./files.ts";

const { database, deps, sent, make } = await conflictFiles();

test("F32: a worker searches a large file for conflicts once, and again after a cut has moved", async () => {
  const h = { ...(await make([on("a"), on("a")])), listingCount: FEW_LISTINGS + 1 };
  sent.length = 0;
  expect(await conflictsOf(deps, h)).toEqual({ findings: undefined, foundAt: undefined, done: 0 });
  await conflictsOf(deps, h);
  expect(sent).toEqual([{ kind: "conflicts", harmonizationId: h.id }]);
  await searchConflicts(deps, h, { signal });
  const { findings, foundAt, done } = await conflictsOf(deps, h);
  expect([findings?.sameVenue.total, foundAt instanceof Date, done]).toEqual([1, true, undefined]);
  expect(sent).toHaveLength(1);
  const moved = await conflictsOf(deps, { ...h, acceptFrom: 0.99 });
  expect([moved.findings?.sameVenue.total, moved.done], "what was found before stays").toEqual([1, 0]);
  expect(sent).toHaveLength(2);
});

test("a search for conflicts does nothing if not requested, and restarts if interrupted", async () => {
  const h = { ...(await make([on("a"), on("a")])), listingCount: FEW_LISTINGS + 1 };
  await searchConflicts(deps, h, { signal });
  expect(await database.prisma.conflictSearch.count({ where: { harmonizationId: h.id } })).toBe(0);
  await wantConflicts(deps, h);
  const cut = searchConflicts(deps, h, { signal: AbortSignal.abort() });
  await expect(cut).rejects.toThrow();
  expect((await conflictsOf(deps, h)).done).toBe(0);
  await searchConflicts(deps, h, { signal });
  expect((await conflictsOf(deps, h)).findings?.sameVenue.total).toBe(1);
});
