import { beforeEach, expect, test } from "vitest";
import { answers, answersError } from "../../support/fake-directory/behaviours.ts";
import { formFields } from "../../support/http-client.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb();

const LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunter";
const location = { lat: 41.8236, lng: -71.4222, address: "12 Main St", city: "Providence", crossStreet: "at Elm St" };
const contact = { phone: "+14015550100", formattedPhone: "(401) 555-0100" };
const HERE = {
  id: "v1",
  name: `Corner <b>Café ${LONG}`,
  location,
  contact,
  categories: [],
  description: "Cake\nand tea",
};
const EDIT = "/venues/v1/edit";
const PROPOSAL = { id: "5", venueId: "v1", state: "open", createdAt: 1_767_286_800, values: { city: "Cranston" } };

const ok = (response: object) => answers(200, { meta: { code: 200 }, response });
const directoryHas = (venue: object) => web.directory.behave("/v2/venues/v1", ok({ venue }));
const sent = () =>
  web.directory.requests.filter(({ path }) => path === "/v2/venues/propose").map(({ params }) => params);

beforeEach(() => {
  web.directory.reset();
  web.directory.offerProposals();
  directoryHas(HERE);
  const alike = { ...HERE, id: "v2", name: "Corner Café", score: 0.8 };
  web.directory.behave("/v2/venues/search", ok({ venues: [alike] }));
  web.directory.behave("/v2/venues/propose", ok({ proposal: PROPOSAL }));
  web.directory.behave("/v2/users/self/proposals", ok({ proposals: { count: 1, items: [PROPOSAL] } }));
});

test("a member sends what is wrong with a venue, and only that, and sees what becomes of it", async () => {
  const member = await web.logIn();
  expect((await member.get("/venues/v1")).body).toContain(`href="${EDIT}"`);
  const page = await member.get(EDIT);
  expect(formFields(page, EDIT)).toMatchObject({ city: "Providence", phone: "(401) 555-0100", closed: "false" });
  const fields = {
    city: "Cranston",
    phone: "",
    url: "corner.example",
    ll: "41.9°, -71.4",
    description: "Cake\r\nand tea",
  };
  const done = await member.follow(
    await member.submit(page, EDIT, { ...fields, closed: "true", comment: "I was there." }),
  );
  expect(done.body).toContain("An operator of the directory decides on your proposal.");
  const [{ oauth_token, was, v, ...proposal } = {} as Record<string, string>] = sent();
  expect(proposal).toEqual({
    ...{
      venueId: "v1",
      city: "Cranston",
      empty: "phone",
      url: "https://corner.example",
      ll: "41.9,-71.4",
      closed: "true",
    },
    comment: "I was there.",
  });
  expect(JSON.parse(was ?? "")).toMatchObject({ city: "Providence", phone: "(401) 555-0100", ll: "41.8236,-71.4222" });
  const decided = { ...PROPOSAL, state: "declined", answer: "It is <i>Warwick." };
  web.directory.behave("/v2/users/self/proposals", ok({ proposals: { count: 1, items: [decided] } }));
  const text = (await member.get("/venues/v1")).body.replace(/\s+/g, " ");
  expect(text).toContain("City: <bdi>Cranston</bdi>");
  expect(text).toContain("“<bdi>It is &lt;i&gt;Warwick.</bdi>”");
  expect(text).toMatch(/<\/svg>\s*Declined/);
});

test("a member reports a duplicate by a button or by the address of the other venue, and an edit may be made at once", async () => {
  const member = await web.logIn();
  const page = await member.get(EDIT);
  expect(page.body).toContain('name="duplicateOf" value="/venues/v2"');
  const { _csrf = "" } = formFields(page, EDIT);
  for (const duplicateOf of ["/venues/v2", "https://samespot.example/venues/v2?x=1", " v2 "])
    expect((await member.post(EDIT, { _csrf, duplicateOf })).location).toBe(`${web.url}/venues/v1`);
  expect(sent().map(({ venueId, duplicateOf }) => [venueId, duplicateOf])).toEqual(Array(3).fill(["v1", "v2"]));
  web.directory.behave("/v2/venues/propose", answersError(400, "param_error"));
  const unknown = await member.post(EDIT, { _csrf, duplicateOf: "<b>" });
  expect([unknown.status, formFields(unknown, EDIT).city]).toEqual([400, "Providence"]);
  expect(unknown.body).toContain('value="&lt;b&gt;"');
  web.directory.behave("/v2/venues/propose", ok({ proposal: { ...PROPOSAL, state: "accepted" } }));
  const changed = await member.follow(await member.submit(page, EDIT, { city: "Cranston" }));
  expect(changed.body).toContain("The directory has the new values.");
});

