import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Progress } from "../../../../src/harmonize/results/progress.ts";
import { loadHarmonization } from "../../../../src/harmonize/run/harmonizations.ts";
import type { Web } from "../../../../src/web/base/deps.ts";
import type { Member } from "../../../../src/web/base/members.ts";
import { editionView } from "../../../../src/web/harmonize/results/edition.ts";
import { makeCandidate, makeHarmonization } from "../../../harmonize/rows.ts";
import type { Page } from "../../../support/http-client.ts";
import { manyListings, startRuns } from "../runs.ts";

const { web, gus, fay, owner } = await startRuns({ env: { ADMINS: "nobody" } });
const ready = await makeHarmonization(web.database, owner, manyListings(), { directory: web.config.api.url });
const page = (path = "") => fay.get(`/harmonizations/${ready.id}${path}`);

const ROWS = { matched: 50, review: 24, none: 21, failed: 4 };

describe("the results", () => {
  it("count the listings by outcome, and each count is a filter", async () => {
    const { body } = await page();
    expect(tiles(body)).toEqual({ All: "120", Matched: "71", "To review": "24", "No match": "21", Failed: "4" });
    const filters = [...body.matchAll(/<a class="tile outcome-(\w+)" href="([^"]*)"/g)];
    expect(filters).toHaveLength(5);
    for (const [, outcome, href = ""] of filters.slice(1))
      expect([outcome, rowsOf(await fay.get(href))]).toEqual([outcome, ROWS[outcome as keyof typeof ROWS]]);
    expect(body.includes("Review 24<")).toBe(true);
  });

  it("are shown in pages, also for a text search", async () => {
    const first = await page("?show=matched");
    const next = /rel="next" href="([^"]*)"/.exec(first.body)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const second = await fay.get(next);
    expect(rowsOf(second)).toBe(21);
    expect(second.body.includes('rel="next"')).toBe(false);
    expect(rowsOf(await page("?q=PERHAPS"))).toBe(24);
    expect((await page("?q=zzz")).body.includes("No row here contains “zzz”.")).toBe(true);
  });

  it("are found at their own address too", async () => {
    const answer = await page("/listings/3");
    expect([answer.status, answer.location]).toEqual([302, `${web.url}/harmonizations/${ready.id}/review/3`]);
  });

  it("ignore the character 0 in a text search", async () => {
    const { status, body } = await page("?q=own-1%00");
    expect([status, body.includes("Sure Thing 0")]).toEqual([200, true]);
  });

  it("show the line of each listing that has no id of its own, and why its venue or id was refused", async () => {
    const more = { decision: "matched", venueId: "v", decidedAt: new Date("2026-03-04") } as const;
    const written = (venue: string, day: string) => ({
      ...({
        ...more,
        annotatedAt: new Date(day),
        annotationProblem: { code: "already_on", name: venue, id: "x1" },
      } as const),
    });
    const h = await makeHarmonization(
      web.database,
      owner,
      [
        { name: "Taken", more: { ...written("another", "2026-03-05"), line: 20 } },
        { name: "Moved", more: written("the old one", "2026-03-03") },
        { name: "Refused", more: { problem: { code: "rejected", said: "Its name is bad." } } },
        { name: "Far", candidates: [makeCandidate("far", 0.5, { distance: -2 })] },
      ],
      { directory: web.config.api.url },
    );
    const { body } = await fay.get(`/harmonizations/${h.id}`);
    expect(body).toContain("<small>own-1</small>");
    expect(body).toContain("Rows 20–5");
    expect(body).toContain("Id not written to the directory: Already on the venue “another”");
    expect(body).not.toContain("the old one");
    expect(body).toContain("Not added: Its name is bad.");
    expect(body).toMatch(/<td>different position</);
    const cards = await Promise.all([1, 3].map((each) => fay.get(`/harmonizations/${h.id}/review/${each}`)));
    expect(cards[0]?.body).toContain("Id not written to the directory: Already on the venue “another”");
    expect(cards[1]?.body).toContain("Not added: Its name is bad.");
  });

  it("F120: show the previous edition and the changes since to people who may see both", async () => {
    const directory = web.config.api.url;
    const listing = (ownId: string, print: string, more = {}) => ({
      name: ownId,
      more: { ownId, print: Buffer.from(print), ...more },
    });
    const before = ["a", "b", "c", "d"].map((each) => listing(each, "1"));
    const previous = await makeHarmonization(web.database, owner, before, { directory, name: "May.csv" });
    const [changed, added] = [{ edition: { is: "changed" } }, { edition: { is: "new" } }];
    const now = [
      listing("a", "1", { decision: "rejected", decidedHow: "kept" }),
      listing("b", "1"),
      listing("c", "2", changed),
    ];
    const { id } = await makeHarmonization(
      web.database,
      owner,
      [...now, listing("e", "1", added), listing("f", "1", added)],
      {
        ...{ directory, previousId: previous.id, isShared: true },
      },
    );
    const { body } = await fay.get(`/harmonizations/${id}`);
    const said = /<p class="muted small">(A new edition of .*?)<\/p>/.exec(body)?.[1] ?? "";
    expect(said.replace(/<[^>]*>/g, "")).toBe(
      "A new edition of May.csv: 2 unchanged (1 with their decisions), 1 changed, 2 new, 1 removed. Changes at their venues",
    );
    const hrefs = [...said.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"));
    const [, ...lists] = hrefs;
    expect(lists).toEqual([
      ...[`/harmonizations/${id}?edition=changed#listings`, `/harmonizations/${id}?edition=new#listings`],
      ...[`/harmonizations/${previous.id}?removed=${id}#listings`, `/harmonizations/${id}/changes`],
    ]);
    const listed = async (href = "") => {
      const page = (await fay.get(href.replace("#listings", ""))).body;
      const exports = [...page.matchAll(/href="([^"]*export\?[^"]*(?:edition|removed)=[^"]*)" download/g)];
      const json = exports
        .map(([, each = ""]) => each.replaceAll("&amp;", "&"))
        .find((each) => each.includes("format=json"));
      const rows = JSON.parse((await fay.get(json ?? "")).body) as { name: string }[];
      return [[...page.matchAll(/review\/\d+">([a-f])<\/a>/g)].map(([, name]) => name), rows.map(({ name }) => name)];
    };
    expect(await Promise.all(lists.slice(0, 3).map(listed))).toEqual([
      ...[
        [["c"], ["c"]],
        [
          ["e", "f"],
          ["e", "f"],
        ],
      ],
      [["d"], ["d"]],
    ]);
    const removed = `/harmonizations/${previous.id}?removed=`;
    expect((await fay.get(`${removed}${previous.id}`)).status, "not an edition after it").toBe(404);
    await web.database.prisma.harmonization.update({ where: { id: previous.id }, data: { isShared: true } });
    await web.database.prisma.harmonization.update({ where: { id }, data: { isShared: false } });
    expect((await gus.get(`${removed}${id}`)).status, "an edition that is not theirs").toBe(404);
    expect((await gus.get(`/harmonizations/${previous.id}/export?removed=${id}`)).status).toBe(404);
    await web.database.prisma.harmonization.update({ where: { id: previous.id }, data: { isShared: false } });
    await web.database.prisma.harmonization.update({ where: { id }, data: { isShared: true } });
    expect((await gus.get(`/harmonizations/${id}`)).body).not.toContain("May.csv");
  });

  it("do not show 0 kept decisions of an edition before they are counted", async () => {
    const directory = web.config.api.url;
    const file = { directory, name: "June.csv" };
    const stable = { ownId: "a", print: Buffer.from("1") };
    const previous = await makeHarmonization(web.database, owner, [{ name: "a", more: stable }], file);
    const harmonizer = { ...web.database, directoryUrl: directory };
    const view = async (more: { listingCount?: number }) => {
      const edition = { ...file, previousId: previous.id };
      const { id } = await makeHarmonization(web.database, owner, [{ name: "a", more: stable }], edition);
      const found = await loadHarmonization(harmonizer, id);
      const uncounted = { isCounted: false, kept: 0 } as Progress;
      const member = { id: owner, isAdmin: false } as Member;
      return found && editionView({ harmonizer } as unknown as Web, member, { ...found, ...more }, uncounted);
    };
    const name = "June.csv";
    expect(await view({})).toMatchObject({ name, same: "1 unchanged" });
  });

  it("show hostile text from the file and the directory as text", async () => {
    const evil = `"><img src=x onerror=alert(1)>`;
    const candidate = { id: evil, name: evil, lat: 1, lng: 2, address: evil, score: 0.6, evidence: [] };
    const h = await makeHarmonization(
      web.database,
      owner,
      [
        { name: evil, candidates: [candidate] },
        { name: evil, more: { status: "failed", problem: { code: "told", said: evil } } },
      ],
      { directory: web.config.api.url, name: evil },
    );
    const { body, status } = await fay.get(`/harmonizations/${h.id}`);
    expect(status).toBe(200);
    expect(body.includes("<img")).toBe(false);
  });

  it.each(["show=everything", "after=-1", "after=x", `q=${"x".repeat(101)}`, "show=none&show=failed"])(
    "explain what is wrong with %s",
    async (query) => expect((await page(`?${query}`)).status).toBe(400),
  );
});

describe("who sees a harmonization", () => {
  it("is its owner alone; once shared everyone, without the owner's actions", async () => {
    for (const path of ["", "/events", "/add"])
      expect((await gus.get(`/harmonizations/${ready.id}${path}`)).status).toBe(404);
    await web.database.prisma.harmonization.update({ where: { id: ready.id }, data: { isShared: true } });
    const shared = await gus.get(`/harmonizations/${ready.id}`);
    await web.database.prisma.harmonization.update({ where: { id: ready.id }, data: { isShared: false } });
    expect(shared.status).toBe(200);
    expect(shared.body).toContain("/review");
    expect(shared.body.match(/<form[^>]* method="post"[^>]*action="([^"]*)"/g)).toEqual([
      '<form method="post" action="/logout"',
      `<form method="post" action="/harmonizations/${ready.id}/listings"`,
    ]);
    expect(shared.body, "the owner alone decides whole lists").not.toContain('name="which" value="all"');
  });

  it("is nobody if it does not exist or is still being uploaded", async () => {
    const uploading = await makeHarmonization(web.database, owner, [], {
      directory: web.config.api.url,
      state: "uploading",
    });
    for (const id of [randomUUID(), "x", uploading.id])
      expect((await fay.get(`/harmonizations/${id}`)).status).toBe(404);
  });

  it("is asked to log in, and returns afterwards", async () => {
    const guest = await web.newBrowser().get(`/harmonizations/${ready.id}?show=none`);
    expect([guest.status, guest.location]).toEqual([
      303,
      `${web.url}/login?next=%2Fharmonizations%2F${ready.id}%3Fshow%3Dnone`,
    ]);
  });
});

const tiles = (body: string) =>
  Object.fromEntries(
    [...body.matchAll(/tile-label">(?:<svg.*?<\/svg>\s*)?([^<]*)<\/span> <b>([^<]*)</gs)].map(([, label, count]) => [
      label?.trim(),
      count,
    ]),
  );

const rowsOf = ({ body }: Page) => body.match(/<tr><th>/g)?.length ?? 0;
