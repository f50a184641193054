import { describe, expect, it } from "vitest";
import { copyRows } from "../../../../src/harmonize/file/copy-rows.ts";
import { receiveFile } from "../../../../src/harmonize/file/receive.ts";
import { newTrial } from "../../../../src/harmonize/file/trial.ts";
import { loadHarmonization } from "../../../../src/harmonize/run/harmonizations.ts";
import { FILE_LIMITS } from "../../../../src/shared/file-limits.ts";
import { makeHarmonization } from "../../../harmonize/rows.ts";
import { formFields } from "../../../support/http-client.ts";
import { manyListings, startRuns } from "../runs.ts";

const { web, gus, fay, owner } = await startRuns();
const { prisma, pool } = web.database;
const directory = web.config.api.url;
const deps = { prisma, pool, databaseUrl: web.config.databaseUrl ?? "", directoryUrl: directory };

const make = (more: object = {}, listings = manyListings()) =>
  makeHarmonization(web.database, owner, listings, { directory, format: FORMAT, ...more });
const FORMAT = { encoding: "windows-1252", separator: ";", hasHeader: true };
const row = (id: string) => prisma.harmonization.findUniqueOrThrow({ where: { id } });
const pathOf = (id: string) => `/harmonizations/${id}`;

/** Presses the button on the page, and follows it. */
async function beginAgain(id: string, at = pathOf(id)) {
  const pressed = await fay.submit(await fay.get(at), `${pathOf(id)}/again`);
  return { id: pressed.location.split("/").at(-1) ?? "", page: await fay.follow(pressed) };
}

describe("beginning again with other columns", () => {
  it("creates a draft of the same rows and columns, and leaves the first run unchanged", async () => {
    const { id } = await make();
    const before = [await row(id), await prisma.listing.findMany({ where: { harmonizationId: id } })];
    const draft = await beginAgain(id);
    expect(draft.id).not.toBe(id);
    expect(draft.page.body).toMatch(
      /This is a new draft of the same rows, .* choose it below under “A new edition of”/,
    );
    expect(draft.page.body).toMatch(/<bdi>phone<\/bdi>.*?value="phone" selected.*?401 555 0100/s);
    expect(draft.page.body).toMatch(new RegExp(`<option value="${id}" selected>shops.csv, `));
    const chosen = { "column-0": "id", "column-1": "name", "column-4": "address", "column-5": "" };
    const other = { ...chosen, "column-2": "lng", "column-3": "lat", previous: id, action: "start" };
    await fay.submit(draft.page, `${pathOf(draft.id)}/columns`, other);
    expect(await row(draft.id)).toMatchObject({
      ...{ state: "reading", previousId: id, columns: { id: 0, name: 1, lng: 2, lat: 3, address: 4 } },
      format: { ...FORMAT, encoding: "utf-8" },
    });
    const after = { ...(await row(id)), usedAt: null };
    expect([after, await prisma.listing.findMany({ where: { harmonizationId: id } })]).toEqual(before);
  });

  it("is offered only to the owner of a shared run", async () => {
    const { id } = await make({ isShared: true });
    const { body } = await fay.get(pathOf(id));
    expect(body).toContain("/again");
    expect((await gus.get(pathOf(id))).body).not.toContain("/again");
    const count = await prisma.harmonization.count();
    const { _csrf = "" } = formFields(await gus.get("/settings"), "/logout");
    expect((await gus.post(`${pathOf(id)}/again`, { _csrf })).status).toBe(404);
    expect((await fay.post(`${pathOf(id)}/again`, {})).status).toBe(403);
    expect(await prisma.harmonization.count()).toBe(count);
  });

  it("is offered for a shifted file", async () => {
    const shifted = manyListings().slice(0, 30);
    const { id } = await make({}, shifted);
    await pool.query(
      `UPDATE app.listing SET candidates = jsonb_set(candidates, '{0,lat}', to_jsonb((query -> 'll' ->> 'lat')::float8 + 0.01))
        WHERE harmonization_id = $1`,
      [id],
    );
    await pool.query(
      `UPDATE app.listing SET candidates = jsonb_set(candidates, '{0,lng}', query -> 'll' -> 'lng') WHERE harmonization_id = $1`,
      [id],
    );
    const draft = await beginAgain(id, `${pathOf(id)}/conflicts`);
    expect(await row(draft.id)).toMatchObject({ state: "draft", accountId: owner });
    await prisma.harmonization.update({ where: { id }, data: { isShared: true } });
    const others = (await gus.get(`${pathOf(id)}/conflicts`)).body;
    expect([others.includes("is shifted"), others.includes("/again")]).toEqual([true, false]);
  });

  it("of a file that is being read or is a draft changes nothing and says what to do", async () => {
    const { id } = await make();
    const page = await fay.get(pathOf(id));
    const again = async (state: "reading" | "draft") => {
      await prisma.harmonization.update({ where: { id }, data: { state } });
      return fay.follow(await fay.submit(page, `${pathOf(id)}/again`));
    };
    const count = await prisma.harmonization.count();
    expect((await again("reading")).body).toContain("is still being read");
    expect((await again("draft")).url).toBe(`${web.url}${pathOf(id)}`);
    expect(await prisma.harmonization.count()).toBe(count);
  });
});

