import { describe, expect, test } from "vitest";
import { venueResponse } from "../../../src/contract/resources.ts";
import { type Answer, addedVenues, apiHost, categoryId, freshVenue, venueOf, venuesOf } from "./host.ts";

const host = await apiHost();
const PATH = "/v2/venues/add";
function expectRefused(answer: Answer, word: string): void {
  expect(answer.body.meta).toMatchObject({ code: 400, errorType: "param_error" });
  expect(answer.body.meta.errorDetail).toContain(word);
}

describe("venues/add", () => {
  test.each(["GET", "POST"])("by %s returns 200 with the complete venue", async (method) => {
    const given = freshVenue({
      address: "1 Main St",
      crossStreet: "at Elm St",
      city: "Springfield",
      state: "RI",
      zip: "02903",
      phone: "+1 (401) 555-0100",
      twitter: "@thespot",
      description: "Coffee & more",
      url: "https://spot.example/?a=1",
    });
    const answer = await host.asUser(PATH, given, { method });
    const { venue } = venueResponse.parse(answer.body.response);
    expect(answer.status).toBe(200);
    expect(venue).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: given.name,
      contact: { phone: "+14015550100", formattedPhone: "+1 (401) 555-0100", twitter: "thespot" },
      location: {
        address: "1 Main St",
        crossStreet: "at Elm St",
        city: "Springfield",
        state: "RI",
        postalCode: "02903",
        distance: 0,
        formattedAddress: ["1 Main St (at Elm St)", "Springfield, RI 02903"],
      },
      categories: [{ name: "Coffee Shop", primary: true }],
      description: "Coffee & more",
      url: "https://spot.example/?a=1",
      createdAt: expect.closeTo(Date.now() / 1000, -2),
    });
  });

  test.each([
    ["0571-82360875；15355037795", "057182360875"],
    ["（0571）82360875", "057182360875"],
    ["٠٢١-١٢٣٤٥٦٧٨", "02112345678"],
    ["+44 (0)20 7946 0000 ext. 12", "+442079460000"],
    ["Tel. 401–555–0100", "4015550100"],
  ])("keeps the phone %s as it is written, and answers its first number in digits", async (given, phone) => {
    const { contact } = venueOf(await host.asUser(PATH, freshVenue({ phone: given })));
    expect(contact).toMatchObject({ phone, formattedPhone: given });
  });

  test("accepts a POST with all parameters in the query and an empty body", async () => {
    const { token } = host.user;
    const answer = await host.send("POST", PATH, { v: "20260101", oauth_token: token, ...freshVenue() });
    expect(answer.status).toBe(200);
  });

  test("makes the venue available to every search and by its id at once", async () => {
    const given = freshVenue();
    const added = venueOf(await host.asUser(PATH, given));
    const ll = String(given.ll);
    const name = String(given.name);
    const found = await Promise.all([
      host.userless("/v2/venues/search", { ll, limit: 1 }),
      host.userless("/v2/venues/search", { ll, query: name }),
      host.userless("/v2/venues/search", { ll, name, intent: "match" }),
      host.userless("/v2/venues/search", { query: name, intent: "global" }),
      host.userless("/v2/venues/search", { ll, categoryId: categoryId("Coffee Shop"), limit: 1 }),
    ]);
    for (const answer of found) expect(venuesOf(answer)[0]?.id).toBe(added.id);
    expect(venueOf(await host.userless(`/v2/venues/${added.id}`))).toMatchObject({ id: added.id, name });
  });

  test.each(["name", "ll", "primaryCategoryId"])("requires %s", async (field) => {
    const { [field]: _, ...rest } = freshVenue();
    expectRefused(await host.asUser(PATH, rest), `${field} is required`);
  });

  test.each([
    ["name", "   "],
    ["name", "x".repeat(201)],
    ["primaryCategoryId", "ffffffffffffffffffffffff"],
    ["primaryCategoryId", "__proto__"],
    ["url", "javascript:alert(1)"],
    ["url", "ftp://spot.example"],
    ["url", "spot.example"],
    ["url", "https://user:secret@spot.example/"],
    ["url", "https://user@spot.example/"],
    ["url", "https://spot.example/\u0000"],
    ["url", "https://spot.example/a\nb"],
    ["url", `https://spot.example/${"x".repeat(10_000)}`],
    ["phone", "call me"],
    ["phone", "123"],
    ["phone", "+1 401 555 0100 0100 0100"],
    ["twitter", "two words"],
    ["twitter", "<b>"],
    ["zip", "<>"],
    ["zip", "-"],
    ["description", "x".repeat(301)],
    ["ignoreDuplicates", "yes"],
  ])("rejects %s %s", async (field, value) => {
    const before = await addedVenues(host);
    expectRefused(await host.asUser(PATH, freshVenue({ [field]: value })), field);
    expect(await addedVenues(host)).toBe(before);
  });

  test.each([
    "!!!",
    "🍕🍕",
    "\u200b",
    "\u2060\u00ad",
    "\u3164",
    "\uffa0\u115f",
    "\u034f",
    "\ue000",
    "\u2800",
    "\u02bc",
    "\u0301".repeat(180),
  ])("rejects the name %j, which has nothing to compare", async (name) => {
    const before = await addedVenues(host);
    expectRefused(await host.asUser(PATH, freshVenue({ name })), "name must hold a letter or a digit");
    expect(await addedVenues(host)).toBe(before);
  });

  test.each(["7", "Ⅳ", "居", "ก", "ء", "①"])("accepts the name %s", async (name) => {
    expect((await host.asUser(PATH, freshVenue({ name }))).status).toBe(200);
  });

  test("accepts a URL with an @ after the host", async () => {
    const url = "https://spot.example/@spot?mail=a@b.example";
    expect(venueOf(await host.asUser(PATH, freshVenue({ url }))).url).toBe(url);
  });

  test.each([
    'O\'Brien "Bar" <script>alert(1)</script>',
    "$1 % _ \\ {{7*7}}",
    "'); DROP TABLE directory.venue; --",
    "星巴克咖啡",
    "Zoë’s Café",
  ])("stores the name %s unchanged", async (name) => {
    const { id } = venueOf(await host.asUser(PATH, freshVenue({ name })));
    expect(venueOf(await host.userless(`/v2/venues/${id}`)).name).toBe(name);
  });

  test("adds venues that a search finds across the 180th meridian", async () => {
    const east = venueOf(await host.asUser(PATH, { ...freshVenue(), ll: "-17.5,179.999" }));
    const west = venueOf(await host.asUser(PATH, { ...freshVenue(), ll: "-17.5,-179.998" }));
    const [first, second] = venuesOf(await host.userless("/v2/venues/search", { ll: "-17.5,-179.9999" }));
    expect([first?.id, second?.id]).toEqual([east.id, west.id]);
    expect(first?.location?.distance).toBeLessThan(200);
  });
});
