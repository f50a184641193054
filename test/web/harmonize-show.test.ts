import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeHarmonization } from "../harmonize/rows.ts";
import type { Page } from "../support/http-client.ts";
import { manyListings, ownerOf } from "./harmonize-runs.ts";
import { startWeb } from "./web-app.ts";

const web = await startWeb({ env: { ADMINS: "nobody" } });

web.directory.signIn("Gus");
const gus = await web.logIn();
web.directory.signIn("Fay");
const fay = await web.logIn();
const owner = await ownerOf(web);
const ready = await makeHarmonization(web.database, owner, manyListings(), { directory: web.config.api.url });
const page = (path = "") => fay.get(`/harmonizations/${ready.id}${path}`);

const ROWS = { matched: 50, review: 24, none: 21, failed: 4 };

describe("the results", () => {
  it("count what came of the listings, and each count is a filter", async () => {
    const { body } = await page();
    expect(tiles(body)).toEqual({ All: "120", Matched: "71", "To review": "24", "No match": "21", Failed: "4" });
    const filters = [...body.matchAll(/<a class="tile outcome-(\w+)" href="([^"]*)"/g)];
    expect(filters).toHaveLength(5);
    for (const [, outcome, href = ""] of filters.slice(1))
      expect([outcome, rowsOf(await fay.get(href))]).toEqual([outcome, ROWS[outcome as keyof typeof ROWS]]);
    expect(body.includes("Review 24 listings")).toBe(true);
  });

  it("go on page by page, also while one looks for a text", async () => {
    const first = await page("?show=matched");
    const next = /rel="next" href="([^"]*)"/.exec(first.body)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const second = await fay.get(next);
    expect(rowsOf(second)).toBe(21);
    expect(second.body.includes('rel="next"')).toBe(false);
    expect(rowsOf(await page("?q=PERHAPS"))).toBe(24);
    expect((await page("?q=zzz")).body.includes("No listing here has “zzz” in it.")).toBe(true);
  });

  it("show hostile text of a file and of the directory as text", async () => {
    const evil = `"><img src=x onerror=alert(1)>`;
    const candidate = { id: evil, name: evil, lat: 1, lng: 2, address: evil, score: 0.6, evidence: [] };
    const h = await makeHarmonization(
      web.database,
      owner,
      [
        { name: evil, candidates: [candidate] },
        { name: evil, more: { status: "failed", problem: { code: "x", message: evil } } },
      ],
      { directory: web.config.api.url, name: evil },
    );
    const { body, status } = await fay.get(`/harmonizations/${h.id}`);
    expect(status).toBe(200);
    expect(body.includes("<img")).toBe(false);
  });

  it.each(["show=everything", "after=-1", "after=x", `q=${"x".repeat(101)}`, "show=none&show=failed"])(
    "answer %s with what is wrong about it",
    async (query) => expect((await page(`?${query}`)).status).toBe(400),
  );
});

describe("who sees a harmonization", () => {
  it("is its owner alone, and everybody once it is shared, without what is the owner's to do", async () => {
    for (const path of ["", "/events", "/add"])
      expect((await gus.get(`/harmonizations/${ready.id}${path}`)).status).toBe(404);
    await web.database.prisma.harmonization.update({ where: { id: ready.id }, data: { isShared: true } });
    const shared = await gus.get(`/harmonizations/${ready.id}`);
    await web.database.prisma.harmonization.update({ where: { id: ready.id }, data: { isShared: false } });
    expect(shared.status).toBe(200);
    expect(shared.body).toContain("/review");
    expect(shared.body.match(/<form[^>]* method="post"[^>]*action="([^"]*)"/g)).toEqual([
      '<form method="post" action="/logout"',
    ]);
  });

  it("is nobody where there is none, or one that is still being sent", async () => {
    const uploading = await makeHarmonization(web.database, owner, [], {
      directory: web.config.api.url,
      state: "uploading",
    });
    for (const id of [randomUUID(), "x", uploading.id])
      expect((await fay.get(`/harmonizations/${id}`)).status).toBe(404);
  });

  it("is asked to log in, and comes back", async () => {
    const guest = await web.newBrowser().get(`/harmonizations/${ready.id}?show=none`);
    expect([guest.status, guest.location]).toEqual([
      303,
      `${web.url}/login?next=%2Fharmonizations%2F${ready.id}%3Fshow%3Dnone`,
    ]);
  });
});

/** The counts on a page of results, by their label. */
const tiles = (body: string) =>
  Object.fromEntries(
    [...body.matchAll(/tile-label">(?:<svg.*?<\/svg>\s*)?([^<]*)<\/span> <b>([^<]*)</gs)].map(([, label, count]) => [
      label?.trim(),
      count,
    ]),
  );

const rowsOf = ({ body }: Page) => body.match(/<th scope="row">/g)?.length ?? 0;
