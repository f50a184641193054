import { beforeEach, expect, test } from "vitest";
import { type MadeListing, makeCandidate, makeHarmonization } from "../../../harmonize/rows.ts";
import { cutsAfter } from "../../../support/fake-directory/behaviours.ts";
import { formFields, type Page } from "../../../support/http-client.ts";
import { startWeb } from "../../web-app.ts";

const web = await startWeb();
const browser = await web.logIn();
const [account] = await web.database.prisma.account.findMany();
const CATEGORY = "fa4e000000000000000000c1";

beforeEach(() => web.directory.reset());

async function begin(listing: Partial<MadeListing> = {}, more: object = {}) {
  const directory = web.directory.baseUrl;
  const made = { name: "Blue Door Café", ...listing };
  const h = await makeHarmonization(web.database, account?.id ?? "", [made], { directory, ...more });
  const path = `/harmonizations/${h.id}/listings/1/add`;
  return { h, path };
}
const adds = () => web.directory.requests.filter(({ path }) => path === "/v2/venues/add");
const listingOf = async ({ id }: { id: string }) =>
  (await web.database.prisma.listing.findMany({ where: { harmonizationId: id } }))[0];
const chosen = (page: Page) => /name="primaryCategoryId".*?<option value="([^"]*)" selected/s.exec(page.body)?.[1];

test("the form is filled in from the listing, adds it once, and leads to the next listing", async () => {
  const { h, path } = await begin({}, { columns: { id: 0, name: 1, category: 4, url: 0 } });
  await web.database.pool.query("UPDATE app.listing SET cells = ARRAY['example.org', '', '', '', 'cafés', '']");
  const form = await browser.get(path);
  expect([form.status, chosen(form)]).toEqual([200, CATEGORY]);
  expect(formFields(form, path)).toMatchObject({
    ...{ name: "Blue Door Café", ll: "41.821,-71.41", address: "1 Main Street", phone: "+1 401 555 0100" },
    url: "https://example.org",
  });
  const added = await browser.submit(form, path, { primaryCategoryId: CATEGORY, name: "Blue Door" });
  expect([added.status, added.headers.get("location")]).toEqual([303, `/harmonizations/${h.id}/review?after=1`]);
  expect(await listingOf(h)).toMatchObject({ decision: "added", venueName: "Blue Door", decidedBy: account?.id });
  const again = await browser.submit(form, path, { primaryCategoryId: CATEGORY, name: "Blue Door" });
  expect([again.status, again.location, adds().length]).toEqual([303, added.location, 1]);
  const other = await browser.submit(form, path, { primaryCategoryId: CATEGORY, name: "Red Door" });
  expect([other.status, adds().length]).toEqual([409, 1]);
  expect(other.body).toContain("This row was already added, as “Blue Door”.");
});

test("similar venues are shown with a button each, and the listing is added only if they are rejected", async () => {
  const { h, path } = await begin({ name: "Corner Pharmacy" });
  const form = await browser.get(path);
  const page = await browser.submit(form, path, { primaryCategoryId: CATEGORY });
  expect(page.body).toContain("Is it one of these?");
  expect(formFields(page, `/harmonizations/${h.id}/listings/1`)).toMatchObject({ decision: "matched", seen: "" });
  expect(adds()).toEqual([]);
  expect((await browser.submit(page, path)).status).toBe(303);
  expect(adds()).toHaveLength(1);
});

test("candidates shown in the review are above the form, and not asked about again", async () => {
  const { path } = await begin({ candidates: [makeCandidate("c1", 0.4, { name: 1 }), makeCandidate("c2", 0.1)] });
  const form = await browser.get(path);
  expect(form.body).toContain("Similar venues");
  expect(form.body).toContain("Possible · 40 % sure");
  expect(formFields(form, path).seen).toBe("c1 c2");
});

test("an invalid field is explained, and the input is kept", async () => {
  const { path } = await begin();
  const page = await browser.submit(await browser.get(path), path, { ll: "91,0", crossStreet: "at Kept St" });
  expect([page.status, adds().length]).toEqual([400, 0]);
  expect(page.body).toContain("Latitude ranges from −90 to 90");
  expect(formFields(page, path)).toMatchObject({ crossStreet: "at Kept St", ll: "91,0" });
});

