import { describe, expect, onTestFinished, test } from "vitest";
import { type Answer, type ApiHost, apiHost, freshVenue, venuesOf } from "../directory/api/host.ts";
import { type Place, placesOfNodes } from "./places.ts";
import { FOLDER, serverAt } from "./servers.ts";

describe.skipIf(!FOLDER)("a node of the Citus cluster that stops", async () => {
  const host = FOLDER ? await apiHost({ sample: true }) : ({} as ApiHost);
  const search = (fields: Record<string, string>) => host.userless("/v2/venues/search", fields);
  const match = ({ name, lat, lng }: Place) => search({ intent: "match", query: name, ll: `${lat},${lng}` });
  const ready = async () => (await host.send("GET", "/readyz")).body;

  test("F42: makes its tiles unavailable and no others, is named by /readyz, and serves again once it is started", async () => {
    const places = await placesOfNodes(host.deps.pool);
    const [lost, ...others] = places;
    if (!lost || others.length === 0) throw new Error("The venues are on one node.");
    for (const place of places) expectFound(await match(place), place);
    const server = await serverAt(lost.port);
    server.stop();
    onTestFinished(server.start);
    const silent = { name: expect.stringMatching(`:${lost.port}$`), answers: false };

    expectUnavailable(await match(lost));
    expectUnavailable(await search({ query: "coffee", intent: "global" })); // asks all nodes
    expectUnavailable(await host.userless(`/v2/venues/${lost.id}`));
    for (const place of others) expectFound(await match(place), place);
    await expect.poll(ready).toMatchObject({ status: "ready", nodes: expect.arrayContaining([silent]) });

    server.start();
    for (const place of places) await expect.poll(async () => (await match(place)).status).toBe(200);
    expectFound(await match(lost), lost);
    await expect.poll(async () => (await host.asUser("/v2/venues/add", freshVenue())).status).toBe(200);
    await expect.poll(ready).toMatchObject({ nodes: expect.not.arrayContaining([silent]) });
  });
});

function expectFound(answer: Answer, { id }: Place): void {
  expect([answer.status, venuesOf(answer).map((venue) => venue.id)]).toEqual([200, expect.arrayContaining([id])]);
}

function expectUnavailable({ status, headers, body }: Answer): void {
  expect([status, headers["retry-after"]]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  expect(body).toMatchObject({ meta: { code: 503, errorType: "server_error" }, response: {} });
}
