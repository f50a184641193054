import { describe, expect, it } from "vitest";
import { Prisma } from "../../../../src/db/generated/client.ts";
import { type MadeListing, makeHarmonization } from "../../../harmonize/rows.ts";
import { answersError, usual } from "../../../support/fake-directory/behaviours.ts";
import { manyListings, startRuns } from "../runs.ts";

const { web, gus, fay, owner } = await startRuns({ env: { ADMINS: "nobody" } });
const { prisma } = web.database;

const make = (more: Partial<Prisma.HarmonizationUncheckedCreateInput> = {}, listings = manyListings()) =>
  makeHarmonization(web.database, owner, listings, { directory: web.config.api.url, ...more });
const row = (id: string) => prisma.harmonization.findUnique({ where: { id } });

/** Sends a form of the harmonization's page `times` at once; returns the location of the last answer. */
async function send(id: string, verb: string, fields: Record<string, string> = {}, browser = fay, times = 1) {
  const _csrf = /name="_csrf" value="([^"]*)"/.exec((await browser.get("/settings")).body)?.[1] ?? "";
  const answers = await Promise.all(
    Array.from({ length: times }, () => browser.post(`/harmonizations/${id}/${verb}`, { _csrf, ...fields })),
  );
  return answers.map(({ status, location }) => [status, location.replace(web.url, "")]);
}

