import { beforeAll, expect, test } from "vitest";
import { listChanges } from "../../../../src/directory/corrections/record.ts";
import { acceptProposal, declineProposal } from "../../../../src/directory/proposals/decide.ts";
import { KnownError } from "../../../../src/shared/errors.ts";
import { linksHost } from "../links-host.ts";

const host = await linksHost();
const { prisma, pool } = host.deps;
let user: Awaited<ReturnType<typeof host.newUser>>;
let olga: string;
beforeAll(async () => {
  user = await host.newUser();
  olga = (await host.newUser()).userId;
});

const propose = async (fields: Record<string, string>, token = user.token) => {
  const { body } = await host.asUser("/v2/venues/propose", fields, { method: "POST", token });
  return { meta: body.meta, proposal: body.response.proposal as { id: string; state: string } | undefined };
};
const idOf = async (...of: Parameters<typeof propose>) => (await propose(...of)).proposal?.id ?? "";
const own = async (fields: Record<string, string> = {}, token = user.token) =>
  (await host.asUser("/v2/users/self/proposals", fields, { token })).body.response.proposals as {
    count: number;
    items: object[];
  };
const accept = (id: string, seen?: Record<string, string>) =>
  acceptProposal(host.deps, { id, userId: olga, answer: "Thank you", seen });
const city = async (id: string) => (await prisma.venue.findUniqueOrThrow({ where: { id } })).city;

test("a user proposes an edit, which changes nothing until an operator accepts it, and reads what became of it", async () => {
  const { id } = await host.newVenue({ city: "Providence" });
  const proposed = await propose({
    venueId: id,
    city: "Cranston",
    empty: "phone",
    comment: "It moved.\r\nTo Park Ave",
  });
  expect(proposed.meta.code).toBe(200);
  expect(proposed.proposal).toMatchObject({
    ...{ venueId: id, state: "open", values: { city: "Cranston" }, comment: "It moved.\nTo Park Ave" },
  });
  expect([await city(id), await prisma.venueChange.count({ where: { venueId: id } })]).toEqual(["Providence", 0]);
  await accept(proposed.proposal?.id ?? "");
  const [item] = (await own({ venueId: id })).items;
  expect(item).toMatchObject({ state: "accepted", answer: "Thank you", change: { id: expect.any(String) } });
  expect(await city(id)).toBe("Cranston");
  const [change] = await listChanges(pool, [id]);
  const handles = await prisma.user.findMany({ where: { id: { in: [olga, user.userId] } } });
  const handleOf = (one: string) => handles.find((each) => each.id === one)?.handle;
  expect(change).toMatchObject({ kind: "edited", actor: handleOf(olga), proposers: handleOf(user.userId) });
});

test("a reported duplicate is merged when it is accepted, and a declined report says why", async () => {
  const [one, other] = [await host.newVenue(), await host.newVenue()];
  const first = await idOf({ venueId: one.id, duplicateOf: other.id });
  const second = await idOf({ venueId: other.id, duplicateOf: one.id });
  await declineProposal(host.deps, { id: second, userId: olga, answer: "The other way round." });
  await accept(first);
  expect((await own()).items.slice(0, 2)).toMatchObject([
    { id: second, state: "declined", answer: "The other way round.", values: {}, duplicateOf: one.id },
    { id: first, state: "accepted" },
  ]);
  expect(await prisma.movedVenue.findUnique({ where: { id: one.id } })).toMatchObject({ venueId: other.id });
});

test("an edit that the user may make is made at once, and a report of a duplicate is not", async () => {
  const { id } = await host.newVenue();
  const made = await propose({ venueId: id, city: "Bristol" }, host.user.token);
  expect([made.proposal?.state, await city(id)]).toEqual(["accepted", "Bristol"]);
  const report = await propose({ venueId: id, duplicateOf: (await host.newVenue()).id }, host.user.token);
  expect(report.proposal?.state).toBe("open");
});

