import { expect, test } from "vitest";
import { editVenue } from "../../../../src/directory/corrections/edit.ts";
import { formFields, type HttpClient } from "../../../support/http-client.ts";
import { addVenue, operatorHost } from "./host.ts";

const host = await operatorHost();
const { prisma } = host.deps;
const PAGE = "/operator/venues";

const newVenue = (name: string) => addVenue(host, name);

test("an operator compares two venues, merges them, and reverts it", async () => {
  const [id, into] = [await newVenue("Corner <b>Café"), await newVenue("Corner Café")];
  const browser = await host.newOperator();
  const empty = (await browser.get(PAGE)).body;
  expect(empty).toContain("Nothing has been changed yet.");
  expect(empty).toContain('aria-current="page">Venues<');
  const page = await browser.get(`${PAGE}?${new URLSearchParams({ id: `http://localhost:3002/venues/${id}`, into })}`);
  const rows = page.body.replace(/\s+/g, " ");
  expect(rows).toContain(
    '<td class="words"><bdi>Corner &lt;b&gt;Café</bdi></td><td class="words"><bdi>Corner Café</bdi></td><td>differs</td>',
  );
  expect(rows).toMatch(/Address<\/th>.*1 Main St.*1 Main St.*?<td>same<\/td>/);
  const merged = await browser.follow(await browser.submit(page, `${PAGE}/merge`, {}));
  expect(merged.body).toContain("Merged. The old id leads to this venue from now on.");
  expect(merged.body.replace(/\s+/g, " ")).toContain(
    `<code class="small">${id}</code> into <code class="small">${into}</code>`,
  );
  expect(await prisma.venue.count()).toBe(1);
  const [change] = await prisma.venueChange.findMany();
  const revert = `/operator/changes/${change?.id}/revert`;
  const twice = await browser.submit(page, `${PAGE}/merge`, {});
  expect((await browser.follow(twice)).body).toContain(`The venue ${id} no longer exists`);
  const reverted = await browser.follow(await browser.submit(merged, revert, {}));
  expect(reverted.body).toContain("Reverted. The venue is as it was before");
  expect(reverted.body).toContain("by <bdi>olga</bdi>");
  expect(await prisma.venue.count()).toBe(2);
  expect((await browser.follow(await browser.submit(merged, revert, {}))).body).toContain("has already been reverted");
  const { _csrf = "" } = formFields(page, `${PAGE}/merge`);
  for (const unknown of ["999", "x"])
    expect((await browser.post(`/operator/changes/${unknown}/revert`, { _csrf })).status).toBe(404);
  expect(host.logs.lines.filter((line) => line.includes("an operator changed a venue"))).toHaveLength(2);
});

test("an operator who types an unknown id or the same venue twice is told so", async () => {
  const id = await newVenue("Lonely Café");
  const browser = await host.newOperator();
  const unknown = await browser.get(`${PAGE}?id=../x&into=${id}`);
  expect([unknown.status, unknown.body.includes("The directory has no venue with this id or name.")]).toEqual([
    200,
    true,
  ]);
  const same = (await browser.get(`${PAGE}?id=${id}&into=${id}`)).body;
  expect([same.includes("This is the same venue."), same.includes("Side by side")]).toEqual([true, false]);
});

test("an edit is in the history with what was there before and after, and an operator reverts it", async () => {
  const id = await newVenue("Edited Café");
  const browser = await host.newOperator();
  const wanted = { city: "<b>Providence", closed: "true" };
  await editVenue(host.deps, { id, wanted, was: undefined }, { userId: "pete", clientId: null, isOperator: true });
  const page = await browser.get(`${PAGE}?id=${id}`);
  expect(page.body).toContain("City: <bdi>none</bdi> → <bdi>&lt;b&gt;Providence</bdi>");
  expect(page.body).toContain("Status: <bdi>open</bdi> → <bdi>closed for good</bdi>");
  const change = await prisma.venueChange.findFirstOrThrow({ where: { venueId: id } });
  await browser.submit(page, `/operator/changes/${change.id}/revert`, {});
  expect(await prisma.venue.findUnique({ where: { id } })).toMatchObject({ city: null, closedAt: null });
});

test("an operator finds venues by their names, chooses one for each field, and merges them", async () => {
  const [id, into] = [await newVenue("Lighthouse <b>Books"), await newVenue("Lighthouse Bookshop")];
  const browser = await host.newOperator();
  const found = await browser.get(`${PAGE}?${new URLSearchParams({ id: "lighthouse", into: "lighthouse bookshop" })}`);
  const row = (name: string) => `<bdi>${name}</bdi></a><br><span class="small muted"><bdi>`;
  expect(found.body).toContain(`${row("Lighthouse &lt;b&gt;Books")}`);
  expect(found.body).toContain("1 Main St");
  expect(found.body).toContain("Choose the venue that stays");
  const links = [...found.body.matchAll(/class="btn btn-small" href="([^"]*)"/g)].map(([, href = ""]) => href);
  const chosen = links.find((href) => href.includes(`id=${id}`))?.replaceAll("&amp;", "&") ?? "";
  const next = await browser.get(chosen);
  expect(next.body).not.toContain("Choose the venue, or the duplicate");
  const both = await browser.get(`${PAGE}?${new URLSearchParams({ id, into })}`);
  expect(both.body).toContain("Side by side");
  const away = { id: "lighthouse", near: "0, 0" };
  expect((await browser.get(`${PAGE}?${new URLSearchParams(away)}`)).body).toContain("no venue with this id or name");
  const nowhere = await browser.get(`${PAGE}?${new URLSearchParams({ id: "lighthouse", near: "Nowhereville" })}`);
  expect(nowhere.body).toContain("The directory does not know this place.");
});

test.each([
  (id: string) => `https://app.example/venues/${id}?from=search#map`,
  (id: string) => `http://localhost:3002/venues/${id}/`,
  (id: string) => `https://app.example/venues/${id}/edit`,
  (id: string) => ` ${id} `,
])("an operator may paste the address of a venue's page: %s", async (typed) => {
  const id = await newVenue("Pasted Café");
  const browser = await host.newOperator();
  const { body } = await browser.get(`${PAGE}?${new URLSearchParams({ id: typed(id) })}`);
  expect(body).toContain(`href="/operator/venues/edit?id=${id}"`);
});
const EDIT = "/operator/venues/edit";
const open = async (browser: HttpClient, id: string) => browser.get(`${EDIT}?id=${id}`);
const row = (id: string) => prisma.venue.findUnique({ where: { id } });

test("an operator edits, moves and closes a venue on a page, sees both states in the history, and reverts", async () => {
  const id = await addVenue(host, "Corner <b>Café");
  const before = await row(id);
  const browser = await host.newOperator();
  const found = (await browser.get(`/operator/venues?id=${id}`)).body;
  expect(found).toContain(`href="${EDIT}?id=${id}"`);
  const page = await open(browser, id);
  expect(page.body).toContain('value="Corner &lt;b&gt;Café"');
  const changes = { name: "Corner Bakery", ll: "48.1, 11.5", phone: "+49 89 5550123", closed: "true" };
  const changed = await browser.follow(await browser.submit(page, EDIT, changes));
  const text = changed.body.replace(/\s+/g, " ");
  expect(text).toContain("Changed. The earlier values are below.");
  expect(text).toContain("Name: <bdi>Corner &lt;b&gt;Café</bdi> → <bdi>Corner Bakery</bdi>");
  expect(text).toContain("Status: <bdi>open</bdi> → <bdi>closed for good</bdi>");
  expect(await row(id)).toMatchObject({ name: "Corner Bakery", lat: 48.1, lng: 11.5, address: "1 Main St" });
  const reopened = await browser.submit(await open(browser, id), EDIT, { closed: "false" });
  expect([reopened.status, (await row(id))?.closedAt]).toEqual([303, null]);
  for (const change of await prisma.venueChange.findMany({ where: { venueId: id }, orderBy: { id: "desc" } }))
    await browser.submit(await browser.get("/operator/venues"), `/operator/changes/${change.id}/revert`, {});
  expect(await row(id)).toEqual(before);
});

test("C60: a form that was opened before another operator's change shows both and loses nothing, and takes over the rest", async () => {
  const id = await addVenue(host, "Harbor Books");
  const [browser, other] = [await host.newOperator(), await host.newOperator()];
  const late = await open(browser, id);
  await other.submit(await open(other, id), EDIT, { city: "Cranston", zip: "02903" });
  const refused = await browser.submit(late, EDIT, { city: "Warwick <i>", phone: "+1 401 555 0123" });
  expect(refused.status).toBe(409);
  expect(refused.body).toContain("Somebody else changed this venue.");
  expect(refused.body).toContain("City is now: Cranston");
  expect(formFields(refused, EDIT)).toMatchObject({ city: "Warwick <i>", zip: "02903", phone: "+1 401 555 0123" });
  expect(await row(id)).toMatchObject({ city: "Cranston", phone: null });
  expect((await browser.submit(refused, EDIT, {})).status).toBe(303);
  expect(await row(id)).toMatchObject({ city: "Warwick <i>", zip: "02903", phone: "+1 401 555 0123" });
});

test("values that cannot be stored are named beside their fields, with all that was typed", async () => {
  const id = await addVenue(host, "Pier Inn");
  const browser = await host.newOperator();
  const page = await open(browser, id);
  const refused = await browser.submit(page, EDIT, { name: "", phone: "none", city: "Bristol" });
  expect([refused.status, formFields(refused, EDIT)]).toMatchObject([400, { phone: "none", city: "Bristol" }]);
  expect(refused.body).toContain("Name is required");
  expect(refused.body).toContain("Phone must hold a telephone number");
  const same = await browser.submit(page, EDIT, {});
  expect([same.status, same.body.includes("The venue already has these values.")]).toEqual([409, true]);
  expect((await open(browser, "../x")).status).toBe(404);
  const { _csrf = "" } = formFields(page, EDIT);
  expect((await browser.post(EDIT, { _csrf, id: "0123456789abcdef01234567" })).status).toBe(404);
  expect((await browser.post(EDIT, { ...formFields(page, EDIT), _csrf: "" })).status).toBe(403);
  expect(await prisma.venueChange.count({ where: { venueId: id } })).toBe(0);
});
