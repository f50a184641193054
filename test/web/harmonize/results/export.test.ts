import http from "node:http";
import { beforeEach, expect, test, vi } from "vitest";
import { makeCandidate, makeHarmonization } from "../../../harmonize/rows.ts";
import { startWeb } from "../../web-app.ts";

const web = await startWeb();
const { prisma, pool } = web.database;
const directory = web.config.api.url;
const newMember = async () => {
  web.directory.signIn("Fay");
  const browser = await web.logIn();
  const { id } = await prisma.account.findFirstOrThrow({ orderBy: { createdAt: "desc" } });
  return { browser, id };
};
const LISTINGS = [
  { name: "=cmd()", candidates: [makeCandidate("v1", 0.95)], more: { isClear: true } },
  { name: "Doubtful", candidates: [makeCandidate("v2", 0.5)] },
];

beforeEach(() => prisma.account.deleteMany());

test("W07: an export is an uncached download, named safely after the file", async () => {
  const { browser, id } = await newMember();
  const download = async (name: string, query = "") => {
    const made = await makeHarmonization(web.database, id, LISTINGS, { directory, name });
    return browser.get(`/harmonizations/${made.id}/export${query}`);
  };
  const { status, headers, body } = await download('Läden \u202e"1"; a/b.csv');
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("content-disposition")).toBe(
    "attachment; filename=\"L_den _1__ a_b-matched.csv\"; filename*=UTF-8''L%C3%A4den%20_1_%3B%20a_b-matched.csv",
  );
  expect(body).toContain("own-1,'=cmd(),41.821,-71.41,");
  expect((await download("../../x\r\nset-cookie: a=b")).headers.get("content-disposition")).toBe(
    "attachment; filename=\"__.._x_set-cookie_ a_b-matched.csv\"; filename*=UTF-8''__.._x_set-cookie_%20a%3Db-matched.csv",
  );
  const lines = await download("a.csv", "?format=mapping-ndjson");
  expect(lines.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
  expect(JSON.parse(lines.body)).toMatchObject({ listing_id: "own-1", venue_id: "v1" });
  expect((await download("a.csv", "?candidates=1")).body).toContain("candidate_5_score");
});

test("W08: only people who may see a harmonization may export it, and an invalid format is reported", async () => {
  const { id } = await newMember();
  const own = await makeHarmonization(web.database, id, LISTINGS, { directory });
  const shared = await makeHarmonization(web.database, id, LISTINGS, { directory, isShared: true });
  web.directory.signIn("Bob");
  const bob = await web.logIn();
  expect((await bob.get(`/harmonizations/${own.id}/export`)).status).toBe(404);
  expect((await bob.get("/harmonizations/1/export")).status).toBe(404);
  expect((await bob.get(`/harmonizations/${shared.id}/export`)).status).toBe(200);
  expect((await bob.get(`/harmonizations/${shared.id}/export?format=xls`)).status).toBe(400);
  const guest = await web.newBrowser().get(`/harmonizations/${shared.id}/export`);
  expect([guest.status, new URL(guest.location).pathname]).toEqual([303, "/login"]);
});

test("an export waits for a slow reader, stops if the reader leaves, and breaks the connection on an error", async () => {
  const { browser, id } = await newMember();
  const { id: harmonizationId } = await makeHarmonization(web.database, id, [], { directory });
  for (let from = 0; from < 20_000; from += 1000)
    await pool.query(
      `INSERT INTO app.listing (harmonization_id, number, line, cells)
       SELECT $1, n, n, ARRAY[n::text, repeat('x', 1500)] FROM generate_series($2::int + 1, $2::int + 1000) AS n`,
      [harmonizationId, from],
    );
  const pages = vi.spyOn(web.own.pool, "query");
  const count = () =>
    pages.mock.calls.filter(([query]) => /FROM \(SELECT\s+l\.number/.test((query as { text?: string }).text ?? ""))
      .length;
  const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
  const url = `${web.url}/harmonizations/${harmonizationId}/export`;
  const open = () =>
    new Promise<http.IncomingMessage>((resolve) => http.get(url, { headers: { cookie }, agent: false }, resolve));

  const slow = await open();
  await expect.poll(count).toBeGreaterThan(1);
  let whileNobodyReads = 0;
  while (count() > whileNobodyReads) {
    whileNobodyReads = count();
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  expect(whileNobodyReads, "of 80 pages").toBeLessThan(50);
  slow.destroy();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(count() - whileNobodyReads, "pages read after they left").toBeLessThan(2);

  pages.mockImplementationOnce(pool.query.bind(pool)); // the session
  const broken = await open();
  pages.mockRejectedValue(new Error("gone"));
  const ended = new Promise((resolve) => broken.on("close", () => resolve(broken.complete)).resume());
  expect(await ended).toBe(false);
  pages.mockRestore();
});

test("a HEAD request for an export reads no listings", async () => {
  const { browser, id } = await newMember();
  const made = await makeHarmonization(web.database, id, LISTINGS, { directory });
  const pages = vi.spyOn(web.own.pool, "query");
  const headers = { cookie: [...browser.cookies].map((pair) => pair.join("=")).join("; ") };
  const { status } = await fetch(`${web.url}/harmonizations/${made.id}/export`, { method: "HEAD", headers });
  const names = pages.mock.calls.map(([query]) => (query as { name?: string }).name ?? "");
  pages.mockRestore();
  expect([status, names.filter((name) => name.startsWith("export"))]).toEqual([200, []]);
});
