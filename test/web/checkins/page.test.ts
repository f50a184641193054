import { beforeAll, describe, expect, test } from "vitest";
import type { HttpClient } from "../../support/http-client.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb();
let fay: HttpClient;

/** Fay's check-ins: 60, one a day but for a gap, with comments on some. */
beforeAll(async () => {
  web.directory.setCheckins(61);
  web.directory.checkins.splice(10, 1);
  const [first, second, third] = web.directory.checkins;
  if (first) first.shout = "=1+1 at 100% of_it";
  if (second) second.shout = 'A "quoted", word';
  if (third?.venue)
    third.venue = {
      ...third.venue,
      name: "Tea & Co",
      categories: [{ ...third.venue.categories[0], name: "Tea Room" } as never],
    };
  fay = await web.logIn();
  await fay.get("/checkins");
});

const get = async (path: string) => (await fay.get(path)).body;

describe("the page of check-ins", () => {
  test("has a timeline by month, figures, a map and charts with their numbers", async () => {
    const body = await get("/checkins");
    expect(body).toContain("60 check-ins, newest first.");
    expect([...body.matchAll(/<h2><time datetime="([\d-]+)">(\w+ \d+)/g)].map(([, month]) => month)).toEqual([
      "2026-09",
      "2026-08",
    ]);
    expect(body).toMatch(/<dt>Places<\/dt><dd>2<\/dd>/);
    expect(body).toMatch(/Longest streak <span class="small">23 Jul 2026 to 10 Sept? 2026<\/span><\/dt><dd>50 days/);
    expect(body).toMatch(/<h2 id="hours">By hour.*aria-label="By hour. Highest: 10:00, with 60."/s);
    expect(body).toMatch(/<th scope="row">10:00<\/th><td>60<\/td>/);
    expect(body).toMatch(/href="\/checkins\?category=Caf%C3%A9"><bdi>Café<\/bdi><\/a><\/th>\s*<td><span>59<\/span>/);
    expect(body).toContain('role="region" aria-label="Map of the places"');
  });

  test("says its limit to a person with more check-ins than it copies", async () => {
    expect(await get("/checkins?page=2")).not.toContain("Samespot shows the newest");
    const { prisma } = web.database;
    const [copy] = await prisma.checkinCopy.findMany();
    await prisma.checkinCopy.updateMany({ data: { total: 61_234 } });
    expect(await get("/checkins?page=2")).toContain("Samespot shows the newest 50,000 of your 61,234 check-ins.");
    await prisma.checkinCopy.updateMany({ data: { total: copy?.total ?? 0 } });
  });

  test.each([
    ["q=tea", "1 of 60 check-ins"],
    ["q=TEA+%26", "1 of 60 check-ins"],
    ["q=100%25+of_it", "1 of 60 check-ins"],
    ["q=%25", "1 of 60 check-ins"],
    ["category=Tea+Room", "1 of 60 check-ins"],
    ["town=Providence", "60 check-ins"],
    ["when=2026-08", "31 of 60 check-ins"],
    ["when=2026", "60 check-ins"],
    ["when=2026-08&category=Tea+Room", "0 of 60 check-ins"],
    ["q=%00x", "0 of 60 check-ins"],
  ])("with %s shows %s", async (query, words) => {
    const body = await get(`/checkins?${query}`);
    expect(body).toContain(`>${words}, newest first.`);
    expect(body.includes("No check-ins found")).toBe(words.startsWith("0 "));
  });

  test("keeps the filter in the pager, the download and the form that jumps to a date", async () => {
    const body = await get("/checkins?town=Providence");
    expect(body).toContain('href="/checkins?town=Providence&amp;page=2"');
    expect(body).toContain('href="/checkins/download?town=Providence&amp;format=csv"');
    expect(body).toContain('<option value="Providence" selected>Providence (60)</option>');
  });

  test("jumps to a date, or to the nearest before it", async () => {
    const reply = await fay.get("/checkins?on=2026-08-01");
    expect([reply.status, reply.headers.get("location")]).toEqual([303, "/checkins?page=2#d-2026-08-01"]);
    expect(await get("/checkins?page=2")).toContain('id="d-2026-08-01"');
    const gap = await fay.get("/checkins?on=2026-09-11");
    expect(gap.headers.get("location")).toBe("/checkins#d-2026-09-10");
    expect((await fay.get("/checkins?on=1999-01-01")).headers.get("location")).toBe("/checkins?page=2");
  });

  test.each(["when=2026-13", "when=x", "on=2026-02-30", `town=${"x".repeat(301)}`, "q=a&q=b"])(
    "with the impossible filter %s says so",
    async (query) => {
      const page = await fay.get(`/checkins?${query}`);
      expect(page.status).toBe(400);
      expect(page.body).toContain("These filters are not valid");
    },
  );
});

describe("the download", () => {
  test("as CSV has a line for each check-in, without formulas", async () => {
    const reply = await fay.get("/checkins/download?format=csv");
    const lines = reply.body.trim().split("\r\n");
    expect(lines).toHaveLength(61);
    expect(lines[0]).toBe(
      "id,time,time_zone_offset,venue_id,venue_name,category,address,city,shout,attribution,lat,lng",
    );
    expect(lines[1]).toMatch(
      /^fa4e0+,2026-09-21T10:13:20-04:00,-240,[0-9a-f]{24},Corner Coffee,Café,,Providence,'=1\+1 at 100% of_it,,41.8236,-71.4222$/,
    );
    expect(lines[2]).toContain('"A ""quoted"", word"');
    expect(reply.headers.get("content-disposition")).toContain("check-ins.csv");
  });

  test("as GeoJSON has a point for each check-in of the filter", async () => {
    const reply = await fay.get("/checkins/download?format=geojson&category=Tea+Room");
    expect(reply.headers.get("content-type")).toBe("application/geo+json; charset=utf-8");
    const { type, features } = JSON.parse(reply.body);
    expect([type, features.length, features[0].geometry]).toEqual([
      "FeatureCollection",
      1,
      { type: "Point", coordinates: [-71.4222, 41.8236] },
    ]);
    expect(features[0].properties).toMatchObject({
      venue_name: "Tea & Co",
      city: "Providence",
      time_zone_offset: -240,
    });
    expect(JSON.parse(await get("/checkins/download?format=geojson&q=zzz")).features).toEqual([]);
  });
});

test("W08: another member sees none of a member's check-ins, on no page and in no download", async () => {
  web.directory.signIn("Mallory");
  const own = [...web.directory.checkins];
  web.directory.setCheckins(0);
  const mallory = await web.logIn();
  expect((await mallory.get("/checkins")).body).toContain("No check-ins yet");
  for (const path of [
    "/checkins?q=tea",
    "/checkins?town=Providence",
    "/checkins?when=2026&page=2",
    "/checkins?on=2026-08-01",
    "/checkins/download",
    "/checkins/download?format=geojson",
  ])
    for (const secret of ["Tea", "fa4e0", "quoted", "Providence (", "2026-08-01T"])
      expect((await mallory.follow(await mallory.get(path))).body, path).not.toContain(secret);
  web.directory.checkins.push(...own);
  expect(await get("/checkins"), "the owner still does").toContain("60 check-ins");
});
