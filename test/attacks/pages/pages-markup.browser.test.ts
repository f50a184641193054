import type { Page } from "playwright-core";
import { afterAll, beforeEach, expect, it } from "vitest";
import { launchBrowser, openPage } from "../../support/browser.ts";
import { answers } from "../../support/fake-directory/behaviours.ts";
import { roundsOf } from "../../support/rounds.ts";
import { startWeb } from "../../web/web-app.ts";
import { expectInert, lend } from "../inert.ts";
import { PAYLOADS } from "../payloads.ts";

const web = await startWeb();
const browser = await launchBrowser();
afterAll(() => browser.close());
beforeEach(() => web.directory.reset());

const ok = (response: object) => answers(200, { meta: { code: 200 }, response });

/** Returns a venue with `text` in every field. Its URL is a link only if `url` is. */
const venueOf = (text: string, id = text) => ({
  id,
  name: text,
  url: text,
  description: text,
  contact: { phone: text, twitter: text },
  location: {
    address: text,
    city: text,
    state: text,
    postalCode: text,
    country: text,
    lat: 41.8,
    lng: -71.4,
    formattedAddress: [text, text],
  },
  categories: [
    { ...categoryOf(text), primary: true },
    { ...categoryOf(text), id: "other" },
  ],
  evidence: [{ comparison: "name", weight: 1, text }],
  score: 0.4,
});
const categoryOf = (text: string) => ({
  ...{ id: text, name: text, pluralName: text, shortName: text, categories: [] },
  icon: { prefix: text, suffix: text },
});

/** Makes the directory return one of these texts in every field except names of users. */
function says(texts: string[]): void {
  const venues = texts.map((text) => venueOf(text));
  const items = venues.map((venue, index) => ({ id: `${index}`, createdAt: 1_790_000_000, shout: venue.name, venue }));
  web.directory.behave("/v2/venues/search", ok({ venues }));
  web.directory.behave("/v2/venues/categories", ok({ categories: texts.map(categoryOf) }));
  web.directory.behave("/v2/users/self/checkins", ok({ checkins: { count: 50, items } }));
  texts.forEach((text, index) => {
    web.directory.behave(`/v2/venues/v${index}`, ok({ venue: venueOf(text) }));
  });
}

// Differences are highlighted, so the name shares no word with a payload.
const LISTING = { name: "Zebra", ll: "41.8,-71.4" };
const LISTS = [
  ...["/", "/venues?query=qqq&ll=41.8,-71.4&limit=50", "/venues/new?ll=41.8,-71.4", "/checkins"],
  `/venues?intent=match&${new URLSearchParams(LISTING)}`,
];

/**
 * Returns tag and attribute names of every element as a browser parses the HTML. Leaves out the last searches, whose
 * number depends on the pages before (test/web/venues/search.test.ts tests them), and the marked words of a venue that is
 * compared with one that also says a payload (the page of a match shows the same table).
 */
const shapesOf = (page: Page, htmls: string[]) =>
  page.evaluate(
    (all) =>
      all.map((html) => {
        const parsed = new DOMParser().parseFromString(html, "text/html");
        for (const part of parsed.querySelectorAll("[aria-label='Recent searches'], [aria-labelledby=alike] .compare"))
          part.remove();
        return [...parsed.querySelectorAll("*")]
          .map((each) => [each.tagName, ...each.getAttributeNames().sort()].join(" "))
          .join("\n");
      }),
    htmls,
  );

