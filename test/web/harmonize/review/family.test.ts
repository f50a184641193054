import { expect, test } from "vitest";
import { makeCandidate, makeHarmonization } from "../../../harmonize/rows.ts";
import type { HttpClient, Page } from "../../../support/http-client.ts";
import { roundsOf } from "../../../support/rounds.ts";
import { startWeb } from "../../web-app.ts";

const web = await startWeb();
const { prisma } = web.database;
const people = [];
for (const name of ["Ada", "Ben"]) {
  web.directory.signIn(name);
  const browser = await web.logIn();
  const { id } = await prisma.account.findFirstOrThrow({ orderBy: { createdAt: "desc" } });
  people.push({ name, browser, id });
}
const [ada, ben] = people as [(typeof people)[number], (typeof people)[number]];
const ALL = 40;

async function makeFamily(): Promise<string> {
  const listings = Array.from({ length: ALL }, (_, at) => ({
    name: `Shop ${at}`,
    candidates: [makeCandidate(`v${at}`, 0.6, { phone: -1 })],
  }));
  const { id } = await makeHarmonization(web.database, ada.id, listings, {
    ...{ directory: web.directory.baseUrl, isShared: true },
  });
  return id;
}

const familyAt = (id: string, number: number) => `/harmonizations/${id}/listings/${number}/family`;
const shownIn = ({ body }: Page) =>
  [...body.matchAll(/name="row" value="(\d+)" checked/g)].map(([, row]) => Number(row));

/** Sends what a browser does of the form: only rows that are ticked, and `others` only if it is. */
async function decide(
  browser: HttpClient,
  page: Page,
  action: string,
  { rows = shownIn(page), ...more }: { rows?: number[]; others?: string; decision?: string; which?: string } = {},
): Promise<string> {
  const hidden = page.body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
  const form = new Map([...hidden].map(([, name = "", value = ""]) => [name, value.replaceAll("&amp;", "&")]));
  const fields = new URLSearchParams([...form, ...Object.entries({ decision: "matched", ...more })]);
  for (const row of rows) fields.append("row", String(row));
  return (await browser.follow(await browser.post(action, fields.toString()))).body;
}
const order = (browser: HttpClient, page: Page, action: string, decision: string): Promise<string> =>
  decide(browser, page, action, { decision });
const undo = async (browser: HttpClient, id: string): Promise<string> => {
  const page = await browser.follow(await browser.get(`/harmonizations/${id}/review`));
  return (await browser.follow(await browser.submit(page, `/harmonizations/${id}/undo`))).body;
};
const decidedBy = (id: string, decision: "matched" | "rejected", decidedBy: string) =>
  prisma.listing.count({ where: { harmonizationId: id, decision, decidedBy } });
const first = (id: string) => `${web.url}/harmonizations/${id}/review/`;

test("F31: two people who decide the same family differently at once both see the result, and each can undo their part", async () => {
  for (let round = 0; round < roundsOf(10, 3); round++) {
    const id = await makeFamily();
    const [mine, theirs] = [familyAt(id, 1), familyAt(id, 2)];
    // Each has their first listing open. Ben comes later, so Ada's family includes his.
    const [adas, bens] = [await ada.browser.get(mine), await ben.browser.get(theirs)];
    expect([adas.body, bens.body].map((body) => /(\d+) rows, each/.exec(body)?.[1])).toEqual(["40", "39"]);
    const [toAda, toBen] = await Promise.all([
      order(ada.browser, adas, mine, "matched"),
      order(ben.browser, bens, theirs, "rejected"),
    ]);
    const [matched, rejected] = [await decidedBy(id, "matched", ada.id), await decidedBy(id, "rejected", ben.id)];
    expect(matched + rejected).toBe(ALL);
    expect([1, 39]).toContain(matched);
    const look = `href="${first(id)}`;
    if (matched === 39) {
      expect(toAda).toMatch(/Matched: 39 of the 40 rows\. 1 (no longer belongs here|had already been decided)/);
      expect(toBen).toContain("Left without a venue: 1 of the 39 rows. 38 had already been decided by Ada.");
      expect(toBen).toMatch(new RegExp(`${look}3"[^>]*>See the first of these rows`));
    } else {
      expect(toBen).toContain("Left without a venue: 39 rows.");
      expect(toAda).toContain("Matched: 1 of the 40 rows. 39 had already been decided by Ben.");
      expect(toAda).toMatch(new RegExp(`${look}2"[^>]*>See the first of these rows`));
    }
    expect(await undo(ben.browser, id)).toContain(rejected === 1 ? "Undone." : "Undone: 39 rows");
    expect([await decidedBy(id, "matched", ada.id), await decidedBy(id, "rejected", ben.id)]).toEqual([matched, 0]);
    expect(await undo(ada.browser, id)).toContain(matched === 1 ? "Undone." : "Undone: 39 rows");
    expect(await prisma.listing.count({ where: { harmonizationId: id, decision: null } })).toBe(ALL);
  }
});