describe("beginning again of a large file", () => {
  const large = async () => make({ size: 100_000_000n });
  const press = async (id: string) => fay.submit(await fay.get(pathOf(id)), `${pathOf(id)}/again`);

  it("shows the progress of copying, creates one draft for two clicks, and then shows the draft", async () => {
    const { id } = await large();
    const [first, second] = [await press(id), await press(id)];
    expect(first.location).toMatch(/^http.*\/harmonizations\//);
    expect(second.location).toBe(first.location);
    const next = first.location.split("/").at(-1) ?? "";
    expect(await row(next)).toMatchObject({ state: "reading", name: "shops.csv", accountId: owner });
    const page = await fay.follow(first);
    expect(page.body).toContain("Reading the file");
    expect(page.body).toContain("0 of about 120 rows read");
    expect((await fay.get("/harmonizations")).body).toContain(`href="${pathOf(next)}"`);
    const copying = await loadHarmonization(deps, next);
    if (copying) await copyRows(deps, copying, { signal: new AbortController().signal });
    const draft = await fay.get(pathOf(next));
    expect(draft.body).toMatch(/This is a new draft of the same rows, .* choose it below under “A new edition of”/);
    expect((await press(id)).location).toBe(first.location);
  });

  it("can be cancelled, and can be repeated from the cancelled run", async () => {
    const { id } = await large();
    const next = (await press(id)).location.split("/").at(-1) ?? "";
    await fay.submit(await fay.get(pathOf(next)), `${pathOf(next)}/pause`);
    expect(await row(next)).toMatchObject({ state: "reading", pausedFor: "person" });
    await fay.submit(await fay.get(pathOf(next)), `${pathOf(next)}/cancel`);
    const cancelled = await fay.get(pathOf(next));
    expect([cancelled.status, cancelled.body.includes("cancelled")]).toEqual([200, true]);
    const third = (await press(next)).location.split("/").at(-1) ?? "";
    expect(await row(third)).toMatchObject({ state: "reading", task: { from: id, total: 120 } });
  });
});

describe("the name of a draft", () => {
  async function draft() {
    const bytes = (async function* () {
      yield Buffer.from("id,name,lat,lng,note\n1,Joe,41.82,-71.41,x\n2,Ann,41.8,-71.4,y\n");
    })();
    const id = await receiveFile(
      { prisma, pool, directoryUrl: directory, limits: FILE_LIMITS },
      { accountId: owner, name: "a.csv", bytes, signal: new AbortController().signal },
    );
    return { id, page: await fay.get(pathOf(id)), columns: `${pathOf(id)}/columns` };
  }
  const CHOSEN = { "column-0": "", "column-1": "name", "column-2": "lng", "column-3": "lat", "column-4": "phone" };

  it("is changed together with the chosen columns", async () => {
    const { id, page, columns } = await draft();
    expect(page.body).toMatch(/<input id="name" name="name" form="columns"[^>]* value="a\.csv">/);
    const first = /<button[^>]*form="columns"[^>]*>|<form[^>]*id="columns".*?<button[^>]*>/s.exec(page.body)?.[0];
    expect(first, "pressed by Enter").toContain('value="rename"');
    const renamed = await fay.submit(page, columns, { ...CHOSEN, action: "rename", name: " B\u0000 " });
    expect((await fay.follow(renamed)).body).toContain("The file is now called B.");
    expect(await row(id)).toMatchObject({ name: "B", columns: { name: 1, lng: 2, lat: 3, phone: 4 } });
    const nameless = await fay.submit(page, columns, { ...CHOSEN, action: "rename", name: " " });
    expect((await fay.follow(nameless)).body).toContain("The name was not changed");
    await fay.submit(page, columns, { ...CHOSEN, action: "save", name: "C" });
    expect(await row(id)).toMatchObject({ name: "C" });
  });

  it("is changed even if the columns are invalid, which are shown as chosen", async () => {
    const { id, page, columns } = await draft();
    const refused = await fay.submit(page, columns, { ...CHOSEN, "column-0": "name", action: "rename", name: "B" });
    expect([refused.status, refused.body]).toEqual([400, expect.stringContaining("<h1><bdi>B</bdi></h1>")]);
    expect(refused.body).toMatch(/<bdi>note<\/bdi>.*?value="phone" selected/s);
    expect((await row(id)).name).toBe("B");
  });

  it("can be changed without losing the result of a trial", async () => {
    const { id, page, columns } = await draft();
    const trial = { ...newTrial(), state: "done", total: 2, done: 2, examples: [] };
    await prisma.harmonization.update({ where: { id }, data: { trial } });
    const guessed = Object.entries(Object((await row(id)).columns)).map(([field, index]) => [`column-${index}`, field]);
    await fay.submit(page, columns, { ...Object.fromEntries(guessed), action: "rename", name: "B" });
    expect(await row(id)).toMatchObject({ name: "B", trial: { state: "done" } });
    await fay.submit(page, columns, { ...CHOSEN, action: "rename", name: "B" });
    expect(await row(id)).toMatchObject({ trial: null, columns: { phone: 4 } });
  });
});
