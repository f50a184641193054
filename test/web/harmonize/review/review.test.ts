import { beforeEach, describe, expect, test } from "vitest";
import { Prisma } from "../../../../src/db/generated/client.ts";
import { type MadeListing, makeCandidate, makeHarmonization } from "../../../harmonize/rows.ts";
import { answers, answersError } from "../../../support/fake-directory/behaviours.ts";
import type { HttpClient, Page } from "../../../support/http-client.ts";
import { startWeb } from "../../web-app.ts";

const web = await startWeb();
const { prisma } = web.database;
const fay = await web.logIn();
const fayId = (await prisma.account.findFirstOrThrow()).id;
web.directory.signIn("Ben");
const ben = await web.logIn();

const doubtful = (name: string, weights: Record<string, number> = { phone: -1 }): MadeListing => ({
  name,
  candidates: [makeCandidate("v1", 0.6, weights), makeCandidate("v2", 0.3)],
});
const make = (listings: MadeListing[], more: object = {}) =>
  makeHarmonization(web.database, fayId, listings, { directory: web.directory.baseUrl, isShared: true, ...more });
let id = "";
beforeEach(async () => {
  web.directory.reset();
  web.directory.offerProposals();
  id = (await make([doubtful("One"), doubtful("Two", { zip: 1 }), doubtful("Three")])).id;
});
const row = (number = 1) =>
  prisma.listing.findUniqueOrThrow({ where: { harmonizationId_number: { harmonizationId: id, number } } });
const at = (path: string) => `/harmonizations/${id}${path}`;
const pathOf = ({ location }: Page) => location.replace(web.url, "");
const open = async (browser: HttpClient, path = "/review") => browser.follow(await browser.get(at(path)));
const decide = (browser: HttpClient, page: Page, number: number, fields: Record<string, string>) =>
  browser.submit(page, at(`/listings/${number}`), fields);

