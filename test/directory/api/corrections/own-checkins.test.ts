import { expect, test } from "vitest";
import { addApplication } from "../../../../src/directory/applications/applications.ts";
import { type ApiHost, connect } from "../host.ts";
import { linksHost } from "../links-host.ts";

const host = await linksHost();
const { prisma } = host.deps;
type User = ApiHost["user"];

const call = (name: "add" | "edit" | "delete", user: User, fields: Record<string, string>, key?: string) =>
  host.asUser(`/v2/checkins/${name}`, fields, { method: "POST", token: user.token, ...(key && { key }) });
const checkIn = async (user: User, venueId: string, shout = "Helo"): Promise<string> =>
  ((await call("add", user, { venueId, shout })).body.response.checkin as { id: string }).id;
const history = async ({ token }: User) => {
  const { body } = await host.asUser("/v2/users/self/checkins", {}, { token });
  return body.response.checkins as { count: number; items: { id: string; shout?: string; editable?: boolean }[] };
};
const countsOf = async (id: string) =>
  prisma.venue.findUniqueOrThrow({ where: { id }, select: { checkinsCount: true, usersCount: true } });
const refusalOf = async (answer: ReturnType<typeof call>) => {
  const { meta } = (await answer).body;
  return [meta.code, meta.errorType];
};

/** The same user with another application. */
async function withAnother(user: User): Promise<User> {
  const about = { ownerId: user.userId, name: "Another app", redirectUris: ["https://another.example/callback"] };
  const { clientId } = await addApplication(host.deps, about);
  return connect(host.deps, { userId: user.userId, clientId });
}

test("a user changes what they said to a check-in, or takes it away", async () => {
  const user = await host.newUser();
  const { id: venueId } = await host.newVenue();
  const id = await checkIn(user, venueId);
  const edited = await call("edit", user, { checkinId: id, shout: "Hello" });
  expect(edited.body.response.checkin).toMatchObject({ id, shout: "Hello", editable: true, venue: { id: venueId } });
  expect((await history(user)).items).toMatchObject([{ id, shout: "Hello", editable: true }]);
  await call("edit", user, { checkinId: id });
  expect((await history(user)).items[0]).not.toHaveProperty("shout");
  expect((await call("edit", user, { checkinId: id, shout: "x".repeat(201) })).status).toBe(400);
  expect(await countsOf(venueId)).toEqual({ checkinsCount: 1, usersCount: 1 });
});

test("a deleted check-in is gone from the history and from the counts of its venue, also after a merge", async () => {
  const [user, other] = [await host.newUser(), await host.newUser()];
  const { id: venueId } = await host.newVenue();
  const { id: merged } = await host.newVenue();
  const [first, second] = [await checkIn(user, venueId), await checkIn(user, venueId)];
  const third = await checkIn(other, venueId);
  expect((await call("delete", user, { checkinId: first })).body.response).toEqual({ checkin: { id: first } });
  expect(await countsOf(venueId)).toEqual({ checkinsCount: 2, usersCount: 2 });
  await call("delete", user, { checkinId: second });
  expect(await history(user)).toEqual({ count: 0, items: [] });
  expect(await countsOf(venueId)).toEqual({ checkinsCount: 1, usersCount: 1 });
  await prisma.checkin.updateMany({ where: { id: third }, data: { venueId: merged } });
  await prisma.venue.update({ where: { id: merged }, data: { checkinsCount: 1, usersCount: 1 } });
  await call("delete", other, { checkinId: third });
  expect(await countsOf(merged)).toEqual({ checkinsCount: 0, usersCount: 0 });
});

