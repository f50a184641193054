import { expect, test } from "vitest";
import { decideMatches, MATCH_CUT } from "../../../src/matching/decide.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { startSamespot } from "../../support/samespot.ts";

// Uses our own directory, which knows whether a form has been added.
const site = await startSamespot();
const browser = createHttpClient(site.webUrl);
await logIn();

async function logIn() {
  const directory = createHttpClient(site.authUrl);
  const form = await directory.get((await browser.get("/login")).location);
  const dialog = await directory.follow(form);
  const consent = await directory.follow(await directory.submit(dialog, "/login", site.demo));
  const back = await directory.submit(consent, "/oauth2/consent", { decision: "allow" });
  await browser.get(back.location);
}

/** In the sample's town, so that there are neighbours, with a unique name. */
async function typed(name: string) {
  const form = await browser.get("/venues/new");
  const [, primaryCategoryId = ""] = /name="primaryCategoryId".*?<option value="([0-9a-f]{24})"/s.exec(form.body) ?? [];
  return { form, fields: { name, ll: "41.8240,-71.4128", primaryCategoryId } };
}

const venues = (name: string) => site.database.prisma.venue.count({ where: { name } });

test("a form leads to its one venue however often it is sent, also by a double click", async () => {
  const { form, fields } = await typed("Qwyxelblatt Zorn");
  const double = [browser.submit(form, "/venues", fields), browser.submit(form, "/venues", fields)];
  const replies = [...(await Promise.all(double)), await browser.submit(form, "/venues", fields)];
  expect(replies.map(({ status }) => status)).toEqual([303, 303, 303]);
  expect(new Set(replies.map(({ location }) => location)).size).toBe(1);
  expect(await venues(fields.name)).toBe(1);
  expect((await browser.follow(replies[2] ?? form)).body).toContain("Added.");
});

test("a form that was added in spite of similar venues leads to its venue when it is sent again", async () => {
  const first = await typed("Vunkelhof Prax");
  await browser.submit(first.form, "/venues", first.fields);
  const { form, fields } = await typed("Vunkelhof Prax");
  const page = await browser.submit(form, "/venues", fields);
  expect([page.status, await venues(fields.name)]).toEqual([200, 1]);
  expect(page.body).toContain("Is it one of these?");
  const added = await browser.submit(page, "/venues");
  const again = await browser.submit(form, "/venues", fields);
  expect([added.status, again.status, again.location]).toEqual([303, 303, added.location]);
  expect(await venues(fields.name)).toBe(2);
});

test("a venue is not added without a question if a likely match exists", async () => {
  const [likely] = await site.database.prisma.venue.findMany({ where: { city: "Providence" }, take: 1 });
  const { form, fields } = await typed(likely?.name ?? "");
  const ll = `${likely?.lat},${likely?.lng}`;
  const before = await site.database.prisma.venue.count();
  const page = await browser.submit(form, "/venues", { ...fields, ll });
  expect([page.status, page.body.includes("Is it one of these?")]).toEqual([200, true]);
  expect(await site.database.prisma.venue.count()).toBe(before);
  const listing = { name: "A", lat: 0, lng: 0 };
  const { matches } = decideMatches([
    { venue: listing, score: MATCH_CUT, mayBePart: false, needsReview: false, isAtAddress: false, evidence: [] },
  ]);
  expect(matches, "what counts as likely is what the directory takes for a duplicate").toHaveLength(1);
});