test("F31: deciding a family reports that somebody else has decided it or moved a cut meanwhile", async () => {
  const id = await makeFamily();
  const page = await ben.browser.get(familyAt(id, 2));
  await order(ada.browser, await ada.browser.get(familyAt(id, 1)), familyAt(id, 1), "matched");
  await prisma.harmonization.update({ where: { id }, data: { reviewFrom: 0.7 } });
  const told = await order(ben.browser, page, familyAt(id, 2), "rejected");
  expect(told).toContain("Left without a venue: none of the 40 rows. 39 had already been decided by Ada.");
  expect(told).toContain("1 no longer belongs here");
  expect(told).not.toContain(`action="/harmonizations/${id}/undo"`);
});

test("F31: deciding a family without interference reports the number of listings", async () => {
  const id = await makeFamily();
  const told = await order(ada.browser, await ada.browser.get(familyAt(id, 1)), familyAt(id, 1), "matched");
  expect(told).toContain("Matched: 40 rows.");
  expect(told).not.toContain("meanwhile");
});

test("F31: moving the cuts after somebody else did changes nothing and shows the current cuts", async () => {
  const id = await makeFamily();
  await prisma.listing.updateMany({ where: { harmonizationId: id }, data: { isClear: true } });
  const [here, there] = [
    await ada.browser.get(`/harmonizations/${id}?cut=77`),
    await ada.browser.get(`/harmonizations/${id}?cut=77`),
  ];
  const move = async (page: Page, reviewFrom: string) =>
    (await ada.browser.follow(await ada.browser.submit(page, `/harmonizations/${id}/cuts`, { reviewFrom }))).body;
  expect(await move(here, "40")).toContain("are accepted without review");
  expect(await move(there, "40")).toContain("are accepted without review");
  expect(await move(there, "10")).toContain("somebody set the limits to 77 % and 40 %.");
  expect(await prisma.harmonization.findUnique({ where: { id } })).toMatchObject({ reviewFrom: 0.4 });
});

test("F31: retrying or annotating after somebody else has started it reports that nothing was started", async () => {
  const id = await makeFamily();
  const { body } = await ada.browser.get(`/harmonizations/${id}`);
  const [, _csrf = ""] = /name="_csrf" value="([^"]+)"/.exec(body) ?? [];
  const press = async (verb: string) =>
    (await ada.browser.follow(await ada.browser.post(`/harmonizations/${id}/${verb}`, { _csrf }))).body;
  expect(await press("retry")).toContain("Nothing was started: it is already running");
  expect(await press("annotate")).not.toContain("Nothing was started");
  expect(await press("annotate")).toContain("Nothing was started: it is already running");
});

