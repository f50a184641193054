import { expect, test } from "vitest";
import { apiHost, comparable, freshVenue, venueOf } from "../host.ts";

const operators: string[] = [];
const host = await apiHost({ operators });
const post = (path: string, fields: Record<string, string>) =>
  host.asUser(`/v2/venues/${path}`, fields, { method: "POST" });
const newVenue = async () => venueOf(await post("add", freshVenue()));
const codeOf = async (...of: Parameters<typeof post>) => (await post(...of)).body.meta.code;

test("an operator's application merges a duplicate and reverts it, by the former id too", async () => {
  operators.splice(0, Infinity, "owner", host.user.userId);
  const [first, second, third] = [await newVenue(), await newVenue(), await newVenue()];
  const merged = await post("merge", { venueId: first.id, into: second.id });
  expect(merged.body.response).toMatchObject({
    venue: { id: second.id },
    change: { id: expect.stringMatching(/^\d+$/) },
  });
  const { change } = merged.body.response as { change: { id: string } };
  const again = await post("merge", { venueId: first.id, into: second.id });
  expect(comparable(again.body), "as if its answer had been lost").toEqual(comparable(merged.body));
  expect(await codeOf("merge", { venueId: second.id, into: first.id })).toBe(400);
  expect((await post("merge", { venueId: third.id, into: first.id })).body.response.venue).toMatchObject({
    id: second.id,
  });
  const reverted = await post("revert", { changeId: change.id });
  expect(reverted.body.response).toMatchObject({ venue: { id: first.id }, change });
  expect(await codeOf("revert", { changeId: change.id })).toBe(409);
  expect([await codeOf("revert", { changeId: "999" }), await codeOf("revert", { changeId: "x" })]).toEqual([404, 400]);
});

test("C36: only an operator may merge and revert, and only with an operator's application", async () => {
  const [first, second] = [await newVenue(), await newVenue()];
  const merge = { venueId: first.id, into: second.id };
  for (const names of [[], ["owner"], [host.user.userId]]) {
    operators.splice(0, Infinity, ...names);
    expect([await codeOf("merge", merge), await codeOf("revert", { changeId: "1" })]).toEqual([403, 403]);
  }
  expect(venueOf(await host.userless(`/v2/venues/${first.id}`)).id).toBe(first.id);
});