describe("the review", () => {
  test("starts with the first listing, and each decision leads to the next, up to the end", async () => {
    const first = await fay.get(at("/review"));
    expect([first.status, pathOf(first)]).toEqual([303, at("/review/1")]);
    const card = await fay.follow(first);
    expect(card.body).toContain("<b>1</b> of 3 to review");
    const second = await decide(fay, card, 1, { decision: "matched", venueId: "v2" });
    expect([second.status, pathOf(second)]).toEqual([303, at("/review/2")]);
    const third = await decide(fay, await fay.follow(second), 2, { decision: "rejected" });
    const last = await fay.follow(third);
    expect(last.body).toContain("<b>3</b> of 3 to review");
    expect(last.body).toContain("“Two” left without a venue");
    const end = await fay.follow(await decide(fay, last, 3, { decision: "skip" }));
    expect(end.body).toContain("That was the last for now");
    expect(end.body).toContain("Review the one skipped");
    expect(await row(1)).toMatchObject({ decision: "matched", venueId: "v2", decidedBy: fayId });
    const again = await decide(fay, await open(fay), 3, { decision: "rejected" });
    expect((await fay.follow(again)).body).toMatch(/All done.*3 rows are decided.*Fay/s);
  });

  test("shows the accepted candidate in the results, also if it is not the best one", async () => {
    await decide(fay, await open(fay), 1, { decision: "matched", venueId: "v2" });
    const { body } = await fay.get(at("?show=matched"));
    expect([body.includes(">Venue v2</a>"), body.includes(">Venue v1</a>")]).toEqual([true, false]);
  });

  test("shows listing and candidate side by side, with reasons, other columns, and the previous edition", async () => {
    await prisma.listing.updateMany({
      where: { harmonizationId: id, number: 1 },
      data: { decision: "rejected", decidedAt: new Date(), decidedBy: fayId, decidedHow: "person" },
    });
    id = (await make([doubtful("One")], { previousId: id })).id;
    const { body } = await open(fay);
    for (const text of ["<mark>One<span", "Venue v1", "different phone", "Likely · 60 % sure", "own-1"])
      expect(body).toContain(text);
    expect(body).toContain("In the previous edition: No venue by Fay.");
    expect(body).toContain(`href="${at("/review?reason=phone-")}"`);
  });

  test("shows a warning, as text, for a number whose digits a spreadsheet dropped", async () => {
    const cells = ["own-1", "One", "41.8", "-71.4", "1 Main Street", "4.01E+09"];
    const header = ["id", "name", "lat", "lng", "address", "phone <b>"];
    id = (await make([{ ...doubtful("One"), more: { cells } }, doubtful("Two")], { header })).id;
    const said = "“phone &lt;b&gt;” reads 4.01E+09 because a spreadsheet dropped the digits";
    expect((await fay.get(at("/review/1"))).body).toContain(said);
    expect((await fay.get(at("/review/2"))).body).not.toContain("digits");
    id = (await make([{ ...doubtful("One"), more: { cells: cells.with(5, "95588") } }], { header })).id;
    const unread = "“phone &lt;b&gt;” reads 95588: no telephone number can be read from it";
    expect((await fay.get(at("/review/1"))).body).toContain(unread);
  });

  test("shows the beginning of a cell that is too long for a name or an address, on the card and in the list of results", async () => {
    const long = `${"x".repeat(199)}😀${"y".repeat(4000)}`;
    const cells = ["own-1", long, "41.8", "-71.4", long, ""];
    id = (await make([{ name: "One", more: { status: "failed", query: Prisma.DbNull, cells } }])).id;
    for (const path of ["/review/1?show=failed", "?show=failed"]) {
      const { body } = await fay.get(at(path));
      expect(body).toContain(`${"x".repeat(199)}…</`);
      expect(body.replace(/<(?:input|textarea|dd)[^>]*>[^<]*/g, "")).not.toContain("yyy");
    }
  });

  test("C72: marks a position by the address, on the card and in the list of results", async () => {
    const query = { name: "One", near: "Providence", byAddress: { lat: 41.5, lng: -71.25, estimated: true } };
    id = (await make([{ ...doubtful("One"), more: { query } }])).id;
    const said = "estimated between house numbers of the street, 41.50000, -71.25000";
    const card = (await fay.get(at("/review/1"))).body;
    expect(card).toContain(`This row has no usable position. Position from the directory: ${said}.`);
    expect(card).toContain("41.50000, -71.25000 from the address");
    expect(card).toContain("Your row, by its address");
    expect((await fay.get(at("?show=review"))).body).toContain(`position: ${said}`);
  });

  test("shows the town of a row that has no position and no candidate, and so does the form that adds it", async () => {
    const center = { lat: 41.7, lng: -71.52 };
    const names = { name: "West Warwick", displayName: "West Warwick", matchedName: "", highlightedName: "" };
    const feature = { ...names, cc: "US", woeType: 7, slug: "", id: "1", longId: "1", geometry: { center } };
    const geocode = { what: "", where: "west warwick", feature, parents: [] };
    const found = answers(200, { meta: { code: 200 }, response: { venues: [], geocode } });
    web.directory.behave("/v2/venues/search", found);
    const query = { name: "One", near: "West Warwick, RI", city: "West Warwick", state: "RI" };
    id = (await make([{ name: "One", more: { query, cells: [] } }])).id;
    for (const path of ["/review/1?show=none", "/listings/1/add"]) {
      expect((await fay.get(at(path))).body).toContain('data-lat="41.7" data-lng="-71.52"');
      const asked = web.directory.requests.filter(({ path }) => path === "/v2/venues/search");
      expect(asked.at(-1)?.params.near).toBe("West Warwick, RI");
    }
  });

  test("C73: names the sources of the candidates once, as text", async () => {
    const [first, second] = doubtful("One").candidates ?? [];
    const credited = [first, second].flatMap((each) => each ?? []).map((each) => ({ ...each, credit: "© <Somebody>" }));
    id = (await make([{ name: "One", candidates: credited }])).id;
    const { body } = await fay.get(at("/review/1"));
    expect(body.split("© &lt;Somebody&gt;")).toHaveLength(2);
    expect((await fay.get(at("/listings/1/add"))).body).toContain("© &lt;Somebody&gt;");
  });

  test("may be limited to one outcome or one reason", async () => {
    const card = await open(fay, "/review?reason=zip%2B");
    expect(card.url).toBe(web.url + at("/review/2?reason=zip%2B"));
    expect(card.body).toContain("Only where the postal code counts for the best candidate");
    expect(card.body).toContain("<b>1</b> of 1 to review");
    const end = await fay.follow(await decide(fay, card, 2, { decision: "rejected" }));
    expect(end.body).toContain("Review the others");
    expect((await open(fay, "/review?show=none")).body).toContain("No rows without a venue");
    expect((await fay.get(at("/review?show=odd"))).status).toBe(400);
    expect((await fay.get(at("/review?reason=%25"))).status).toBe(400);
  });

  test("keeps its order and filters from card to card, through an add and an undo, for those who look, too", async () => {
    const scores = [0.6, 0.7, 0.8, 0.65].map((score) => [makeCandidate("v1", score, { zip: 1 })]);
    id = (await make(scores.map((candidates, at) => ({ name: `Row ${at + 1}`, candidates })))).id;
    const first = await open(fay, "?show=review&from=61&sort=score");
    expect(first.body).toContain(`href="${at("/review?sort=score&amp;least=61")}">Review these`);
    const queue = "?sort=score&least=61";
    const card = await open(fay, `/review${queue}`);
    expect(card.url).toBe(web.url + at(`/review/3${queue}`));
    expect(card.body).toMatch(/61 % and more.*Show all/s);
    expect(card.body).toContain("<b>Surest first</b>");
    expect(card.body).toContain(`href="${at("/review?sort=town&amp;least=61")}"`);
    const second = await decide(fay, card, 3, { decision: "rejected" });
    expect(pathOf(second)).toBe(at(`/review/2${queue}`));
    const back = await fay.submit(await fay.follow(second), at("/undo"));
    expect(pathOf(back)).toBe(at(`/review/3${queue}`));
    const add = await fay.get(at(`/listings/2/add${queue}`));
    expect(add.body).toContain(`href="${at(`/review/2${queue.replace("&", "&amp;")}`)}"`);
    expect(fieldOf(add, "sort") + fieldOf(add, "least")).toBe("score61");
    const guest = await ben.get(at("/review?sort=odd"));
    expect(guest.status).toBe(400);
  });

  test("W152: leads to an edit of a candidate, which comes back to the same card, and nowhere else", async () => {
    const queue = "?sort=score";
    const venue = { id: "v1", name: "Venue v1", location: { lat: 41.82, lng: -71.41 }, categories: [] };
    const ok = (response: object) => answers(200, { meta: { code: 200 }, response });
    web.directory.behave("/v2/venues/v1", ok({ venue }));
    web.directory.behave(
      "/v2/venues/propose",
      ok({ proposal: { id: "5", venueId: "v1", state: "open", createdAt: 1_767_286_800, values: {} } }),
    );
    const href = `/venues/v1/edit?back=${encodeURIComponent(at(`/review/1${queue}`))}`;
    expect((await fay.get(at(`/review/1${queue}`))).body).toContain(`href="${href}"`);
    const form = await fay.get(href);
    expect(form.body).toContain(`href="${at(`/review/1${queue}`)}">Cancel`);
    const unchanged = await fay.submit(form, "/venues/v1/edit", {});
    expect([unchanged.status, fieldOf(unchanged, "back")]).toEqual([400, at(`/review/1${queue}`)]);
    const sent = await fay.submit(unchanged, "/venues/v1/edit", { phone: "401 555 0199", ll: "41.83,-71.41" });
    expect(pathOf(sent)).toBe(at(`/review/1${queue}`));
    expect((await fay.follow(sent)).body).toContain("Thank you.");
    const astray = await fay.get("/venues/v1/edit?back=https%3A%2F%2Fevil.test");
    expect(astray.body).not.toContain("evil.test");
  });

  test("undoes one step after another on the listing's card, and says when nothing is left", async () => {
    const next = await fay.follow(await decide(fay, await open(fay), 1, { decision: "rejected" }));
    const back = await fay.submit(next, at("/undo"));
    expect(pathOf(back)).toBe(at("/review/1"));
    const card = await fay.follow(back);
    expect(card.body).toContain("Undone.");
    expect(card.body).toContain("Venue v2");
    expect((await row()).decision).toBe(null);
    const none = await fay.follow(await fay.post(at("/undo"), { _csrf: fieldOf(card, "_csrf") }));
    expect(none.body).toContain("nothing to undo");
  });

  test("is not found for people who may not see the harmonization", async () => {
    await prisma.harmonization.update({ where: { id }, data: { isShared: false } });
    for (const path of ["/review", "/review/1", "/listings/1/family"])
      expect((await ben.get(at(path))).status).toBe(404);
    const _csrf = fieldOf(await ben.get("/settings"), "_csrf");
    for (const path of ["/listings/1", "/listings/1/lock", "/listings/1/family", "/undo"])
      expect((await ben.post(at(path), { _csrf, decision: "rejected", expected: "9" })).status).toBe(404);
    expect((await row()).decision).toBe(null);
    for (const path of ["/review/0", "/review/9", "/review/x"]) expect((await fay.get(at(path))).status).toBe(404);
  });
});

