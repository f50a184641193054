import { beforeAll, beforeEach, expect, test } from "vitest";
import { answers, answersError } from "../support/fake-directory/behaviours.ts";
import { formFields, type HttpClient } from "../support/http-client.ts";
import { startWeb } from "../web/web-app.ts";
import { outsideBrackets } from "./outside.ts";

const web = await startWeb({ env: { LANGUAGES: "en-XA,es" } });
let member: HttpClient;

const ok = (response: object) => answers(200, { meta: { code: 200 }, response });
const VENUE = {
  ...{ id: "v1", name: "Zafari 1", contact: { phone: "+14015550100" }, description: "Zafari 2", closed: true },
  location: { lat: 41.8236, lng: -71.4222, distance: 1234, address: "Zafari 3", city: "Zafari 4", state: "ZZ" },
  categories: [
    { id: "c1", name: "Coffee Shop" },
    { id: "c2", name: "Zoo" },
  ],
};
const EVIDENCE = [
  { comparison: "name", weight: 2, text: "names similar except “Zafari 1” / “Zafari 5”" },
  { comparison: "distance", weight: -2, text: "1.2 km apart" },
];
const ALIKE = { ...VENUE, id: "v2", name: "Zafari 5", score: 0.8, evidence: EVIDENCE };
const PROPOSAL = {
  id: "5",
  venueId: "v1",
  createdAt: 1_767_286_800,
  values: { city: "Zafari 6", primaryCategoryId: "c1" },
};
const LISTING = "intent=match&name=Zafari+1&ll=41.8236,-71.4222&address=Zafari+3&zip=02903";

beforeAll(async () => {
  member = await web.logIn();
});
beforeEach(() => {
  web.directory.reset();
  web.directory.offerProposals();
  web.directory.behave("/v2/venues/v1", ok({ venue: VENUE }));
  web.directory.behave("/v2/venues/search", ok({ venues: [ALIKE], confident: true }));
  const items = ["open", "accepted", "declined"].map((state) => ({ ...PROPOSAL, state, answer: "Zafari 7" }));
  web.directory.behave("/v2/users/self/proposals", ok({ proposals: { count: 3, items } }));
});

/** Names that people, other directories and browsers have. */
const NAMES = [
  "Zafari",
  "ZZ",
  "Corner Coffee",
  "Harbor Books",
  "Providence",
  "Fay",
  "localhost",
  "Pseudo-language",
  "Español",
  "https:",
  " km",
];
const outside = (body: string) => outsideBrackets(body.replace(/<time.*?<\/time>/gs, ""), NAMES);

test.each([
  "/",
  "/settings",
  "/venues",
  "/venues?query=Zafari&ll=41.8236,-71.4222",
  "/venues?ll=x",
  "/venues?intent=match",
  `/venues?${LISTING}`,
  `/venues?${LISTING}&phone=1`,
  "/venues/v1",
  "/venues/v1/edit",
  "/venues/new",
])("%s shows no words outside the catalogue but names", async (path) => {
  const { body } = await member.get(path);
  expect([body.includes("⟦"), outside(body)]).toEqual([true, []]);
});

test("the pages of guests, of a failure of the directory and of forms with errors show no words outside the catalogue", async () => {
  expect(outside((await member.get("/", { cookie: "" })).body)).toEqual([]);
  const form = await member.get("/venues/new");
  const wrong = await member.submit(form, "/venues", { name: "!", ll: "x", zip: "!", phone: "x", url: "x y" });
  expect([wrong.status, outside(wrong.body)]).toEqual([400, []]);
  const edit = await member.get("/venues/v1/edit");
  const unchanged = await member.submit(edit, "/venues/v1/edit", formFields(edit, "/venues/v1/edit"));
  expect([unchanged.status, outside(unchanged.body)]).toEqual([400, []]);
  web.directory.behave("/v2/venues/search", answersError(500, "server_error"));
  const failed = await member.get("/venues?query=Zafari&ll=41.8236,-71.4222");
  expect([failed.status, outside(failed.body)]).toEqual([503, []]);
});

test("reasons, categories, distances and headings of venues are in Spanish for a Spanish browser", async () => {
  const spanish = (path: string) => member.get(path, { "accept-language": "es" });
  const body = (await spanish(`/venues?${LISTING}`)).body;
  for (const words of [
    "Cafetería",
    "nombres iguales salvo «Zafari 1» / «Zafari 5»",
    "a 1,2 km de distancia",
    "Probable · 80 % de certeza",
  ])
    expect(body).toContain(words);
});
