import { beforeEach, describe, expect, test } from "vitest";
import { DirectoryError } from "../../../src/directory-client/calls/errors.ts";
import { annotateListings, startAnnotating } from "../../../src/harmonize/annotate/annotate-listings.ts";
import type { Harmonization } from "../../../src/harmonize/run/harmonizations.ts";
import { startAdder } from "../add/directory.ts";
import { withPoints } from "../points.ts";

const adder = await startAdder();
const { directory, deps, database } = adder;

const signal = new AbortController().signal;
const start = (h: Harmonization) => startAnnotating(deps, h, adder.person);
const run = (h: Harmonization, onPoint: Parameters<typeof withPoints>[1] = () => {}) =>
  annotateListings(withPoints(deps, onPoint), h, { signal });

/** Creates listings, each matched by a person to the venue of its number. */
async function begin(count: number) {
  const h = await adder.begin(Array.from({ length: count }, (_, index) => `Place ${index + 1}`));
  await database.pool.query(
    `UPDATE app.listing SET decision = 'matched', venue_id = 'v' || number, decided_at = now() - interval '1 minute'
      WHERE harmonization_id = $1`,
    [h.id],
  );
  return h;
}
const links = () => Object.fromEntries(directory.links);
const report = async (h: Harmonization) => (await adder.row(h)).task;

