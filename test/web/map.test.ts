import { expect, it } from "vitest";
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

it("guests cannot request tiles of the map", async () => {
  expect((await web.newBrowser().get("/map/12/1/2")).location).toMatch(/\/login\?/);
});
