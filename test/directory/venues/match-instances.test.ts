import { expect, test } from "vitest";
import type { Venue } from "../../../src/contract/resources.ts";
import { apiHost, credentialsOf, DOWNTOWN, freshVenue } from "../api/host.ts";
import { apiInstance, call } from "../api/instances.ts";

const host = await apiHost({ sample: true });

test("a venue added through one process is found through another at once, while searches run", async () => {
  const [one, other] = [await apiInstance(host, "off"), await apiInstance(host, "off")];
  const credentials = credentialsOf(host.application);
  const idsFor = async (fields: Record<string, string>) => {
    const { status, response } = await call(other, { fields: { ...credentials, ...fields } });
    expect(status).toBe(200);
    return (response.venues as Venue[]).map(({ id }) => id);
  };

  let isOver = false;
  const searchOn = async () => {
    while (!isOver) await idsFor({ intent: "match", name: "Coffee Exchange", ll: DOWNTOWN });
  };
  const searching = Array.from({ length: 4 }, searchOn);

  for (let round = 0; round < 10; round++) {
    const venue = freshVenue();
    expect(await idsFor({ intent: "match", ...venue })).toEqual([]);
    const fields = { ...venue, oauth_token: host.user.token };
    const { status, response } = await call(one, { path: "/v2/venues/add", method: "POST", fields });
    expect(status).toBe(200);
    expect(await idsFor({ intent: "match", ...venue })).toEqual([response.venue.id]);
    expect((await idsFor({ ll: venue.ll }))[0]).toBe(response.venue.id);
  }
  isOver = true;
  await Promise.all(searching);
});