describe("what runs", () => {
  it("is paused, resumed and cancelled by its owner, even by two requests at once", async () => {
    const { id } = await make({ state: "matching" }, [{ name: "Shop", more: { status: "pending" } }]);
    const back = [303, `/harmonizations/${id}`];
    expect(await send(id, "pause", {}, fay, 2)).toEqual([back, back]);
    expect(await row(id)).toMatchObject({ state: "matching", pausedFor: "person" });
    const paused = await fay.get(`/harmonizations/${id}`);
    expect(paused.body).toContain("Paused.");
    expect(paused.body).toContain("It waits until somebody resumes it");
    await send(id, "resume", {}, fay, 2);
    expect(await row(id)).toMatchObject({ state: "matching", pausedFor: null });
    expect((await fay.get(`/harmonizations/${id}`)).body).toContain("it continues without you");
    await send(id, "cancel", {}, fay, 2);
    expect(await row(id)).toMatchObject({ state: "cancelled" });
    expect((await fay.get(`/harmonizations/${id}`)).body).toContain("Cancelled.");
    await send(id, "resume");
    expect(await row(id)).toMatchObject({ state: "cancelled" });
  });

  it("says whether the directory asked for patience or cannot be reached", async () => {
    const retryAt = new Date(Date.now() + 60_000);
    const words = async (task: object | undefined) => {
      const pending: MadeListing[] = [{ name: "Shop", more: { status: "pending" } }];
      const { id } = await make({ state: "matching", retryAt, ...(task && { task }) }, pending);
      return (await fay.get(`/harmonizations/${id}`)).body;
    };
    expect(await words(undefined)).toContain("The directory asked Samespot to wait. It continues by itself in ");
    const silent = await words({ silentSince: new Date().toISOString() });
    expect(silent).toContain("The directory cannot be reached. Samespot tries again by itself in ");
    expect(silent).not.toContain("asked Samespot");
  });

  it("retries the failed listings that can be matched", async () => {
    const { id } = await make();
    expect((await fay.get(`/harmonizations/${id}`)).body).toContain("Retry 4");
    const wordless = await make({}, [{ name: "", more: { status: "failed", query: Prisma.DbNull } }]);
    expect((await fay.get(`/harmonizations/${wordless.id}`)).body).not.toContain("/retry");
    const cancelled = await make({ state: "cancelled" });
    expect((await fay.get(`/harmonizations/${cancelled.id}`)).body).not.toMatch(/\/(retry|annotate|add)"/);
    const { id: left } = await make({}, [{ name: "Left by a killed retry", more: { status: "pending" } }]);
    expect((await fay.get(`/harmonizations/${left}`)).body).toMatch(/1 row not matched yet[\s\S]*Retry 1/);
    await send(id, "retry", {}, fay, 2);
    expect(await row(id)).toMatchObject({ state: "matching" });
  });

  it("W90: matches failed listings again in a town that the directory knows", async () => {
    const { id } = await make({}, [
      { name: "Kiosk", more: { status: "failed", query: Prisma.DbNull, problem: { code: "no_place" } } },
    ]);
    expect((await fay.get(`/harmonizations/${id}`)).body).toContain("1 row without a place");
    web.directory.behave("/v2/venues/search", answersError(400, "failed_geocode"));
    for (const [town, words] of [
      ["", "Write a town"],
      ["x".repeat(201), "town may have at most 200"],
      ["Nowhere at All", "does not know this place"],
    ] as const) {
      await send(id, "town", { town });
      expect((await fay.get(`/harmonizations/${id}`)).body).toContain(words);
      expect(await row(id)).toMatchObject({ state: "ready" });
    }
    web.directory.behave("/v2/venues/search", usual);
    await send(id, "town", { town: "Providence, RI" });
    expect(await row(id)).toMatchObject({ state: "matching", isRetrying: true, format: { town: "Providence, RI" } });
    const found = await make();
    expect((await fay.get(`/harmonizations/${found.id}`)).body, "none lacks a place").not.toContain("/town");
  });
});

describe("the cuts", () => {
  it("are moved, with a decimal point or a comma", async () => {
    const { id } = await make();
    await send(id, "cuts", { acceptFrom: "90,5", reviewFrom: "30 %" }, fay, 2);
    expect(await row(id)).toMatchObject({ acceptFrom: 0.905, reviewFrom: 0.3 });
    expect((await fay.get(`/harmonizations/${id}`)).body).toContain("Matches from 90.5 % are accepted without review.");
  });

  it.each([
    ["40", "20"],
    ["0.77", "20"],
    ["100", "20"],
    ["", "20"],
    ["abc", "20"],
    ["77", "90"],
    ["77", "-1"],
    ["NaN", "20"],
  ])("are not moved to %s and %s, which are shown again with the error", async (acceptFrom, reviewFrom) => {
    const { id } = await make();
    const _csrf = /name="_csrf" value="([^"]*)"/.exec((await fay.get("/settings")).body)?.[1] ?? "";
    const { status, body } = await fay.post(`/harmonizations/${id}/cuts`, { _csrf, acceptFrom, reviewFrom });
    expect(status).toBe(400);
    expect(/id="cut-error"[^>]*>.*?(Accept|Review) at or above: enter/s.test(body)).toBe(true);
    expect(
      body.includes(`name="reviewFrom" inputmode="decimal" autocomplete="off" maxlength="10" value="${reviewFrom}"`),
    ).toBe(true);
    expect(await row(id)).toMatchObject({ acceptFrom: 0.77, reviewFrom: 0.2 });
  });

  it("can be previewed without script", async () => {
    const { id } = await make();
    const shown = async (cut: string) => {
      const { status, body } = await fay.get(`/harmonizations/${id}?cut=${cut}`);
      return [status, /<output[^>]*>([^<]*)</.exec(body)?.[1], /name="acceptFrom" value="([^"]*)"/.exec(body)?.[1]];
    };
    expect(await shown("95.1")).toEqual([
      200,
      expect.stringMatching(/^26 accepted automatically, about \d.*, judging also by the \d+ you checked\.$/),
      "95.1",
    ]);
    expect(await shown("99.9")).toEqual([
      200,
      expect.stringMatching(/^2 accepted automatically, .* probably wrong, judging also by the \d+ you checked\.$/),
      "99.9",
    ]);
    expect(await shown("7")).toEqual([200, expect.stringMatching(/^56 accepted/), "7"]);
    expect(await row(id)).toMatchObject({ acceptFrom: 0.77 });
  });
});

