import { expect, it } from "vitest";
import { apiHost } from "../api/host.ts";
import { loggedIn } from "../auth/auth-host.ts";
import { addVenue, operatorHost } from "../auth/operator/host.ts";

const [open, closed] = [await apiHost(), await apiHost({ publicSearch: false })];
const host = await operatorHost();
const TILE = "/map/12/1235/1523";
const MISSING = ["/map/11/0/0", "/map/3/8/0", "/map/12/x/0", "/map/13/0/0"];

it("S110: the API host gives tiles to everybody for the pages of venues, and none while the search is not public", async () => {
  const statusOf = async ({ send }: typeof open, path: string) => (await send("GET", path)).status;
  expect([await statusOf(open, TILE), await statusOf(closed, TILE)]).toEqual([200, 404]);
  expect(await Promise.all(MISSING.map((path) => statusOf(open, path)))).toEqual([404, 404, 404, 404]);
});

it("S110: on the auth host only operators get tiles, whose form for a venue shows the streets", async () => {
  const [operator, user] = [await host.newOperator(), await loggedIn(host, await host.user())];
  const id = await addVenue(host, "Corner Café");
  expect((await operator.get(`/operator/venues/edit?id=${id}`)).body).toContain(" data-streets");
  const { status, body } = await operator.get(TILE);
  expect([status, Object.keys(JSON.parse(body) as object)]).toEqual([200, ["streets", "spots", "towns", "areas"]]);
  expect([(await operator.get("/map/3/8/0")).status, (await user.get(TILE)).status]).toEqual([404, 404]);
});