it("W03: texts of a hostile directory never become markup, a script or a link", async () => {
  expect(new Set(PAYLOADS).size).toBe(50);
  const page = await openPage(browser);
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    return dialog.dismiss();
  });
  const member = await web.logIn();
  await lend(page, web.url, member);
  await page.goto(`${web.url}/settings`);

  const venuePages = PAYLOADS.map((_, index) => `/venues/v${index}`);
  const read = async (texts: string[]) => {
    says(texts);
    const { prisma } = web.database;
    const form = await member.get("/venues/new");
    const fields = { ...LISTING, primaryCategoryId: "c" };
    const htmls = [form.body, (await member.submit(form, "/venues", fields)).body];
    for (const path of [...LISTS, ...venuePages]) htmls.push((await member.get(path)).body);
    for (const [index, text] of texts.entries()) {
      await prisma.account.updateMany({ data: { firstName: text, handle: text } });
      htmls.push((await member.get("/settings")).body);
      const detail = { meta: { code: 400, errorType: "other", errorDetail: text }, response: {} };
      web.directory.behave(`/v2/venues/v${index}`, answers(400, detail));
      htmls.push((await member.get(`/venues/v${index}`)).body);
    }
    return { htmls, shapes: await shapesOf(page, htmls) };
  };
  const plain = await read(PAYLOADS.map((_, index) => `plain ${index}`));
  const evil = await read(PAYLOADS);
  expect(evil.htmls.length).toBe(2 + 5 + 50 * 3);
  expect(evil.htmls.every((html) => /hacked|&lt;|script/.test(html))).toBe(true);
  evil.shapes.forEach((shape, index) => {
    expect(shape, evil.htmls[index]?.slice(0, 200)).toBe(plain.shapes[index]);
  });

  says(PAYLOADS);
  for (const path of [...LISTS, ...venuePages.slice(0, roundsOf(50, 5))]) {
    await page.goto(web.url + path);
    await expectInert(page, path);
  }
  expect(dialogs).toEqual([]);
});

/** Texts without markup that provoke each kind of error. */
const HARMLESS = ["plain: 1", "plain", "~", "a\tb\nc", "x".repeat(120)];

it("W04: a text typed into an address or a form is shown as text", async () => {
  const page = await openPage(browser);
  const member = await web.logIn();
  const [venue = ""] = /\/venues\/[0-9a-f]{24}/.exec((await member.get("/venues?ll=41.8,-71.4")).body) ?? [];
  await lend(page, web.url, member);
  await page.goto(`${web.url}/settings`);
  const read = async (texts: string[]) => {
    const htmls: string[] = [];
    for (const text of texts) {
      const code = encodeURIComponent(text);
      const packed = Buffer.from(JSON.stringify({ name: text, ll: text, url: text, addKey: text })).toString(
        "base64url",
      );
      const paths = [
        ...[
          `/venues?query=${code}&ll=${code}`,
          `/venues?query=${code}&ll=41.8,-71.4`,
          `/venues?near=${code}&limit=${code}`,
          `/venues?intent=match&name=Corner%20${code}&ll=41.8,-71.4&address=${code}&city=${code}`,
          `/venues?intent=match&name=${code}&near=${code}&zip=${code}&phone=${code}&minScore=${code}`,
        ],
        ...[`/venues/new?name=${code}&ll=${code}&description=${code}`, `/venues/new?form=${packed}`, `/venues/${code}`],
        ...[`/checkins?page=${code}`, `/${code}`, `/settings?${code}=${code}`, `/?loggedout=${code}`, venue],
        `/login/callback?error=${code}&state=${code}&error_description=${code}`,
      ];
      for (const path of paths)
        htmls.push((await member.get(path, { referer: `${web.url}/venues?${encodeURI(text)}` })).body);
      for (const path of ["/", `/${code}`, `/login/callback?state=${code}&code=${code}`])
        htmls.push((await web.newBrowser().get(path)).body);
      const form = await member.get("/venues/new");
      const typed = Object.fromEntries(
        ["name", "ll", "address", "city", "zip", "phone", "twitter", "url", "description"].map((name) => [name, text]),
      );
      htmls.push((await member.submit(form, "/venues", typed)).body);
      htmls.push((await member.post("/venues", typed)).body); // a form of before the last log-in
    }
    return { htmls, shapes: await shapesOf(page, htmls) };
  };
  const plain = await read(HARMLESS);
  const evil = await read(PAYLOADS);
  const kinds = plain.shapes.length / HARMLESS.length;
  expect([evil.shapes.length, kinds > 15]).toEqual([kinds * 50, true]);
  evil.shapes.forEach((shape, index) => {
    const known = plain.shapes.filter((_, each) => each % kinds === index % kinds);
    expect([PAYLOADS[Math.floor(index / kinds)], index % kinds, shape]).toEqual([
      PAYLOADS[Math.floor(index / kinds)],
      index % kinds,
      expect.toBeOneOf(known),
    ]);
  });
});