test("C61: proposals by guests, of wrong values and without a difference are refused, and users see only their own", async () => {
  const { id } = await host.newVenue({ city: "Providence" });
  const codeOf = async (...of: Parameters<typeof propose>) => (await propose(...of)).meta.code;
  expect(await codeOf({ venueId: id, city: "X" }, "none")).toBe(401);
  expect((await host.userless("/v2/users/self/proposals")).body.meta).toMatchObject({ errorType: "invalid_auth" });
  const wrong = [{ phone: "none" }, { name: "…" }, { empty: "name" }, {}, { duplicateOf: id }, { duplicateOf: "none" }];
  const both = { city: "X", duplicateOf: (await host.newVenue()).id };
  const long = { city: "X", comment: "x".repeat(301) };
  for (const fields of [...wrong, both, long])
    expect([fields, await codeOf({ venueId: id, ...fields } as Record<string, string>)]).toEqual([fields, 400]);
  expect(await codeOf({ venueId: id, city: "Providence" })).toBe(409);
  expect((await propose({ venueId: id, city: "X", was: '{"city":"Cranston"}' })).meta.errorDetail).toContain(
    'city "Providence"',
  );
  await propose({ venueId: id, city: "Warwick" });
  expect((await own({}, (await host.newUser()).token)).count).toBe(0);
  const theirs = await host.asUser(`/v2/users/${user.userId}/proposals`, {}, { token: host.user.token });
  expect(theirs.body.meta.code).toBe(400);
  expect(await city(id)).toBe("Providence");
});

test("C61: the same proposal sent twenty times at once is one, and a user may have fifty open ones", async () => {
  const { token, userId } = await host.newUser();
  const { id } = await host.newVenue();
  const same = await Promise.all(Array.from({ length: 20 }, () => idOf({ venueId: id, city: "Same" }, token)));
  expect(new Set(same).size).toBe(1);
  const refused: { meta: { code: number; errorDetail?: string | undefined } }[] = [];
  for (let start = 0; start < 60; start += 12) {
    const some = Array.from({ length: 12 }, (_, at) => propose({ venueId: id, city: `City ${start + at}` }, token));
    refused.push(...(await Promise.all(some)).filter(({ meta }) => meta.code === 409));
  }
  expect(refused).toHaveLength(11);
  expect(refused[0]?.meta.errorDetail).toContain("You have 50 open proposals.");
  expect(await prisma.venueProposal.count({ where: { userId, state: "open" } })).toBe(50);
  expect(await idOf({ venueId: id, city: "Same" }, token)).toBe(same[0]);
});

test("C62: the same proposal of two users, decided by many operators at once, is carried out once", async () => {
  const { id } = await host.newVenue();
  const other = await host.newUser();
  const ids = [await idOf({ venueId: id, city: "Once" }), await idOf({ venueId: id, city: "Once" }, other.token)];
  const decisions = Array.from({ length: 20 }, (_, at) => {
    const each = ids[at % 2] ?? "";
    const decided = at % 4 < 2 ? accept(each) : declineProposal(host.deps, { id: each, userId: olga, answer: "" });
    return decided.then(
      () => 1,
      (error) => (error instanceof KnownError && error.status === 409 ? 0 : Promise.reject(error)),
    );
  });
  expect((await Promise.all<number>(decisions)).reduce((sum, each) => sum + each)).toBe(1);
  const rows = await prisma.venueProposal.findMany({ where: { venueId: id } });
  expect(new Set(rows.map(({ state, changeId }) => `${state} ${changeId}`)).size).toBe(1);
  const made = rows[0]?.state === "accepted" ? 1 : 0;
  expect(await prisma.venueChange.count({ where: { venueId: id } })).toBe(made);
});

test("C62: a proposal is not carried out over what the operator has not seen, and follows a merge", async () => {
  const { id } = await host.newVenue({ city: "Providence" });
  const proposal = await idOf({ venueId: id, city: "Cranston" });
  await prisma.venue.update({ where: { id }, data: { city: "Warwick" } });
  await expect(accept(proposal)).rejects.toThrow('city "Warwick"');
  const into = await host.newVenue({ city: "Warwick" });
  await accept(await idOf({ venueId: id, duplicateOf: into.id }));
  await accept(proposal, { city: "Warwick" });
  expect(await city(into.id)).toBe("Cranston");
  await expect(accept("999999")).rejects.toThrow("no such proposal");
});