test("an add with a lost answer is reported, and not repeated at a directory without idempotency keys", async () => {
  const { h, path } = await begin({ name: "Lost Answer" });
  web.directory.behave("/v2/venues/add", cutsAfter(0));
  const page = await browser.submit(await browser.get(path), path, { primaryCategoryId: CATEGORY, city: "Kept" });
  expect([page.status, page.body.includes("The venue may have been added.")]).toEqual([503, true]);
  expect(formFields(page, path).city).toBe("Kept");
  expect((await browser.get(path)).body).toContain("This row is already being added.");
  await web.database.pool.query(
    `UPDATE app.listing SET adding = adding || '{"since": "2020-01-01T00:00:00Z"}' WHERE harmonization_id = $1`,
    [h.id],
  );
  expect((await browser.submit(page, path, { primaryCategoryId: CATEGORY })).status).toBe(303);
  expect(adds()).toHaveLength(1);
  expect(await listingOf(h)).toMatchObject({ decision: "added", venueName: "Lost Answer" });
});

test("a form sent after the session has ended is restored after the log-in", async () => {
  const { path } = await begin();
  const other = await web.logIn();
  const form = await other.get(path);
  other.cookies.clear();
  const reply = await other.submit(form, path, { city: "Zoë & Co", description: "Two\r\nlines" });
  const next = new URL(reply.location, web.url).searchParams.get("next") ?? "";
  expect(next).toMatch(new RegExp(`^${path}\\?form=`));
  const again = await other.follow(await other.get(await web.beginLogin(other, next)));
  expect(formFields(again, path)).toMatchObject({ city: "Zoë & Co", name: "Blue Door Café" });
  expect(again.body).toMatch(/>Two\r?\nlines</);
  expect(adds()).toEqual([]);
});

test("after a revoked token, 'Connect again' links back to the form", async () => {
  const { path } = await begin();
  web.directory.signIn("Vic");
  const vic = await web.logIn();
  await web.database.pool.query("UPDATE app.harmonization SET is_shared = true");
  const form = await vic.get(path);
  web.directory.revoke();
  const page = await vic.submit(form, path, { city: "Kept", primaryCategoryId: CATEGORY });
  expect(page.body).toContain("Connect again");
  expect(page.body).toContain(encodeURIComponent(`${path}?form=`));
});

test("a listing that somebody else decided meanwhile is not added", async () => {
  const { path } = await begin({ more: { decision: "matched", venueId: "v", venueName: "Elsewhere" } });
  const page = await browser.submit(await browser.get(path), path, { primaryCategoryId: CATEGORY });
  expect([page.status, page.body.includes("Elsewhere"), adds().length]).toEqual([409, true, 0]);
});

test("a listing that somebody else has open is not added; the page names the person and keeps the input", async () => {
  const { h, path } = await begin({ name: "Looked At" });
  await web.database.pool.query("UPDATE app.harmonization SET is_shared = true WHERE id = $1", [h.id]);
  const form = await browser.get(path);
  web.directory.signIn("Wil");
  const wil = await web.logIn();
  expect((await wil.get(path)).body).toContain("has this row open.");
  const { id: lockedBy } = await web.database.prisma.account.findFirstOrThrow({ where: { firstName: "Wil" } });
  await web.database.prisma.listing.updateMany({ where: { harmonizationId: h.id }, data: { lockedBy } });
  const refused = await browser.submit(form, path, { primaryCategoryId: CATEGORY, city: "Kept" });
  expect([refused.status, adds().length, formFields(refused, path).city]).toEqual([409, 0, "Kept"]);
  expect(refused.body).toContain("Wil has this row open.");
  await web.database.prisma.listing.updateMany({
    where: { harmonizationId: h.id },
    data: { lockedUntil: new Date(0) },
  });
  expect((await browser.submit(refused, path, { primaryCategoryId: CATEGORY })).status).toBe(303);
});

test("people who may review a harmonization may add from it; others may not", async () => {
  const { h, path } = await begin({ name: "Shared Place" });
  web.directory.signIn("Eve");
  const eve = await web.logIn();
  const own = await begin();
  const form = await browser.get(own.path);
  expect((await eve.get(path)).status).toBe(404);
  const stolen = {
    ...formFields(await eve.get("/settings"), "/logout"),
    name: "x",
    ll: "1,1",
    primaryCategoryId: CATEGORY,
  };
  expect((await eve.post(path, stolen)).status).toBe(404);
  for (const wrong of ["0", "2", "x", "1e3", "99999999999"])
    expect((await browser.get(path.replace("/1/", `/${wrong}/`))).status, wrong).toBe(404);
  await web.database.pool.query("UPDATE app.harmonization SET is_shared = true WHERE id = $1", [h.id]);
  const shared = await eve.get(path);
  expect((await eve.submit(shared, path, { primaryCategoryId: CATEGORY })).status).toBe(303);
  const eves = await web.database.prisma.account.findFirst({ where: { firstName: "Eve" } });
  expect((await listingOf(h))?.decidedBy).toBe(eves?.id);
  expect((await browser.post(own.path, { ...formFields(form, own.path), _csrf: "x" })).status).toBe(403);
});
