import { describe, expect, it } from "vitest";
import type { Problem } from "../../../../src/harmonize/run/problems/problems.ts";
import { makeCandidate, makeHarmonization } from "../../../harmonize/rows.ts";
import { startWeb } from "../../web-app.ts";
import { ownerOf } from "../runs.ts";

const web = await startWeb();
web.directory.offerDeletion();
const fay = await web.logIn();
const owner = await ownerOf(web);
const directory = web.config.api.url;

const decidedAt = new Date("2026-03-04T08:00:00Z");
const later = new Date("2026-03-05T08:00:00Z");
const decided = { decision: "matched", venueId: "v", decidedAt } as const;

describe("annotating", () => {
  const due = { name: "Due", more: { ...decided, ownId: "a" } };
  const written = { name: "Written", more: { ...decided, ownId: "b", annotatedAt: later } };
  const refused = {
    name: "Refused",
    more: {
      ...decided,
      ownId: "c",
      annotatedAt: later,
      annotationProblem: { code: "already_on", name: "x", id: "x1" } as const,
    },
  };
  const task = (report: object) => ({ task: { kind: "annotate", accountId: owner, since: "", report } });
  const show = async (listings: Parameters<typeof makeHarmonization>[2], more = {}) => {
    const { id } = await makeHarmonization(web.database, owner, listings, { directory, ...more });
    const path = `/harmonizations/${id}`;
    return { path, body: (await fay.get(path)).body.replace(/\s+/g, " ") };
  };

  it("needs a confirmation, and covers only ids that the directory does not have", async () => {
    const { path, body } = await show([due, { ...due, name: "Too" }, written, refused]);
    expect(body).toMatch(/<summary>Annotate 3…<\/summary> <form [^>]*annotate"> <p>[^<]*of 3 rows[^<]*cannot undo/);
    expect(body).toContain(`<b>1 id was not written.</b> <a href="${path}?show=unwritten#listings">`);
  });

  it("is not offered again for ids that were written, and shows those that were not", async () => {
    const report = { annotated: 1, alreadyThere: 0, conflicts: 1, failed: 0 };
    const { path, body } = await show([written, refused], task(report));
    expect(body).toContain(
      `1 id written; 1 left out, because another venue has the id. <a href="${web.url}${path}?show=unwritten">`,
    );
    expect(body).toMatch(/Annotate 1 again….*Write 1 id</);
    const left = (await fay.get(`${path}?show=unwritten`)).body;
    expect([left.match(/<tr><th>/g)?.length, left.includes("Refused")]).toEqual([1, true]);
    expect(left).toContain(">Ids that were not written</h2>");
    const settled = await show([written], task(report));
    expect(settled.body, "a later step has written them").not.toContain("because another venue has the id");
    const none = await show([written], task({ ...report, conflicts: 0 }));
    expect(none.body).not.toMatch(/annotate"|show=unwritten/);
    const nothing = await show([refused], task({ ...report, annotated: 0 }));
    expect(nothing.body).toContain("The directory accepted no ids.");
  });
});

describe("undoing the add", () => {
  let venues = 0;
  const venue = (decidedAt: Date) => {
    const venueId = `added-${++venues}`;
    return { decision: "added", venueId, decidedHow: "many", decidedAt } as const;
  };
  const show = async (
    more: object = {},
    made: Parameters<typeof makeHarmonization>[2] = [
      { name: "Lately", more: venue(new Date()) },
      { name: "Long ago", more: venue(decidedAt) },
    ],
  ) => {
    const { id } = await makeHarmonization(web.database, owner, made, { directory, ...more });
    return (await fay.get(`/harmonizations/${id}`)).body.replace(/\s+/g, " ");
  };

  it("is offered with a confirmation for what was added in the last day", async () => {
    const body = await show();
    expect(body).toContain("<b>1 row added recently.</b>");
    expect(body).toMatch(/undo-adding"> <p>This deletes the venue of 1 row .*<button [^>]*>Delete 1 venue</);
    expect(await show({}, [{ name: "Long ago", more: venue(decidedAt) }])).not.toContain("undo-adding");
  });

  it("F78: says how many of the venues are in other files, and offers to delete the rest only", async () => {
    const added = Array.from({ length: 3 }, (_, at) => ({ name: `Added ${at}`, more: venue(new Date()) }));
    const hold = (which: typeof added) => {
      const rows = which.map(({ name, more: { venueId } }) => ({ name, more: { ...decided, venueId } }));
      return makeHarmonization(web.database, null, rows, { directory });
    };
    await hold(added.slice(0, 2));
    const body = await show({}, added);
    expect(body).toContain("from the directory within a day. 2 of 3 venues stay: 2 rows of another list use them.</p>");
    expect(body).toMatch(/undo-adding"> <p>This deletes the venue of 1 row .*<button [^>]*>Delete 1 venue</);
    await hold(added.slice(2));
    const all = await show({}, added.slice(1));
    expect(all).toContain("added recently.</b> 2 of 2 venues stay: 4 rows of 3 other lists use them.</p>");
    expect(all).not.toContain("undo-adding");
  });

  it("F78: is reported with those that stay because other files hold them", async () => {
    const task = { kind: "undo", accountId: owner, since: "", report: { undone: 2, held: 3, failed: 0 } };
    const problem: Problem = { code: "venue_held", rows: 3, lists: 2 };
    const body = await show({ task }, [{ name: "Stays", more: { ...venue(new Date()), problem } }]);
    expect(body).toContain(
      "2 rows undecided again, without a venue; 3 venues stay, because they are in other files (their rows say which).",
    );
    expect(body).toContain("The addition was not undone: 3 rows of 2 other lists use its venue.");
  });

  it("is reported, with the reason in the row of a venue that stays", async () => {
    const task = { kind: "undo", accountId: owner, since: "", report: { undone: 2, held: 0, failed: 1 } };
    const problem = { code: "not_undone", said: "Somebody has checked in at this venue." } as const;
    const body = await show({ task }, [{ name: "Stays", more: { ...venue(new Date()), problem } }]);
    expect(body).toContain("2 rows undecided again, without a venue; 1 venue not deleted (their rows say why).");
    expect(body).toContain("The addition could not be undone: Somebody has checked in at this venue.");
  });
});

describe("adding all", () => {
  const at = (name: string, lat: number, lng: number, problem?: Problem) => ({
    name,
    more: { query: { name, ll: { lat, lng } }, ...(problem && { problem }) },
  });
  const right = Array.from({ length: 12 }, (_, each) => at(`Cafe ${each}`, 41.7 + each / 50, -71.4));
  const spoilt = [
    ...[at("Blue Door", -71.41, 41.82), at("Corner Coffee", 41.83, 71.41), at("Dock Deli", -41.84, -71.42)],
  ];
  const held = at("Far", 10, 20, {
    ...{ code: "implausible_position", ll: { lat: 10, lng: 20 } },
    ...{ km: 9182, place: "Newport" },
  });
  const show = async (listings: Parameters<typeof makeHarmonization>[2], more = {}) => {
    const { id } = await makeHarmonization(web.database, owner, listings, {
      directory,
      matchedAt: new Date(),
      ...more,
    });
    return { path: `/harmonizations/${id}`, body: (await fay.get(`/harmonizations/${id}`)).body };
  };

  it.each([
    ["nothing looks wrong", right, {}, 12, undefined],
    ["some positions look mistyped", [...right, ...spoilt], {}, 12, 3],
    ["others were held back before", [...right, ...spoilt, held], {}, 12, 3],
    [
      "the owner has said that they are right",
      [...right, ...spoilt],
      { positions: { verdict: "unknown", rows: 0, wrong: 0, answer: "right" } },
      15,
      undefined,
    ],
  ] as const)("promises no more than it adds if %s", async (_, listings, more, adds, mistyped) => {
    const { path, body } = await show([...listings], more);
    expect(/>Add (\d+) as new</.exec(body)?.[1]).toBe(String(adds));
    const said = `${mistyped} rows have positions that look mistyped: <a href="${path}/add#held-back">`;
    expect(body.includes("mistyped")).toBe(mistyped !== undefined);
    if (mistyped) expect(body).toContain(said);
  });
});

describe("putting positions right", () => {
  it("W82: shows what it would change, and changes no more than that", async () => {
    const at = (name: string, lat: number, lng: number) => ({
      name,
      more: { query: { name, ll: { lat, lng } }, cells: [name, name, `${lat}`, `${lng}`, "", ""] },
    });
    const right = Array.from({ length: 12 }, (_, each) => at(`Cafe ${each}`, 41.7 + each / 50, -71.4));
    const spoilt = [
      at("Blue Door", -71.41, 41.82),
      at("Corner Coffee", -71.42, 41.83),
      at("Dock Deli", -41.84, -71.42),
    ];
    const { id } = await makeHarmonization(web.database, owner, [...right, ...spoilt], {
      directory,
      matchedAt: new Date(),
    });
    const path = `/harmonizations/${id}`;
    const { body } = await fay.get(`${path}/add`);
    const text = body.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
    expect(text).toContain(
      "3 rows move from the position in the file to the suggested one: 2 positions: latitude and longitude swapped back 1 position: the sign of the latitude changed",
    );
    expect(text).toContain(
      "Blue Door -71.41, 41.82 far from the other rows 41.82, -71.41 latitude and longitude swapped back",
    );
    const [, _csrf = ""] = /name="_csrf" value="([^"]*)"/.exec(body) ?? [];
    const pending = () => web.database.prisma.listing.count({ where: { harmonizationId: id, status: "pending" } });
    for (const expected of ["2", "", "x"]) {
      const { status, headers } = await fay.post(`${path}/repair`, { _csrf, expected });
      expect([status, headers.get("location"), await pending()]).toEqual([303, `${path}/add#held-back`, 0]);
    }
    const [, expected = ""] = /name="expected" value="([^"]*)"/.exec(body) ?? [];
    await fay.post(`${path}/repair`, { _csrf, expected });
    expect(await pending()).toBe(3);
  });
});

describe("a file with almost no matches", () => {
  const unknown = Array.from({ length: 19 }, (_, at) => ({ name: `Unknown ${at}` }));
  const found = { name: "Found", candidates: [makeCandidate("v", 0.5)] };
  const warns = async (...listings: Parameters<typeof makeHarmonization>[2]) => {
    const { id } = await makeHarmonization(web.database, owner, listings, { directory });
    const { body } = await fay.get(`/harmonizations/${id}`);
    const asks = body.indexOf("Are the columns right?");
    expect(body.split(`/harmonizations/${id}/again"`).length).toBe(asks > 0 ? 3 : 2);
    return asks > 0 && asks < body.indexOf(`/harmonizations/${id}/add"`);
  };

  it("asks whether the columns are right before it offers to add listings", async () => {
    expect(await warns(...unknown, found)).toBe(true);
    expect(await warns(...unknown, found, found, found)).toBe(false);
    expect(await warns(...unknown)).toBe(false);
  });
});
