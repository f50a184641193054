import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { EXAMPLE } from "../../src/harmonize/file/example.ts";
import { EXAMPLE_OF_GUESTS } from "../../src/harmonize/run/harmonizations.ts";
import { makeHarmonization } from "../harmonize/rows.ts";
import { answers, answersError, type Behaviour } from "../support/fake-directory/behaviours.ts";
import { startWeb } from "./web-app.ts";

const web = await startWeb();
const TILE = { streets: [{ name: "Main St", line: "_p~iF~ps|U_ulLnnqC" }], towns: [], areas: [] };
const PATH = "/v2/map/tile";

function offerTiles(behaviour: Behaviour): void {
  const { authUrl, baseUrl } = web.directory;
  web.directory.behave("/.well-known/*", answers(200, { issuer: authUrl, map_tile_endpoint: baseUrl + PATH }));
  web.directory.behave(PATH, behaviour);
}

it("a tile of the directory's map is asked for once, kept for all members, compressed, and not sent again unchanged", async () => {
  offerTiles(answers(200, { meta: { code: 200 }, response: { tile: TILE } }));
  const [one, other] = [await web.logIn(), await web.logIn()];
  const first = await one.get("/map/12/1/2", { "accept-encoding": "br" });
  expect([first.status, first.body, first.headers.get("content-encoding")]).toEqual([200, JSON.stringify(TILE), "br"]);
  expect(first.headers.get("cache-control")).toBe("private, max-age=3600");
  expect((await other.get("/map/12/1/2")).body).toBe(first.body);
  expect(web.directory.calls(PATH)).toBe(1);
  expect((await one.get("/map/12/1/2", { "if-none-match": first.headers.get("etag") ?? "" })).status).toBe(304);
  expect((await one.get("/map/12/1/x")).status).toBe(404);
});

it("if the directory has no tile, the answer is empty, so that the map shows a grid without an error", async () => {
  offerTiles(answersError(500, "server_error"));
  const { status, headers } = await (await web.logIn()).get("/map/12/1/3");
  expect([status, headers.get("cache-control")]).toEqual([204, "no-store"]);
});

it("S111: a guest gets tiles around the rows of the example, by the application's own credentials, and no other, kept or not", async () => {
  offerTiles(answers(200, { meta: { code: 200 }, response: { tile: TILE } }));
  const [guest, member] = [web.newBrowser(), await web.logIn()];
  const statusOf = async (path: string) => (await guest.get(path)).status;
  expect([(await member.get("/map/12/1235/1523")).status, await statusOf("/map/12/1235/1523")]).toEqual([200, 404]);

  const hash = createHash("sha256").update(readFileSync(EXAMPLE)).digest();
  const listings = [{ name: "One", more: { query: { name: "One", ll: { lat: 41.8236, lng: -71.4222 } } } }];
  const { accountId, name } = EXAMPLE_OF_GUESTS;
  await makeHarmonization(web.database, accountId, listings, { directory: web.directory.baseUrl, hash, name });
  const before = web.directory.calls(PATH);
  expect([await statusOf("/map/12/1235/1523"), await statusOf("/map/12/1236/1522")]).toEqual([200, 200]);
  expect(web.directory.calls(PATH) - before).toBe(1);
  expect([await statusOf("/map/12/1238/1523"), await statusOf("/map/12/1/2")]).toEqual([404, 404]);
  expect(web.directory.calls(PATH) - before).toBe(1);
});