const fieldOf = ({ body }: Page, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? "";

describe("two reviewers", () => {
  test("get different listings, and can see but not decide the one that the other has", async () => {
    expect((await open(fay)).url).toContain("/review/1");
    expect((await open(ben)).url).toContain("/review/2");
    const seen = await ben.get(at("/review/1"));
    expect(seen.body).toContain("Fay has this row open.");
    expect(seen.body).not.toContain('name="decision"');
    const _csrf = fieldOf(seen, "_csrf");
    const refused = await ben.post(at("/listings/1"), { _csrf, decision: "rejected" });
    expect([refused.status, (await row()).decision]).toEqual([409, null]);
    expect(refused.body).toContain("Fay is reviewing this row.");
    expect((await ben.post(at("/listings/1/lock"), { _csrf })).status).toBe(409);
    expect((await ben.post(at("/listings/2/lock"), { _csrf })).status).toBe(204);
  });

  test("are told who was first if both decide the same card", async () => {
    const card = await open(fay);
    await prisma.listing.updateMany({ where: { harmonizationId: id }, data: { lockedUntil: new Date(0) } });
    await decide(ben, await open(ben), 1, { decision: "rejected" });
    const late = await decide(fay, card, 1, { decision: "matched", venueId: "v1" });
    expect(late.status).toBe(409);
    expect(late.body).toContain("Ben decided this a moment ago.");
    const changed = await decide(fay, late, 1, { decision: "matched", venueId: "v1" });
    expect([changed.status, (await row()).decision]).toEqual([303, "matched"]);
  });
});

describe("a match above the limit", () => {
  const sure = (candidates: MadeListing["candidates"], isClear: boolean): MadeListing => ({
    ...{ name: "One", candidates: candidates ?? [], more: { isClear } },
  });

  test("that is held back says so, with the candidate that is almost as likely or what speaks against it", async () => {
    const rivals = sure([makeCandidate("v1", 0.82, { name: 2 }), makeCandidate("v2", 0.79)], false);
    const part = sure([makeCandidate("v1", 0.98, { name: 2, zip: -1 }), makeCandidate("v2", 0.3)], false);
    id = (await make([rivals, part, doubtful("Three")])).id;
    const said = async (number: number) => (await fay.get(at(`/review/${number}`))).body;
    expect(await said(1)).toMatch(
      /Needs review: “Venue v2” is almost as likely, 79 %\..*Otherwise it would be accepted: 82 % reaches the limit of 77 %\./s,
    );
    expect(await said(2)).toMatch(
      /Needs review: different postal code\..*Otherwise it would be accepted: 98 % reaches the limit of 77 %\./s,
    );
    expect(await said(3)).not.toContain("Needs review");
    const list = (await fay.get(at("?show=review"))).body;
    for (const body of [await said(2), list]) {
      expect(body).toContain("98 % similar");
      expect(body).not.toContain("98 % sure");
    }
    expect(list).toContain("needs review: “Venue v2” is almost as likely, 79 %");
    expect(list).toContain("needs review: different postal code");
  });

  test("that is accepted says so, with the limit it reaches", async () => {
    id = (await make([sure([makeCandidate("v1", 0.98, { name: 2 })], true)])).id;
    const { body } = await fay.get(at("/review/1"));
    expect(body).toMatch(/Accepted by its score\..*98 % reaches the limit of 77 %\./s);
  });
});

describe("another venue", () => {
  const found = {
    id: "b9",
    name: "Found Books",
    location: { lat: 41.8, lng: -71.4, distance: 250, city: "Providence" },
  };
  const farther = { ...found, id: "b8", name: "Far Books", location: { ...found.location, distance: 21_000 } };
  const finds = (venues: object[]) =>
    web.directory.behave("/v2/venues/search", answers(200, { meta: { code: 200 }, response: { venues } }));

  test("is found by words near the listing, nearest first, and is not preselected", async () => {
    finds([farther, found]);
    const card = await open(fay, "/review/1?q=books");
    const asked = web.directory.requests.find(({ path }) => path === "/v2/venues/search")?.params;
    expect(asked).toMatchObject({ query: "books", ll: "41.821,-71.41" });
    expect(card.body).toMatch(/value="b9".*Found Books.*value="b8".*Far Books/s);
    expect(card.body).not.toMatch(/value="b[89]" checked/);
    web.directory.behave("/v2/venues/b9", answers(200, { meta: { code: 200 }, response: { venue: found } }));
    expect((await decide(fay, card, 1, { decision: "matched", venueId: "b9" })).status).toBe(303);
    expect(await row()).toMatchObject({ venueId: "b9", venueName: "Found Books", why: { code: "found_by_hand" } });
    const { body } = await fay.get(at("/review/1"));
    expect(body).toContain("Matched with “Found Books” by Fay.");
    expect(body).toMatch(/Because: chosen by search; names differ: “One” \/ “Found Books”;[^<]* 2\.5 km apart\./);
  });

  test("must exist in the directory, and cannot be chosen while the directory does not answer", async () => {
    const card = await open(fay);
    const unknown = await decide(fay, card, 1, { decision: "matched", venueId: "nowhere" });
    expect(unknown.status).toBe(404);
    expect(unknown.body).toContain("There is no such venue.");
    web.directory.behave("/v2/venues/search", answersError(503, "server_error"));
    const down = await fay.get(at("/review/1?q=books"));
    expect(down.status).toBe(503);
    expect(down.body).toContain("does not answer");
    expect(down.body).toContain('value="books"');
    expect(down.body).toContain("Venue v1");
    expect((await row()).decision).toBe(null);
  });

  test("C82: whom the directory refuses decides nothing more", async () => {
    web.directory.signIn("Cid");
    const cid = await web.logIn();
    const card = await open(cid);
    web.directory.revoke();
    expect((await cid.get(at("/review/1?q=books"))).body).toContain("Connect again");
    const decided = await decide(cid, card, 1, { decision: "rejected" });
    expect(decided.status, "the session is over").toBe(403);
  });
});

describe("the family", () => {
  test("is shown before it is decided, and undone in one step", async () => {
    const card = await open(fay);
    expect(card.body).toContain(`href="${at("/listings/1/family")}"`);
    const family = await fay.get(at("/listings/1/family"));
    expect(family.body).toContain("Same differences (2)");
    expect(family.body).toMatch(/>One<.*Venue v1.*different phone.*>Three</s);
    expect((await row()).decision).toBe(null);
    const next = await fay.submit(family, at("/listings/1/family"), { decision: "matched" });
    expect(pathOf(next)).toBe(at("/review/2"));
    expect((await row(3)).venueId).toBe("v1");
    const after = await fay.follow(next);
    expect(after.body).toContain("2 rows matched with the best candidates");
    expect((await fay.follow(await fay.submit(after, at("/undo")))).body).toContain("Undone: 2 rows are as they were.");
    expect((await row(3)).decision).toBe(null);
  });

  test("W31: a decision for all similar listings is offered only if there are others with the same reasons", async () => {
    for (const [number, isOffered] of [
      [1, true],
      [2, false],
      [3, true],
    ] as const) {
      const { body } = await fay.get(at(`/review/${number}`));
      expect(body).toContain('value="skip"');
      expect(body.includes(`href="${at(`/listings/${number}/family`)}"`)).toBe(isOffered);
    }
  });

  test("says if there are no others", async () => {
    expect((await fay.get(at("/listings/1/family?kind=same"))).body).toContain("No identical rows");
  });
});
