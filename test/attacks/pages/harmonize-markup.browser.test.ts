import { afterAll, beforeEach, expect, it } from "vitest";
import { type MadeListing, makeCandidate, makeHarmonization } from "../../harmonize/rows.ts";
import { launchBrowser, openPage } from "../../support/browser.ts";
import { answers } from "../../support/fake-directory/behaviours.ts";
import { formFields } from "../../support/http-client.ts";
import { roundsOf } from "../../support/rounds.ts";
import { ownerOf } from "../../web/harmonize/runs.ts";
import { startWeb } from "../../web/web-app.ts";
import { expectInert, expectInertHtml, lend } from "../inert.ts";
import { PAYLOADS } from "../payloads.ts";

const web = await startWeb();
const directory = web.config.api.url;
const browser = await launchBrowser();
afterAll(() => browser.close());
const member = await web.logIn();
const accountId = await ownerOf(web);

async function open() {
  const page = await openPage(browser);
  await lend(page, web.url, member);
  await page.goto(`${web.url}/settings`);
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    return dialog.dismiss();
  });
  return { page, dialogs };
}

beforeEach(() => web.directory.reset());

/** Returns a listing with the text in every cell, and in its candidates or its problem. */
function listingOf(text: string, index: number): MadeListing {
  const candidate = { ...makeCandidate(`v${index}`, 0.6, { name: 1 }), name: text, city: text, phone: text, url: text };
  const evidence = [{ comparison: "name", weight: 1, text }];
  const cells = [text, text, "41.8", "-71.4", text, text];
  const query = { name: text, ll: { lat: 41.8, lng: -71.4 }, address: text, city: text, phone: text };
  const problem = { code: "told", said: text, column: text, value: text } as const;
  const kinds: MadeListing["more"][] = [
    {},
    { status: "failed", problem },
    {
      decision: "matched",
      venueId: text,
      venueName: text,
      why: { code: "told", said: text },
      decidedHow: "person",
      decidedAt: new Date(),
    },
  ];
  const candidates = [{ ...candidate, address: text, category: text, evidence }, makeCandidate(text, 0.4)];
  return { name: text, candidates, more: { cells, query, ownId: text, ...kinds[index % 3] } };
}

/** Creates a file with this name, columns and rows; `at` is the path of its pages. */
async function makeFile(texts: string[], name = texts[0] ?? "", more: object = {}) {
  const header = [...texts, ...texts].slice(0, 6);
  const made = await makeHarmonization(web.database, accountId, texts.map(listingOf), {
    ...{ directory, header, name, ...more },
  });
  return (path = "") => `/harmonizations/${made.id}${path}`;
}

const venueOf = (text: string) => ({
  ...{ id: text, name: text, contact: { phone: text }, location: { address: text, city: text, lat: 41.8, lng: -71.4 } },
  categories: [{ id: text, name: text, pluralName: text, shortName: text, icon: { prefix: text, suffix: text } }],
});

async function read(paths: string[]): Promise<Record<string, string>> {
  const pages: Record<string, string> = {};
  for (const path of paths) {
    const { status, body } = await member.get(path);
    expect([path, status]).toEqual([path, expect.toBeOneOf([200, 400])]);
    pages[path] = body;
  }
  return pages;
}

it("W03: texts from a file or about its rows from the directory appear as text on every page", async () => {
  const { page, dialogs } = await open();
  const paths = ["/harmonizations"];
  const groups = Array.from({ length: 5 }, (_, group) => PAYLOADS.slice(group * 10, (group + 1) * 10));
  for (const texts of groups) {
    const at = await makeFile(texts);
    paths.push(...["", "?show=failed", "/conflicts", "/add", "/review?show=matched"].map(at));
    for (const [index] of texts.entries()) {
      paths.push(at(`/review/${index + 1}`), at(`/listings/${index + 1}/add`));
      if (index % 3 === 0) paths.push(at(`/listings/${index + 1}/family?decision=matched`));
    }
    for (const text of texts) await makeFile([], text, { state: "matching", pausedFor: "person", task: { text } });
  }
  const pages = await read(paths.filter((path) => !path.includes("show=matched")));
  expect(Object.keys(pages).length).toBeGreaterThan(120);
  expect(Object.values(pages).filter((html) => /hacked=1/.test(html)).length).toBeGreaterThan(110);
  await expectInertHtml(page, pages);
  for (const path of paths.slice(0, roundsOf(30, 16)).filter((each) => !/show=|family/.test(each))) {
    await page.goto(web.url + path);
    await expectInert(page, path);
  }
  expect(dialogs).toEqual([]);
});

it("W04: the header, cells and name of an upload are shown as text", async () => {
  const { page } = await open();
  const { _csrf = "" } = formFields(await member.get("/settings"), "/logout");
  const quoted = (cells: string[]) => cells.map((each) => `"${each.replaceAll('"', '""')}"`).join();
  const lines = [
    ["name", "lat", "lng", ...PAYLOADS],
    ["Joe", "41.8", "-71.4", ...PAYLOADS],
  ].map(quoted);
  const draft = await member.post("/harmonizations", { _csrf, text: `${lines.join("\n")}\n` });
  const [path = ""] = /\/harmonizations\/[0-9a-f-]{36}$/.exec(draft.location) ?? expect.fail(draft.body);
  await web.database.prisma.harmonization.updateMany({
    where: { name: "Pasted list" },
    data: { name: PAYLOADS[0] ?? "" },
  });
  const pages: Record<string, string> = { ...(await read([path])) };
  for (const text of PAYLOADS) {
    const unreadable = `"${text.replaceAll('"', "'")}`; // a quote that is never closed: it is shown again
    pages[`pasted ${text}`] = (await member.post("/harmonizations", { _csrf, text: unreadable })).body;
    const form = { _csrf, action: "try", previous: text, "column-0": text, "column-5": "name", separator: text };
    pages[`read as ${text}`] = (await member.post(`${path}/columns`, form)).body;
  }
  expect(Object.values(pages).filter((html) => /hacked=1/.test(html)).length).toBeGreaterThan(80);
  await expectInertHtml(page, pages);
  await page.goto(web.url + path);
  await expectInert(page, path);
});

it("W04: a text searched, pasted or sent with a listing is shown as text", async () => {
  const { page, dialogs } = await open();
  const ok = (response: object) => answers(200, { meta: { code: 200 }, response });
  web.directory.behave("/v2/venues/search", ok({ venues: PAYLOADS.map(venueOf) }));
  const at = await makeFile(["Plain", "Other", "Third"]);
  const paths = PAYLOADS.filter(({ length }) => length <= 100).flatMap((text) => {
    const code = encodeURIComponent(text);
    return [
      ...[at(`?q=${code}`), at(`?cut=${code}`), at(`?show=${code}`), at(`/review/1?q=${code}`)],
      ...[`/mappings?ids=${code}`, at(`/listings/1/add?name=${code}&ll=${code}&description=${code}`)],
    ];
  });
  const pages = await read(paths);
  await expectInertHtml(page, pages);
  const shown = Object.entries(pages).filter(([path]) => /[?&](q|ids|name)=/.test(path));
  expect(shown.filter(([, html]) => !/hacked|&lt;/.test(html)).map(([path]) => path)).toEqual([]);
  await page.goto(`${web.url}${at("/review/1?q=x")}`);
  await expectInert(page, "found");
  expect(dialogs).toEqual([]);
});