test("C63: a form of another session, of a guest or with wrong values sends nothing and loses nothing", async () => {
  const member = await web.logIn();
  const page = await member.get(EDIT);
  const typed = { city: "Warwick <i>", phone: "none", name: "" };
  const wrong = await member.submit(page, EDIT, typed);
  expect([wrong.status, formFields(wrong, EDIT)]).toMatchObject([400, typed]);
  expect(wrong.body).toContain("Phone: write a number of 7 to 15 digits");
  const stale = await member.submit(page, EDIT, { ...typed, _csrf: "" });
  expect([stale.status, formFields(stale, EDIT)]).toMatchObject([403, typed]);
  const same = await member.submit(page, EDIT, { description: "Cake\r\nand tea" });
  expect([same.status, same.body.includes("Change at least one value first.")]).toEqual([400, true]);
  const guest = web.newBrowser();
  expect((await guest.get(EDIT)).location).toContain("/login");
  const fields = { ...formFields(page, EDIT), city: "Warwick <i>", comment: "Sure", description: "Cake\nand tea" };
  const next = new URL((await guest.post(EDIT, fields)).location).searchParams.get("next") ?? "";
  const kept = await member.get(next);
  expect(formFields(kept, EDIT)).toMatchObject({ city: "Warwick <i>", zip: "", phone: "(401) 555-0100" });
  expect(kept.body).toContain(">Sure</textarea>");
  expect((await member.get(`${EDIT}?form=nonsense`)).status).toBe(200);
  web.directory.behave("/v2/venues/propose", answersError(409, "other"));
  const refused = await member.submit(page, EDIT, { city: "Warwick <i>" });
  expect([refused.status, formFields(refused, EDIT)]).toMatchObject([400, { city: "Warwick <i>" }]);
  expect(sent()).toHaveLength(1);
});

test("C63: a directory that does not answer loses nothing of what was typed", async () => {
  const member = await web.logIn();
  const page = await member.get(EDIT);
  web.directory.behave("/v2/*", answersError(500, "server_error"));
  for (const path of ["/v2/venues/v1", "/v2/venues/propose"])
    web.directory.behave(path, answersError(500, "server_error"));
  const failed = await member.submit(page, EDIT, { city: "Warwick" });
  expect([failed.status, formFields(failed, EDIT)]).toMatchObject([503, { city: "Warwick", address: "12 Main St" }]);
  expect(JSON.parse(formFields(failed, EDIT).was ?? "")).toMatchObject({ city: "Providence" });
});

test("C63: a form that was opened before somebody else's change shows both values and takes over the rest", async () => {
  const member = await web.logIn();
  const page = await member.get(EDIT);
  directoryHas({ ...HERE, location: { ...location, city: "Cranston", postalCode: "02903" } });
  web.directory.behave("/v2/venues/propose", answersError(409, "other"));
  const refused = await member.submit(page, EDIT, { city: "Warwick", comment: "Sure" });
  expect(refused.status).toBe(409);
  expect(refused.body).toContain("City is now: Cranston");
  expect(formFields(refused, EDIT)).toMatchObject({ city: "Warwick", zip: "02903" });
  expect(refused.body).toContain(">Sure</textarea>");
  expect(JSON.parse(formFields(refused, EDIT).was ?? "")).toMatchObject({ city: "Cranston", zip: "02903" });
});

test("at a directory that takes no proposals a venue has no such form, and with one that fails its page is complete", async () => {
  const member = await web.logIn();
  web.directory.behave("/v2/users/self/proposals", answersError(500, "server_error"));
  expect((await member.get("/venues/v1")).body).toContain(`href="${EDIT}"`);
  web.directory.reset();
  directoryHas(HERE);
  const other = await startWebWithout();
  expect([other.page.body.includes("Suggest an edit"), other.form.status]).toEqual([false, 404]);
});

/** Features are remembered, so this is another app. */
async function startWebWithout() {
  const app = await startWeb();
  app.directory.behave("/v2/venues/v1", ok({ venue: HERE }));
  const member = await app.logIn();
  return { page: await member.get("/venues/v1"), form: await member.get(EDIT) };
}
