import { describe, expect, test } from "vitest";
import { randomId } from "../../../../src/shared/crypto.ts";
import { addedVenues, apiHost, DOWNTOWN, expectError, freshVenue, V, venueOf, venuesOf } from "../host.ts";
import { linksHost, PROVIDER, RIVAL } from "../links-host.ts";

const DELETE = "/v2/venues/delete";
const [host, sampled] = [await linksHost(), await apiHost({ sample: true })];
const { prisma } = host.deps;

const remove = (venueId: string, token = host.user.token) =>
  host.asUser(DELETE, { venueId }, { method: "POST", token });
const codeOf = async (...of: Parameters<typeof remove>) => (await remove(...of)).body.meta.code;
const isThere = async (id: string) => (await prisma.venue.count({ where: { id } })) === 1;

describe("venues/delete", () => {
  test("takes back a venue that was just added: it is gone from search, and its id answers that it was deleted", async () => {
    const name = "Qwyxelblatt Zorn";
    const { id } = venueOf(await sampled.asUser("/v2/venues/add", freshVenue({ name, ll: DOWNTOWN })));
    const found = async () => {
      const searches = [{ query: name }, { name, intent: "match" }];
      const answers = await Promise.all(
        searches.map((each) => sampled.asUser("/v2/venues/search", { ll: DOWNTOWN, ...each })),
      );
      return answers.map((answer) => venuesOf(answer).some((venue) => venue.id === id));
    };
    expect(await found()).toEqual([true, true]);
    const deleted = await sampled.asUser(DELETE, { venueId: id }, { method: "POST" });
    expect(deleted.body.response).toEqual({ venue: { id, name } });
    expect(await found()).toEqual([false, false]);
    const shown = await sampled.userless(`/v2/venues/${id}`);
    expectError(shown, 400, "param_error");
    expect(shown.body.meta.errorDetail).toBe("The venue with this id was deleted.");
    expect((await sampled.send("GET", `/venues/${id}`)).text).toContain("This venue was deleted.");
    expect((await sampled.userless("/v2/venues/4b00000000000000000000ff")).body.meta.errorDetail).toBe(
      "There is no venue with this id.",
    );
  });

  test("keeps what it took away, and may be repeated by the same caller only", async () => {
    const { id, name } = await host.newVenue();
    await host.annotate(id, "own-1");
    expect(await codeOf(id)).toBe(200);
    const again = await remove(id);
    expect(again.body.response).toEqual({ venue: { id, name } });
    const changes = await prisma.venueChange.findMany({ where: { venueId: id } });
    expect(changes).toMatchObject([
      {
        ...{ kind: "deleted", userId: host.user.userId, clientId: host.application.clientId },
        before: { venue: { id, name }, links: [{ linked_id: "own-1", provider_id: PROVIDER }] },
      },
    ]);
    expect(await prisma.link.count({ where: { linkedId: "own-1" } })).toBe(0);
    const other = await remove(id, (await host.newUser()).token);
    expect(other.body.meta).toMatchObject({ code: 400, errorDetail: "The venue with this id was deleted." });
  });

  test("C34: refuses a venue of another user or application, an imported one, and an unknown one", async () => {
    const { id } = await host.newVenue();
    expect([await codeOf(id, (await host.newUser()).token), await codeOf(id, host.rivalToken)]).toEqual([403, 403]);
    await prisma.venue.update({ where: { id }, data: { creatorId: null, clientId: null } });
    expect([await codeOf(id), await codeOf(randomId()), await codeOf("../x")]).toEqual([403, 400, 400]);
    expect(await isThere(id)).toBe(true);
  });

  test("C34: refuses a venue after a day, and one that others have used", async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => host.newVenue()));
    const [old, visited, linked, merged, fresh] = made.map(({ id }) => id) as [string, string, string, string, string];
    await prisma.venue.update({ where: { id: old }, data: { createdAt: new Date(Date.now() - 24.1 * 3600_000) } });
    await host.asUser("/v2/checkins/add", { venueId: visited }, { method: "POST" });
    await host.annotate(linked, "their-1", { providerId: RIVAL }, { token: host.rivalToken });
    await prisma.movedVenue.create({ data: { id: randomId(), venueId: merged } });
    const answers = await Promise.all([old, visited, linked, merged].map((id) => remove(id)));
    expect(answers.map(({ body }) => [body.meta.code, body.meta.errorDetail])).toEqual([
      [409, "A venue may be deleted only within a day after it was added."],
      [409, "Somebody has checked in at this venue."],
      [409, "Another user or application has linked a listing to this venue."],
      [409, "Another venue was merged into this one."],
    ]);
    await prisma.venue.update({ where: { id: fresh }, data: { createdAt: new Date(Date.now() - 23.9 * 3600_000) } });
    expect(await codeOf(fresh)).toBe(200);
  });

  test("deletes many by lines, and says of each line what became of it", async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => host.newVenue()));
    const ids = made.map(({ id }) => id);
    await host.asUser("/v2/checkins/add", { venueId: ids[1] ?? "" }, { method: "POST" });
    const lines = [...ids, ids[0] ?? "", "unknown"].map((venueId) => JSON.stringify({ venueId }));
    const { text } = await host.send(
      "POST",
      DELETE,
      { v: V, oauth_token: host.user.token },
      { payload: lines.join("\n"), headers: { "content-type": "application/x-ndjson" } },
    );
    const codes = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).meta.code);
    expect(codes).toEqual([200, 409, 200, 200, 200, 400]);
    expect(await Promise.all(ids.map(isThere))).toEqual([false, true, false, false]);
  });

  test("an add that is repeated with its Idempotency-Key adds a deleted venue again, once", async () => {
    const fields = freshVenue();
    const add = async () => venueOf(await host.asUser("/v2/venues/add", fields, { key: "deleted-and-added" })).id;
    const first = await add();
    expect(await add()).toBe(first);
    await remove(first);
    const before = await addedVenues(host);
    const second = await add();
    expect([second === first, await add(), await addedVenues(host)]).toEqual([false, second, before + 1]);
  });

  test("C34: check-ins and a deletion at once leave no check-in without its venue, and lose none", async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await host.newVenue();
      const visit = () => host.asUser("/v2/checkins/add", { venueId: id }, { method: "POST" });
      const [deleted, ...visits] = await Promise.all([remove(id), ...Array.from({ length: 6 }, visit)]);
      const made = visits.filter(({ status }) => status === 200).length;
      expect(await prisma.checkin.count({ where: { venueId: id } })).toBe(made);
      expect(await isThere(id)).toBe(deleted?.status !== 200);
      if (deleted?.status === 200) expect(made).toBe(0);
    }
  });
});