describe("a harmonization", () => {
  it("is shared, unshared, renamed, and deleted with its listings", async () => {
    const { id } = await make();
    await send(id, "share", { shared: "1" }, fay, 2);
    expect(await row(id)).toMatchObject({ isShared: true });
    await send(id, "share", { shared: "" });
    expect(await row(id)).toMatchObject({ isShared: false });
    await send(id, "rename", { name: "  Shops\u0000\r\nof 2026 " });
    await send(id, "rename", { name: " " });
    expect(await row(id)).toMatchObject({ name: "Shops of 2026" });
    expect(await send(id, "delete")).toEqual([[303, "/harmonizations"]]);
    expect(await row(id)).toMatchObject({ state: "deleting" }); // a worker deletes its rows
    expect((await fay.get(`/harmonizations/${id}`)).status).toBe(404);
    const told = "“Shops of 2026” is deleted.";
    const lists = [await fay.get("/harmonizations"), await fay.get("/harmonizations")];
    expect(lists.map(({ body }) => body.includes(told))).toEqual([true, false]);
  });

  it("is changed by nobody but its owner, shared or not, and not without a CSRF token", async () => {
    const { id } = await make({ isShared: true, state: "matching" });
    const before = await row(id);
    for (const verb of [
      "pause",
      "resume",
      "cancel",
      "retry",
      "annotate",
      "undo-adding",
      "share",
      "rename",
      "delete",
      "cuts",
      "add",
    ]) {
      const [[status] = []] = await send(id, verb, { acceptFrom: "0.9", reviewFrom: "0.3", name: "x" }, gus);
      expect([verb, status]).toEqual([verb, 404]);
      await fay.post(`/harmonizations/${id}/${verb}`, { acceptFrom: "0.9", reviewFrom: "0.3", name: "x" });
    }
    expect(await row(id)).toEqual(before);
  });
});

describe("adding what has no match", () => {
  it("asks for a category, and starts only once", async () => {
    const { id } = await make();
    await prisma.listing.updateMany({
      where: { harmonizationId: id, query: { path: ["name"], equals: "Unknown 0" } },
      data: { query: { name: "Unknown 0", near: "Boston" } },
    });
    expect((await fay.get(`/harmonizations/${id}`)).body).toMatch(/1 row has no position and must be .*Add 20 as new/s);
    const page = await fay.get(`/harmonizations/${id}/add`);
    expect(page.body).toContain("Add 20 as new");
    expect(page.body).toContain("1 more row has no position and must be");
    const category = /name="categoryId".*?<option value="([0-9a-f]+)"/s.exec(page.body)?.[1] ?? "";
    for (const categoryId of ["", "none-of-them"]) expect(await send(id, "add", { categoryId })).toEqual([[400, ""]]);
    expect(await row(id)).toMatchObject({ state: "ready" });
    await send(id, "add", { categoryId: category }, fay, 2);
    expect(await row(id)).toMatchObject({
      state: "adding",
      task: { kind: "add", categoryId: category, accountId: owner },
    });
  });

  it("reports its result, like annotating", async () => {
    const add = await make({
      task: {
        kind: "add",
        accountId: owner,
        since: "",
        report: { added: 1200, matched: 1, review: 0, heldBack: 0, left: 0, failed: 2 },
      },
    });
    const { body } = await fay.get(`/harmonizations/${add.id}`);
    expect(body).toContain("1,200 venues added; 1 already in the directory; 2 not added (their rows say why).");
    const annotate = await make({
      task: { kind: "annotate", accountId: owner, since: "", problem: { code: "no_provider" } },
    });
    expect((await fay.get(`/harmonizations/${annotate.id}`)).body).toContain(
      "No provider id is reserved for this Samespot.",
    );
  });
});
