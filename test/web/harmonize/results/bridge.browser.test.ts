import { afterAll, describe, expect, test } from "vitest";
import { takeOver } from "../../../../src/harmonize/bridge/take-over.ts";
import type { Harmonizer } from "../../../../src/harmonize/run/deps.ts";
import type { Harmonization } from "../../../../src/harmonize/run/harmonizations.ts";
import { makeHarmonization } from "../../../harmonize/rows.ts";
import { expectPresentable, launchBrowser, openPage } from "../../../support/browser.ts";
import { formFields } from "../../../support/http-client.ts";
import { startRuns } from "../runs.ts";

const { web, gus, fay, owner } = await startRuns();
const browser = await launchBrowser();
afterAll(() => browser.close());
const directory = web.config.api.url;
const { prisma, pool } = web.database;

const LONG = `${"Donaudampfschifffahrtsgesellschaftskapitaenswitwenrentenamt"}x`;
const NAMES: Record<string, string> = { v1: "مقهى الشرق", v2: LONG };

/** What a worker does. */
const work = (h: Harmonization) => {
  const signal = new AbortController().signal;
  const venues = async (_auth: object, ids: string[]) =>
    ids.map((id) => ({
      venue: { id: id === "old" ? "v2" : id, name: NAMES[id] ?? `Venue ${id}`, closed: id === "shut" },
    }));
  const deps = {
    prisma,
    pool,
    directoryUrl: web.config.api.url,
    directory: { venues },
    authFor: async () => ({ token: "t" }),
  } as unknown as Harmonizer;
  return takeOver(deps, h, { signal, calls: signal });
};

const ROWS = "id,record_id\nv1,own-1\nold,own-2\nshut,own-3\nv1,stranger\nv1,=1+1\n";
const makeList = (name = "My shops.csv") =>
  makeHarmonization(
    web.database,
    owner,
    [{ name: "A" }, { name: LONG }, { name: "C" }, { name: "=", more: { ownId: "=1+1" } }],
    {
      ...{ directory, name },
    },
  );

describe("the page of decisions made elsewhere", () => {
  test("takes a file, shows what became of its rows in each width and colour scheme, and undoes its decisions", async () => {
    const page = await openPage(browser);
    await page.goto(`${web.url}/login?next=/settings`);
    const h = await makeList(`${LONG} مقهى.csv`);
    await page.goto(`${web.url}/harmonizations/${h.id}`);
    await page.getByText("More", { exact: true }).click();
    await page.getByRole("link", { name: "Import decisions" }).click();
    await expectPresentable(page, "bridge-empty");
    await page
      .getByLabel("File")
      .setInputFiles({ name: `${LONG}.csv`, mimeType: "text/csv", buffer: Buffer.from(ROWS) });
    await page.getByRole("button", { name: "Import" }).click();
    await page.getByText("0 of 5 rows looked up.").waitFor();
    const still = await page.context().newPage();
    await still.route("**/bridge", async (route) => {
      const response = await route.fetch();
      const { refresh, ...headers } = response.headers();
      expect(refresh).toBe("2");
      await route.fulfill({ response, headers });
    });
    await still.goto(page.url());
    await expectPresentable(still, "bridge-at-work");
    await still.close();
    await work(h);
    await page.getByText("Decided as in the file").waitFor(); // it refreshes by itself
    const table = await page.locator(".bridge tbody tr").allTextContents();
    expect(table.map((row) => row.replace(/\s+/g, " ").trim())).toEqual([
      "Decided as in the file3",
      "No row here has this record id1",
      "The venue has closed for good1",
    ]);
    await page.getByText("1 row named a venue that has since been merged into another").waitFor();
    await expectPresentable(page, "bridge-done");
    await page.goto(`${web.url}/harmonizations/${h.id}/review/2`);
    await page.getByText("decided elsewhere, imported from").first().waitFor();
    await page.goto(`${web.url}/harmonizations/${h.id}/bridge`);
    await page.getByRole("button", { name: "Undo all of these decisions" }).click();
    await page.getByText("The decisions are being undone.").waitFor();
    await work(h);
    await page.getByText("Undone: 3 rows as before.").waitFor();
    expect(await prisma.listing.count({ where: { harmonizationId: h.id, decision: { not: null } } })).toBe(0);
  });

  test("W24: offers all rows with their outcome as CSV, in which no cell is a formula", async () => {
    const h = await makeList();
    expect((await post(h.id, ROWS)).status).toBe(303);
    await work(h);
    const { headers, body } = await fay.get(`/harmonizations/${h.id}/bridge/rows`);
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const lines = body.trimEnd().split("\r\n");
    expect(lines).toHaveLength(6);
    expect(lines[2]).toBe(`3,own-2,old,v2,Venue old,decided,decided as in the file,`);
    expect(lines[5]).toBe("6,'=1+1,v1,v1,مقهى الشرق,decided,decided as in the file,");
  });

  test("reports a file that cannot be used on the page, and keeps the name of the data set", async () => {
    const h = await makeList();
    const { status, body } = await post(h.id, "id,record_id,dataset\na,own-1,x\n", "My <data>");
    expect(status).toBe(400);
    expect(body).toContain("has no rows of the data set “My &lt;data&gt;”");
    expect(body).toContain('value="My &lt;data&gt;"');
    expect((await post(h.id, "")).body).toContain("Choose a bridge file");
  });

  test("W08: is read-only for those with whom the list is shared, and not found for others", async () => {
    const h = await makeList();
    expect((await gus.get(`/harmonizations/${h.id}/bridge`)).status).toBe(404);
    await prisma.harmonization.update({ where: { id: h.id }, data: { isShared: true } });
    const { status, body } = await gus.get(`/harmonizations/${h.id}/bridge`);
    expect([status, body.includes("multipart/form-data")]).toEqual([200, false]);
    expect((await post(h.id, ROWS, "", gus)).status).toBe(404);
    const undo = { _csrf: formFields(await gus.get("/settings"), "/logout")._csrf ?? "" };
    expect((await gus.post(`/harmonizations/${h.id}/bridge/undo`, undo)).status).toBe(404);
  });
});

async function post(id: string, content: string, dataset = "", client = fay) {
  const body = new FormData();
  body.append("_csrf", formFields(await client.get("/settings"), "/logout")._csrf ?? "");
  body.append("dataset", dataset);
  body.append("file", new Blob([content]), content ? "bridge.csv" : "");
  const headers = { cookie: `samespot=${client.cookies.get("samespot")}`, origin: web.url };
  const reply = await fetch(`${web.url}/harmonizations/${id}/bridge`, {
    method: "POST",
    body,
    redirect: "manual",
    headers,
  });
  return { status: reply.status, body: await reply.text() };
}
