import { expect, test } from "vitest";
import { formFields, type HttpClient } from "../../../support/http-client.ts";
import { addVenue, operatorHost } from "./host.ts";

const host = await operatorHost();
const { prisma } = host.deps;
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
  expect(text).toContain("Changed. Below is what was there before.");
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
