import { expect, test } from "vitest";
import { DirectoryError } from "../../../src/directory-client/calls/errors.ts";
import { addListings, startAdding } from "../../../src/harmonize/add/add-listings.ts";
import { annotateListings, startAnnotating } from "../../../src/harmonize/annotate/annotate-listings.ts";
import { matchPending } from "../../../src/harmonize/match/match-listings.ts";
import {
  type Harmonization,
  loadHarmonization,
  resumeHarmonization,
} from "../../../src/harmonize/run/harmonizations.ts";
import { holdUp } from "../../../src/harmonize/run/hold-up.ts";
import { superviseOnce } from "../../../src/harmonize/supervise.ts";
import { CAFE, startAdder } from "../add/directory.ts";
import { foundBy, startHarmonizer } from "../harmonizer.ts";

const REFUSAL = "This application may only read here. Ask help@directory.example.";
const refusal = { code: "not_enabled", said: REFUSAL };
const notEnabled = () => new DirectoryError("not_enabled", REFUSAL);
const { signal } = new AbortController();

const matcher = await startHarmonizer();
const adder = await startAdder();

async function match(id: string) {
  const h = await loadHarmonization(matcher.deps, id);
  if (h) await matchPending(matcher.deps, h, { portion: 0, signal });
}
const statuses = async (id: string) => (await matcher.listings(id)).map(({ status }) => status);
const minuteLater = (id: string) =>
  matcher.deps.prisma.harmonization.update({ where: { id }, data: { retryAt: new Date(Date.now() - 1000) } });

test("F10: a run whose application is not enabled pauses with the reason, fails no listing, and resumes by itself", async () => {
  const { asked, state, deps, row } = matcher;
  const { id } = await matcher.begin(3, { owned: true });
  state.answer = ({ name }) => (name === "Place 1" ? { found: foundBy({ name }) } : { error: notEnabled() });
  await match(id);
  const held = await row(id);
  expect(await statuses(id)).toEqual(["asked", "pending", "pending"]);
  expect(held).toMatchObject({ state: "matching", pausedFor: "application", task: { refusal } });
  const seconds = ((held.retryAt?.getTime() ?? 0) - Date.now()) / 1000;
  expect([seconds > 50, seconds <= 60]).toEqual([true, true]);

  asked.length = 0;
  await superviseOnce(deps);
  await match(id);
  expect([asked, (await row(id)).pausedFor]).toEqual([[], "application"]);

  await minuteLater(id);
  await superviseOnce(deps);
  await match(id);
  expect((await row(id)).pausedFor, "it was asked again, and refused again").toBe("application");
  expect(asked.length).toBeGreaterThan(0);

  state.answer = (query) => ({ found: foundBy(query) });
  await minuteLater(id);
  await superviseOnce(deps);
  await match(id);
  expect(await statuses(id)).toEqual(["asked", "asked", "asked"]);
  expect(await row(id)).toMatchObject({ pausedFor: null, task: null });
});

test("a resumed run retries at once instead of after a minute", async () => {
  const { state, deps, row } = matcher;
  const { id } = await matcher.begin(1, { owned: true });
  state.answer = () => ({ error: notEnabled() });
  await match(id);
  expect(await resumeHarmonization(deps, id)).toBe(true);
  expect(await row(id)).toMatchObject({ pausedFor: null, retryAt: null, task: null });
});

test("a run paused by a person stays paused by them when the application is not enabled, also after the supervision", async () => {
  const { deps, row } = matcher;
  const { id } = await matcher.begin(1, { owned: true });
  await deps.prisma.harmonization.update({ where: { id }, data: { pausedFor: "person" } });
  const h = await loadHarmonization(deps, id);
  const auth = await deps.authFor(h?.accountId ?? null);
  if (h && auth) await holdUp(deps, h, auth, notEnabled());
  expect(await row(id)).toMatchObject({ pausedFor: "person", task: { refusal } });
  await minuteLater(id);
  await superviseOnce(deps);
  expect((await row(id)).pausedFor).toBe("person");
});

test.each([
  ["adding", startAdding, addListings],
  ["annotating", startAnnotating, annotateListings],
] as const)("F10: %s is held up where it is, and goes on there", async (state, start, work) => {
  const { deps, database } = adder;
  const h: Harmonization = await adder.begin(["Ay", "Bee", "Cee"]);
  if (state === "annotating")
    await database.pool.query(
      `UPDATE app.listing SET decision = 'matched', venue_id = 'v' || number, decided_at = now() - interval '1 minute'
        WHERE harmonization_id = $1`,
      [h.id],
    );
  adder.directory.fates = ["ok", ...Array.from({ length: 4 }, notEnabled)];
  await start(deps, h, adder.person, { categoryId: CAFE });
  await work(deps, h, { signal });
  const held = await adder.row(h);
  expect(held).toMatchObject({
    state,
    pausedFor: "application",
    task: { refusal, accountId: adder.accountId },
  });
  expect((await adder.listings(h)).map(({ problem }) => problem)).toEqual([null, null, null]);

  adder.directory.fates = [];
  await database.pool.query("UPDATE app.harmonization SET paused_for = NULL, retry_at = NULL WHERE id = $1", [h.id]);
  await work(deps, h, { signal });
  const { task } = await adder.row(h);
  const done = state === "adding" ? { added: 3 } : { annotated: 3 };
  expect(task).toMatchObject({ report: { ...done, failed: 0 } });
  expect(adder.directory.venues.length).toBe(state === "adding" ? 3 : 0);
});