test("C76: nobody changes or deletes another user's check-in, or learns that there is one", async () => {
  const [user, stranger] = [await host.newUser(), await host.newUser()];
  const { id: venueId } = await host.newVenue();
  const id = await checkIn(user, venueId);
  for (const checkinId of [id, "none", "0123456789abcdef01234567"])
    for (const name of ["edit", "delete"] as const) {
      const [code, type] = await refusalOf(call(name, stranger, { checkinId, shout: "Mine" }));
      expect([checkinId, name, code, type]).toEqual([checkinId, name, 404, "endpoint_error"]);
    }
  expect(await refusalOf(call("delete", stranger, { checkinId: "\u0000" }))).toEqual([400, "param_error"]);
  expect((await history(user)).items).toMatchObject([{ id, shout: "Helo" }]);
  expect(await countsOf(venueId)).toEqual({ checkinsCount: 1, usersCount: 1 });
});

test("C76: an application changes and deletes only check-ins that were made through it, and those from before that was recorded", async () => {
  const user = await host.newUser();
  const elsewhere = await withAnother(user);
  const { id: venueId } = await host.newVenue();
  const id = await checkIn(user, venueId);
  for (const name of ["edit", "delete"] as const)
    expect(await refusalOf(call(name, elsewhere, { checkinId: id, shout: "Mine" }))).toEqual([403, "not_authorized"]);
  expect((await history(elsewhere)).items[0]).not.toHaveProperty("editable");
  expect((await history(user)).items).toMatchObject([{ id, shout: "Helo", editable: true }]);
  await prisma.checkin.updateMany({ where: { id }, data: { clientId: null } });
  expect((await history(elsewhere)).items).toMatchObject([{ id, editable: true }]);
  expect((await call("delete", elsewhere, { checkinId: id })).status).toBe(200);
});

test("C76: a deletion sent eight times at once, beside check-ins, counts once", async () => {
  const [user, other] = [await host.newUser(), await host.newUser()];
  const { id: venueId } = await host.newVenue();
  const id = await checkIn(user, venueId);
  const deletions = Array.from({ length: 8 }, () => call("delete", user, { checkinId: id }));
  const visits = Array.from({ length: 4 }, () => call("add", other, { venueId }));
  const statuses = (await Promise.all(deletions)).map(({ status }) => status).toSorted();
  expect(statuses).toEqual([200, ...Array(7).fill(404)]);
  expect((await Promise.all(visits)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await countsOf(venueId)).toEqual({ checkinsCount: 4, usersCount: 1 });
  expect(await prisma.checkin.count({ where: { venueId } })).toBe(4);
});

test("C76: of a user whose check-ins at a venue are all deleted at once, none is counted", async () => {
  const user = await host.newUser();
  const { id: venueId } = await host.newVenue();
  for (let round = 0; round < 6; round++) {
    const ids = await Promise.all([1, 2, 3].map(() => checkIn(user, venueId)));
    await Promise.all(ids.map((checkinId) => call("delete", user, { checkinId })));
    expect(await countsOf(venueId)).toEqual({ checkinsCount: 0, usersCount: 0 });
  }
});

test("C76: a repetition with the same Idempotency-Key returns the same answer; with other parameters it is a 409", async () => {
  const user = await host.newUser();
  const { id: venueId } = await host.newVenue();
  const [first, second] = [await checkIn(user, venueId), await checkIn(user, venueId)];
  const edit = (checkinId: string, shout: string) => call("edit", user, { checkinId, shout }, "edit-once");
  const { response } = (await edit(first, "Hello")).body;
  await call("edit", user, { checkinId: first, shout: "Later" });
  expect((await edit(first, "Hello")).body.response).toEqual(response);
  expect((await history(user)).items.map(({ shout }) => shout)).toEqual(["Helo", "Later"]);
  expect((await edit(second, "Hello")).status).toBe(409);
  const remove = (checkinId: string) => call("delete", user, { checkinId }, "delete-once");
  const answers = await Promise.all([remove(first), remove(first), remove(first)]);
  expect(answers.map(({ body }) => body.response)).toEqual(Array(3).fill({ checkin: { id: first } }));
  expect((await remove(second)).status).toBe(409);
  expect(await countsOf(venueId)).toEqual({ checkinsCount: 1, usersCount: 1 });
});
