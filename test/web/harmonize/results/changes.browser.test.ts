import { parse } from "csv-parse/sync";
import { afterAll, describe, expect, test } from "vitest";
import { DirectoryError } from "../../../../src/directory-client/calls/errors.ts";
import { lookForChanges } from "../../../../src/harmonize/changes/look.ts";
import type { Harmonizer } from "../../../../src/harmonize/run/deps.ts";
import type { Harmonization } from "../../../../src/harmonize/run/harmonizations.ts";
import { makeCandidate, makeHarmonization } from "../../../harmonize/rows.ts";
import { expectPresentable, launchBrowser, openPage } from "../../../support/browser.ts";
import { formFields } from "../../../support/http-client.ts";
import { startRuns } from "../runs.ts";

const { web, gus, fay, owner } = await startRuns();
const browser = await launchBrowser();
afterAll(() => browser.close());
const directory = web.config.api.url;
const { prisma, pool } = web.database;

const LONG = "Donaudampfschifffahrtsgesellschaftskapitaenswitwenrentenamtes";
const OTHERS: Record<string, object> = {
  old: { id: "new", name: LONG },
  shut: { closed: true },
  far: { location: { lat: 41.83, lng: -71.41 } },
  other: { name: "مقهى الشرق" },
};

/** What a worker does. */
const work = (h: Harmonization) => {
  const signal = new AbortController().signal;
  const venues = async (_auth: object, ids: string[]) =>
    ids.map((id) => {
      if (id === "none") return { error: new DirectoryError("not_found") };
      return { venue: { id, name: `Venue ${id}`, location: { lat: 41.82, lng: -71.41 }, ...OTHERS[id] } };
    });
  const deps = {
    prisma,
    pool,
    directoryUrl: web.config.api.url,
    directory: { venues },
    authFor: async () => ({ token: "t" }),
  } as unknown as Harmonizer;
  return lookForChanges(deps, h, { signal, calls: signal });
};

const on = (id: string, name = `On ${id}`, ownId = id) => ({
  ...{ name, candidates: [makeCandidate(id, 0.95)] },
  more: { isClear: true, ownId },
});
const LISTINGS = [
  ...[on("same"), on("old", LONG), on("shut", "=cmd()", "=1+1"), on("none"), on("far"), on("other", "مقهى")],
  on("old", "A second one"),
];

describe("the page of changes", () => {
  test("looks at the venues, and shows what became of them in each width and colour scheme", async () => {
    const page = await openPage(browser);
    await page.goto(`${web.url}/login?next=/settings`);
    const h = await makeHarmonization(web.database, owner, LISTINGS, { directory, name: `${LONG}.csv` });
    await page.goto(`${web.url}/harmonizations/${h.id}`);
    await page.getByText("More", { exact: true }).click();
    await page.getByRole("link", { name: "Check for changes" }).click();
    await expectPresentable(page, "changes-before");
    await page.getByRole("button", { name: "Check for changes" }).click();
    await page.getByText("0 of 0 venues looked up so far.").waitFor();
    await work(h);
    await page.getByText("Last check:").waitFor(); // it refreshes by itself
    const tiles = (await page.locator(".tiles a").allTextContents()).map((text) => text.trim());
    expect(tiles).toEqual(["All changes 5", "Merged 1", "Closed 1", "No longer there 1", "Moved 1", "Renamed 1"]);
    await expectPresentable(page, "changes");
    await page.getByRole("link", { name: "Moved" }).click();
    const rows = await page.locator("tbody tr").allTextContents();
    expect(rows.map((row) => row.replace(/\s+/g, " ").trim())).toEqual(["On far far Venue far far Moved 1.1 km away"]);
    await page.getByRole("button", { name: "Check again" }).click();
    await page.getByText("Looking up the venues").waitFor();
    await work(h);
    await page.getByText("None of the venues has changed.").waitFor();
    await expectPresentable(page, "changes-none");
  });

  test("W24: is a CSV of the listings whose venues have changed, in which no cell is a formula", async () => {
    const h = await makeHarmonization(web.database, owner, LISTINGS, { directory });
    await look(h, fay);
    await work(h);
    const { body } = await fay.get(`/harmonizations/${h.id}/changes/download`);
    expect(body).toContain("4,'=1+1,'=cmd(),shut,closed,shut,Venue shut,Venue shut,0");
    const rows: Record<string, string>[] = parse(body, { columns: true, bom: true });
    expect(rows.map(({ line, change, venue_id_now: now }) => `${line} ${change} ${now}`)).toEqual([
      ...["3 merged new", "4 closed shut", "5 gone ", "6 moved far", "7 renamed other", "8 merged new"],
    ]);
    const json = JSON.parse((await fay.get(`/harmonizations/${h.id}/changes/download?format=json`)).body);
    const read = (json as Record<string, unknown>[]).map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? "" : String(value)])),
    );
    const plain = (row: Record<string, string>) =>
      Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cell.replace(/^'=/, "=")]));
    expect(read).toEqual(rows.map(plain));
  });

  test("has pages, each venue on one of them", async () => {
    const many = Array.from({ length: 60 }, () => on("none")).map((each, at) => ({
      ...each,
      more: { ...each.more, decision: "matched" as const, venueId: `shut-${at}`, venueName: "Shut" },
    }));
    for (const { more } of many) OTHERS[more.venueId] = { closed: true };
    const h = await makeHarmonization(web.database, owner, many, { directory });
    await look(h, fay);
    await work(h);
    const first = (await fay.get(`/harmonizations/${h.id}/changes?show=closed`)).body;
    const [, next = ""] = /rel="next" href="([^"]+)"/.exec(first) ?? [];
    const second = (await fay.get(next.replaceAll("&amp;", "&"))).body;
    const count = (body: string) => body.split('<th scope="row">').length - 1;
    expect([count(first), count(second), second.includes('rel="next"')]).toEqual([50, 10, false]);
    expect((await fay.get(`/harmonizations/${h.id}/changes?show=all`)).status).toBe(400);
  });

  test("W08: is read-only for those with whom the list is shared, and not found for others", async () => {
    const h = await makeHarmonization(web.database, owner, LISTINGS, { directory });
    expect((await gus.get(`/harmonizations/${h.id}/changes`)).status).toBe(404);
    await prisma.harmonization.update({ where: { id: h.id }, data: { isShared: true } });
    const { status, body } = await gus.get(`/harmonizations/${h.id}/changes`);
    expect([status, body.includes("Check for changes")]).toEqual([200, false]);
    expect((await look(h, gus)).status).toBe(404);
  });
});

const look = async ({ id }: Harmonization, client: typeof fay) => {
  const _csrf = formFields(await client.get("/settings"), "/logout")._csrf ?? "";
  return client.post(`/harmonizations/${id}/changes`, { _csrf });
};