/** A family of scores in percent, in towns that are not in the order of the file. */
async function makeScored(scores: number[]): Promise<string> {
  const listings = scores.map((percent, at) => ({
    name: `Shop ${at + 1}`,
    candidates: [makeCandidate(`v${at + 1}`, percent / 100, { phone: -1 })],
    more: { query: { name: `Shop ${at + 1}`, city: `Town ${(at * 5) % scores.length}` } },
  }));
  const { id } = await makeHarmonization(web.database, ada.id, listings, { directory: web.directory.baseUrl });
  return id;
}
const matchedIn = async (id: string) => {
  const rows = await prisma.listing.findMany({ where: { harmonizationId: id, decision: "matched" } });
  return rows.map(({ number }) => number).sort((a, b) => a - b);
};
test("W89: of a family of eight the five ticked are matched, no other, and one undo restores them", async () => {
  const id = await makeScored([22, 80, 35, 78, 61, 48, 70, 66]);
  const path = familyAt(id, 1);
  const page = await ada.browser.get(path);
  expect(shownIn(page)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(await decide(ada.browser, page, path, { rows: [2, 4, 5, 7, 8] })).toContain("Matched: 5 rows.");
  expect(await matchedIn(id)).toEqual([2, 4, 5, 7, 8]);
  expect(await undo(ada.browser, id)).toContain("Undone: 5 rows");
  expect(await matchedIn(id)).toEqual([]);
});

test("W89: those from a number of percent are the rows that show it or more, sorted by score or town, at every number", async () => {
  const scores = [22, 58.5, 59.5, 60, 60.4, 59.4, 70, 70.5];
  const id = await makeScored(scores);
  for (const from of [1, 22, 23, 58, 59, 60, 61, 70, 71, 72, 99]) {
    const wanted = scores.flatMap((score, at) => (Math.round(score) >= from ? [at + 1] : []));
    expect([from, shownIn(await ada.browser.get(`${familyAt(id, 1)}?from=${from}`))]).toEqual([from, wanted]);
  }
  expect(shownIn(await ada.browser.get(`${familyAt(id, 1)}?from=60&order=score`))).toEqual([8, 7, 5, 4, 3]);
  expect(shownIn(await ada.browser.get(`${familyAt(id, 1)}?order=town`))).toEqual([1, 6, 3, 8, 5, 2, 7, 4]);
  const page = await ada.browser.get(`${familyAt(id, 1)}?from=60`);
  expect(await decide(ada.browser, page, familyAt(id, 1))).toContain("Matched: 5 rows.");
  expect(await matchedIn(id)).toEqual([3, 4, 5, 7, 8]);
});

test("W89: of the results, those from a number of percent are matched: the five right ones of eight, and at every number the rows that show it", async () => {
  const scores = [22, 80, 35, 78, 61, 48, 70, 66, 60.94, 60.96];
  const id = await makeScored(scores);
  const list = `/harmonizations/${id}`;
  const rowsOn = ({ body }: Page) => [...body.matchAll(/name="row" value="(\d+)\./g)].map(([, row]) => Number(row));
  const wantedFrom = (from: number) =>
    scores.flatMap((score, at) => (Math.round(score * 10) >= from * 10 ? [at + 1] : []));
  for (const from of [1, 22, 23, 48, 60, 61, 62, 78, 79, 80, 81, 99])
    expect([from, rowsOn(await ada.browser.get(`${list}?from=${from}`))]).toEqual([from, wantedFrom(from)]);
  expect(rowsOn(await ada.browser.get(`${list}?score=50&from=61`)), "within a band").toEqual([5, 8, 10]);
  expect(rowsOn(await ada.browser.get(`${list}?score=70&from=61`))).toEqual([2, 4, 7]);
  const open = await ada.browser.get(`${list}?show=review&town=Town%203&sort=score&narrow=1`);
  const form = /<form class="row facets-from"[\s\S]*?<\/form>/.exec(open.body)?.[0] ?? "";
  const fields = [...form.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, ...field]) => field);
  expect(Object.fromEntries(fields)).toEqual({ show: "review", town: "Town 3", sort: "score", narrow: "1" });
  expect(rowsOn(await ada.browser.get(`${list}?narrow=1&from=`)), "an empty field is none").toHaveLength(10);
  for (const from of ["0", "100", "x", "6.5"]) expect((await ada.browser.get(`${list}?from=${from}`)).status).toBe(400);
  await prisma.listing.deleteMany({ where: { harmonizationId: id, number: { gt: 8 } } });
  const page = await ada.browser.get(`${list}?show=review&from=61`);
  const action = `${list}/listings`;
  await decide(ada.browser, page, action, { rows: [], which: "all" });
  expect(await matchedIn(id)).toEqual([2, 4, 5, 7, 8]);
  expect(await undo(ada.browser, id)).toContain("Undone: 5 rows");
  expect(await matchedIn(id)).toEqual([]);
});

test("W89: of a family with more than a page, those not shown go along only if that is ticked, and never more than were counted", async () => {
  const id = await makeScored(Array.from({ length: 60 }, () => 60));
  const path = familyAt(id, 1);
  const page = await ada.browser.get(path);
  expect(page.body).toContain("also the 10 rows not shown");
  expect(await decide(ada.browser, page, path, { rows: [1, 2] })).toContain("Matched: 2 rows.");
  expect(await matchedIn(id)).toEqual([1, 2]);
  await undo(ada.browser, id);
  const again = await ada.browser.get(path);
  expect(await decide(ada.browser, again, path, { rows: [3], others: "9" })).toContain("There are now 11 rows.");
  // Another one of those ticked is gone, so that the sums agree.
  await prisma.listing.updateMany({ where: { harmonizationId: id, number: 4 }, data: { decision: "rejected" } });
  const unseen = await decide(ada.browser, again, path, { rows: [3, 4], others: "9" });
  expect(unseen).toContain("There are now 11 rows.");
  expect(await decide(ada.browser, again, path, { rows: [3], others: "10" })).toContain("Matched: 11 rows.");
  expect(await matchedIn(id)).toEqual([3, ...Array.from({ length: 10 }, (_, at) => 51 + at)]);
});

test("W89: ticks of rows that were not shown count for nothing, nor does a form without any", async () => {
  const id = await makeScored([50, 60, 70]);
  const path = familyAt(id, 1);
  const page = await ada.browser.get(`${path}?from=60`);
  expect(await decide(ada.browser, page, path, { rows: [] })).toContain("Tick rows first. Nothing was changed.");
  expect(await decide(ada.browser, page, path, { rows: [1] })).toContain("Tick rows first.");
  expect(await decide(ada.browser, page, path, { rows: [1, 3] })).toContain("Matched: 1 row.");
  expect(await matchedIn(id)).toEqual([3]);
});

test("W89: the results are sorted by score or town over several pages, forth and back, each listing once, with the filters kept", async () => {
  const scores = Array.from({ length: 120 }, (_, at) => (at * 37) % 97);
  const id = await makeScored(scores);
  const numbersOn = ({ body }: Page) => [...body.matchAll(/name="row" value="(\d+)\./g)].map(([, row]) => Number(row));
  const linkOn = ({ body }: Page, rel: string) =>
    new RegExp(`rel="${rel}" href="([^"]+)"`).exec(body)?.[1]?.replaceAll("&amp;", "&");
  const walk = async (start: string, rel: string) => {
    const pages: number[][] = [];
    for (let at: string | undefined = start, last = ""; at; last = at, at = linkOn(await ada.browser.get(at), rel)) {
      expect(at).not.toBe(last);
      pages.push(numbersOn(await ada.browser.get(at)));
    }
    return pages;
  };
  const numbers = scores.map((_, at) => at + 1);
  const byScore = numbers.toSorted((a, b) => (scores[b - 1] ?? 0) - (scores[a - 1] ?? 0) || a - b);
  const town = (number: number) => `Town ${((number - 1) * 5) % 120}`;
  const forth = await walk(`/harmonizations/${id}?sort=score`, "next");
  expect(forth.map(({ length }) => length)).toEqual([50, 50, 20]);
  expect(forth.flat()).toEqual(byScore);
  expect((await walk(`/harmonizations/${id}?sort=score&after=100`, "prev")).toReversed()).toEqual(forth);
  const townsOf = (rows: number[]) => rows.map(town);
  const byTown = (await walk(`/harmonizations/${id}?sort=town`, "next")).flat();
  const collate = new Intl.Collator("en").compare;
  expect(new Set(byTown).size).toBe(120);
  expect(townsOf(byTown)).toEqual(townsOf(numbers).toSorted(collate));
  const review = (await walk(`/harmonizations/${id}?sort=score&show=review`, "next")).flat();
  expect(review).toEqual(byScore.filter((number) => (scores[number - 1] ?? 0) >= 20));
});