describe.each([0, 2, 100])("at a directory that takes %s at once,", (lines) => {
  beforeEach(() => adder.takes(lines));

  test("annotating writes each mapping with an own id once, and again only if its venue changes", async () => {
    const h = await begin(4);
    await database.pool.query("UPDATE app.listing SET own_id = NULL WHERE number = 3");
    await database.pool.query("UPDATE app.listing SET decision = 'rejected', venue_id = NULL WHERE number = 4");
    expect([await start(h), await start(h)]).toEqual([true, false]);
    await run(h);
    expect(links()).toEqual({ "own-1": "v1", "own-2": "v2" });
    expect(await adder.row(h)).toMatchObject({ state: "ready", task: { report: { annotated: 2, alreadyThere: 0 } } });
    await database.pool.query("UPDATE app.listing SET venue_id = 'w', decided_at = now() WHERE number = 1");
    await start(h);
    await run(h);
    expect(directory.annotations.toSorted()).toEqual(["own-1 v1", "own-1 w", "own-2 v2"]);
    expect(await report(h)).toMatchObject({ report: { annotated: 1, alreadyThere: 1, conflicts: 0, failed: 0 } });
  });

  test("annotating reports which venue already has an id, continues, and retries in the next task", async () => {
    const h = await begin(3);
    const holder = { id: "x9", name: "Other Place" };
    directory.fates = [new DirectoryError("conflict", undefined, { holder }), new DirectoryError("rejected", "No.")];
    await start(h);
    await run(h);
    // They are annotated concurrently.
    const problems = (await adder.listings(h)).map(({ annotationProblem }) => annotationProblem);
    expect(problems).toHaveLength(3);
    expect(problems).toEqual(
      expect.arrayContaining([
        { code: "already_on", name: "Other Place", id: "x9" },
        { code: "rejected", said: "No." },
        null,
      ]),
    );
    expect(await report(h)).toMatchObject({ report: { annotated: 1, alreadyThere: 0, conflicts: 1, failed: 1 } });
    await start(h);
    await run(h);
    expect(await report(h)).toMatchObject({ report: { annotated: 2, alreadyThere: 1, conflicts: 0, failed: 0 } });
  });

  test("annotating a corrected match reports that its id is on the earlier venue, at every attempt", async () => {
    const h = await begin(1);
    await start(h);
    await run(h);
    await database.pool.query("UPDATE app.listing SET venue_id = 'w', decided_at = now()");
    for (let time = 0; time < 2; time++) {
      directory.fates = [new DirectoryError("conflict", undefined, { holder: { id: "v1", name: "Place 1" } })];
      await start(h);
      await run(h);
      const isOurs = { code: "already_on", name: "Place 1", id: "v1", isOurs: true };
      expect((await adder.listings(h))[0]?.annotationProblem).toEqual(isOurs);
      expect(await report(h)).toMatchObject({ report: { annotated: 0, conflicts: 1, failed: 0 } });
    }
  });

  test("annotating writes the decision at the time of the call, not an earlier one", async () => {
    const h = await begin(1);
    const correct = "UPDATE app.listing SET venue_id = 'w', decided_at = now() WHERE harmonization_id = $1";
    await start(h);
    await run(h, async (name) => void (name === "annotate: before" && (await database.pool.query(correct, [h.id]))));
    expect(directory.annotations).toEqual(["own-1 w"]);
  });

  test.each([
    ["corrected", "now()"],
    ["undone", "now() - interval '1 hour'"],
  ])("a match %s during its annotation is written by the next task", async (_how, decidedAt) => {
    const h = await begin(1);
    const correct = `UPDATE app.listing SET venue_id = 'w', decided_at = ${decidedAt} WHERE harmonization_id = $1`;
    await start(h);
    await run(h, async (name) => void (name === "annotate: answered" && (await database.pool.query(correct, [h.id]))));
    expect(await report(h)).toMatchObject({ report: { annotated: 0, alreadyThere: 0, conflicts: 0, failed: 0 } });
    await start(h);
    await run(h);
    expect(directory.annotations).toEqual(["own-1 v1", "own-1 w"]);
  });

  test("an annotation error is no longer counted after its listing is rejected", async () => {
    const h = await begin(2);
    directory.fates = [new DirectoryError("rejected", "No."), new DirectoryError("rejected", "No.")];
    await start(h);
    await run(h);
    await database.pool.query("UPDATE app.listing SET decision = 'rejected', decided_at = now() WHERE number = 1");
    directory.fates = [new DirectoryError("rejected", "No.")];
    await start(h);
    await run(h);
    expect(await report(h)).toMatchObject({ report: { annotated: 0, conflicts: 0, failed: 1 } });
  });

  test("F10: annotating waits until the owner connects again, and as long as a rate-limiting directory asks", async () => {
    const h = await begin(12);
    directory.fates = ["ok", "ok", new DirectoryError("rate_limited", undefined, { retryAfter: 100 })];
    await start(h);
    await run(h);
    const waiting = await adder.row(h);
    expect([waiting.state, Number(waiting.retryAt) > Date.now() + 90_000]).toEqual(["annotating", true]);
    expect(directory.annotations.length).toBeLessThan(8);
    const written = Object.entries(links()).map(([own, venue]) => `${own} ${venue}`);
    expect(written.length).toBeGreaterThanOrEqual(2);
    await database.pool.query("UPDATE app.harmonization SET retry_at = NULL");
    directory.fates = [new DirectoryError("refused_token")];
    await run(h);
    expect([(await adder.row(h)).pausedFor, adder.tokens.size]).toEqual(["connection", 0]);
    adder.tokens.set(adder.accountId, "ada");
    await database.pool.query("UPDATE app.harmonization SET paused_for = NULL");
    await run(h);
    expect([(await adder.row(h)).state, directory.links.size]).toEqual(["ready", 12]);
    expect(directory.annotations.filter((call) => written.includes(call)).toSorted()).toEqual(written.toSorted());
  });

  test.each(["annotate: before", "annotate: answered", "annotate: committed"])(
    "annotating resumes after a kill at “%s”",
    async (point) => {
      const h = await begin(3);
      await start(h);
      const killed = run(h, (name) => {
        if (name === point) throw new Error("killed");
      });
      await expect(killed).rejects.toThrow("killed");
      await run(h);
      expect(links()).toEqual({ "own-1": "v1", "own-2": "v2", "own-3": "v3" });
      expect(await report(h)).toMatchObject({ report: { annotated: 3, failed: 0 } });
    },
  );

  test("annotating without a reserved provider id reports that it is missing", async () => {
    const h = await begin(1);
    const { providerId } = deps;
    deps.providerId = async () => undefined;
    await start(h);
    await run(h);
    deps.providerId = providerId;
    expect(await adder.row(h)).toMatchObject({
      state: "ready",
      task: { problem: { code: "no_provider" } },
    });
    expect(directory.annotations).toEqual([]);
  });

  test("annotating sends as many together as the directory takes, and again alone what has no answer", async () => {
    const h = await begin(5);
    directory.fates = ["ok", "lost after", "lost before"];
    await start(h);
    await run(h);
    expect(directory.together).toEqual({ 0: [], 2: [2, 2, 1], 100: [5] }[lines]);
    expect(Object.keys(links()).toSorted()).toEqual(["own-1", "own-2", "own-3", "own-4", "own-5"]);
    expect(await report(h)).toMatchObject({ report: { annotated: 5, failed: 0 } });
  });

  test("F05: annotating stops before the next call once another run has taken over", async () => {
    const h = await begin(4);
    await start(h);
    const takeOver = () =>
      database.pool.query(`UPDATE app.harmonization SET task = task || '{"runner": "another"}' WHERE id = $1`, [h.id]);
    await run(h, async (name) => void (name === "annotate: before" && (await takeOver())));
    expect(directory.annotations).toEqual([]);
  });
});
