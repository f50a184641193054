import { beforeAll, expect, test } from "vitest";
import { lockVenues } from "../../../src/directory/corrections/merged-names.ts";
import { revertChange } from "../../../src/directory/corrections/revert.ts";
import { refreshPlaces } from "../../../src/directory/places/refresh.ts";
import { acceptProposal, declineProposal, mergeNew } from "../../../src/directory/proposals/decide.ts";
import { connect, freshVenue, venueOf, venuesOf } from "./host.ts";
import { linksHost } from "./links-host.ts";

const host = await linksHost({ holdNewVenues: "unproven", operators: ["owner"] });
const { prisma, pool } = host.deps;
let olga: string;
let stranger: string;
beforeAll(async () => {
  olga = (await prisma.user.findUniqueOrThrow({ where: { handle: "owner" } })).id;
  stranger = (await host.newUser()).token;
});

type Fields = Record<string, string>;

const add = async (fields: Fields, token = host.user.token, key?: string) =>
  host.asUser("/v2/venues/add", fields, { method: "POST", token, ...(key && { key }) });
const addHeld = async (more: Fields = {}, token?: string) => {
  const fields = freshVenue(more);
  return { ...fields, id: venueOf(await add(fields, token)).id };
};
const proposalOf = async (venueId: string) => {
  const { id, state } = await prisma.venueProposal.findFirstOrThrow({ where: { venueId } });
  return { id: String(id), state };
};
const decision = async (venueId: string, answer = "") => ({ id: (await proposalOf(venueId)).id, userId: olga, answer });
const approve = async (venueId: string) => acceptProposal(host.deps, { ...(await decision(venueId)), seen: undefined });
const search = async (fields: Fields, token: string) =>
  venuesOf(await host.asUser("/v2/venues/search", fields, { token }));
const idsFound = async (fields: Fields, token: string) => (await search(fields, token)).map(({ id }) => id);
const details = (id: string, token: string) => host.asUser(`/v2/venues/${id}`, {}, { token });

test("C70: who added a held venue sees, finds, matches, edits, links and visits it", async () => {
  const { token } = await host.newUser();
  const { id, name, ll } = await addHeld({ address: "1 Long Wharf" }, token);
  const match = { intent: "match", name, ll };
  expect(venueOf(await details(id, token))).toMatchObject({ id, held: true });
  expect(venueOf(await details(id, token)).closed).toBeUndefined();
  for (const fields of [{ ll }, { ll, query: name }, { intent: "global", query: name }, match])
    expect((await idsFound({ ...fields }, token))[0]).toBe(id);
  expect(await search({ ll, intent: "browse", radius: "500" }, token)).toMatchObject([{ id, held: true }]);
  const lines = await host.asUser(
    "/v2/venues/match",
    { listings: JSON.stringify([{ name, ll }]) },
    { token, method: "POST" },
  );
  expect(lines.body.response.responses).toMatchObject([{ response: { venues: [{ id }], confident: true } }]);
  const edit = await host.asUser("/v2/venues/edit", { venueId: id, city: "Newport" }, { token, method: "POST" });
  expect(venueOf(edit)).toMatchObject({ held: true, location: { city: "Newport" } });
  expect((await host.annotate(id, "held 1", {}, { token })).body.meta.code).toBe(200);
  await host.asUser("/v2/checkins/add", { venueId: id }, { token, method: "POST" });
  const visits = await host.asUser("/v2/users/self/checkins", {}, { token });
  expect(visits.body.response.checkins).toMatchObject({ items: [{ venue: { id, held: true } }] });
  const again = await add({ ...freshVenue(), name, ll }, token);
  expect([again.status, again.text.includes(id)]).toEqual([409, true]);
});

test("C70: a held venue can be neither closed nor reopened, which would show it to all", async () => {
  const { token } = await host.newUser();
  const { id, ll } = await addHeld({}, token);
  const closed = await host.asUser("/v2/venues/edit", { venueId: id, closed: "true" }, { token, method: "POST" });
  expect(closed.body.meta).toMatchObject({ code: 409, errorDetail: "This venue is waiting for approval." });
  expect(await idsFound({ ll }, stranger)).not.toContain(id);
});

test("C71: an approved venue is found by all, with the town that it is the first to name", async () => {
  const { id, name, ll } = await addHeld({ city: "Quillhaven", state: "RI" });
  const near = { near: "Quillhaven, RI", query: name };
  const geocode = () => host.asUser("/v2/venues/search", near, { token: stranger });
  expect((await geocode()).body.meta.errorType).toBe("failed_geocode");
  await approve(id);
  expect(venuesOf(await geocode()).map((venue) => venue.id)).toEqual([id]);
  expect(await search({ ll, intent: "browse", radius: "100" }, stranger)).toMatchObject([{ id }]);
  expect(venueOf(await details(id, stranger)).held).toBeUndefined();
});

test("C71: a rejected venue is deleted with its links and check-ins, its user reads why, and a revert puts it back into the queue", async () => {
  const { id } = await addHeld();
  await host.annotate(id, "rejected 1");
  await host.asUser("/v2/checkins/add", { venueId: id }, { method: "POST" });
  await declineProposal(host.deps, await decision(id, "There is no such place."));
  expect(await prisma.venue.count({ where: { id } })).toBe(0);
  expect((await details(id, host.user.token)).body.meta.errorDetail).toBe("The venue with this id was deleted.");
  const own = await host.asUser("/v2/users/self/proposals", { venueId: id });
  expect(own.body.response.proposals).toMatchObject({
    items: [{ new: true, state: "declined", answer: "There is no such place.", venueId: id }],
  });
  const { id: change } = await prisma.venueChange.findFirstOrThrow({ where: { venueId: id } });
  await revertChange(host.deps, String(change), { userId: olga });
  expect((await proposalOf(id)).state).toBe("open");
  expect([(await details(id, host.user.token)).status, (await details(id, stranger)).status]).toEqual([200, 400]);
  await approve(id);
  expect((await details(id, stranger)).status).toBe(200);
});

test("C71: a held venue that was merged leads everyone to the other venue", async () => {
  const [one, other] = [await addHeld(), await addHeld()];
  const early = mergeNew(host.deps, { ...(await decision(one.id)), into: other.id });
  await expect(early).rejects.toMatchObject({ status: 409, message: "This venue is waiting for approval." });
  await approve(other.id);
  await mergeNew(host.deps, { ...(await decision(one.id)), into: other.id });
  for (const token of [host.user.token, stranger]) expect(venueOf(await details(one.id, token)).id).toBe(other.id);
  const own = await host.asUser("/v2/users/self/proposals", { venueId: one.id });
  expect(own.body.response.proposals).toMatchObject({ items: [{ state: "accepted", duplicateOf: other.id }] });
});

test("C71: a held venue is not approved as something else than the operator saw", async () => {
  const { token } = await host.newUser();
  const { id } = await addHeld({}, token);
  await host.asUser("/v2/venues/edit", { venueId: id, name: "Cheap pills" }, { method: "POST", token });
  const seen = { name: "The harmless name" };
  const refused = acceptProposal(host.deps, { ...(await decision(id)), seen });
  await expect(refused).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining("changed it since"),
  });
  expect((await details(id, stranger)).status).toBe(400);
});

test("C70: two users who add the same place are held both, and neither learns of the other", async () => {
  const [one, other] = [await host.newUser(), await host.newUser()];
  const fields = freshVenue();
  const [first, second] = [await add(fields, one.token), await add(fields, other.token)];
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.text).not.toContain(venueOf(first).id);
  await approve(venueOf(first).id);
  await mergeNew(host.deps, { ...(await decision(venueOf(second).id)), into: venueOf(first).id });
  expect(venueOf(await details(venueOf(second).id, other.token)).id).toBe(venueOf(first).id);
});

test("a repeated call with the same key gets the same held venue, and a batch is held line by line", async () => {
  const { token } = await host.newUser();
  const fields = freshVenue();
  const ids = [await add(fields, token, "one-add"), await add(fields, token, "one-add")].map(
    (each) => venueOf(each).id,
  );
  expect(ids[0]).toBe(ids[1]);
  expect(await prisma.venueProposal.count({ where: { venueId: ids[0] ?? "" } })).toBe(1);
  const payload = [freshVenue(), freshVenue()].map((venue) => JSON.stringify(venue)).join("\n");
  const headers = { "content-type": "application/x-ndjson" };
  const lines = await host.send("POST", "/v2/venues/add", { v: "20260101", oauth_token: token }, { headers, payload });
  expect(
    lines.text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).response.venue.held),
  ).toEqual([true, true]);
});

test("a user is proven after three accepted proposals, and an operator from the start", async () => {
  const { token } = await host.newUser();
  for (let count = 0; count < 3; count += 1) await approve((await addHeld({}, token)).id);
  expect(venueOf(await add(freshVenue(), token)).held).toBeUndefined();
  const { clientId } = host.application;
  const operator = await connect(host.deps, { userId: olga, clientId });
  expect(venueOf(await add(freshVenue(), operator.token)).held).toBeUndefined();
});

test("a held venue that its user deletes leaves the queue, and a revert of that puts it back", async () => {
  const { token } = await host.newUser();
  const { id } = await addHeld({}, token);
  await host.asUser("/v2/venues/delete", { venueId: id }, { method: "POST", token });
  expect((await proposalOf(id)).state).toBe("withdrawn");
  const { id: change } = await prisma.venueChange.findFirstOrThrow({ where: { venueId: id } });
  await revertChange(host.deps, String(change), { userId: olga });
  expect((await proposalOf(id)).state).toBe("open");
});

test("C70: the places and streets that the directory gathers know nothing of held venues", async () => {
  const { token } = await host.newUser();
  await addHeld({ city: "Vaulthaven", address: "12 Hidden Quay" }, token);
  const client = await pool.connect();
  await refreshPlaces(client).finally(() => client.release());
  expect(await prisma.place.count({ where: { name: "Vaulthaven" } })).toBe(0);
});

test("C61: a user takes an open proposal back once or again, a held venue with it, and none of another user", async () => {
  const { token } = await host.newUser();
  const { id } = await addHeld({}, token);
  const { id: proposalId } = await proposalOf(id);
  const withdraw = (by: string) => host.asUser("/v2/venues/withdraw", { proposalId }, { method: "POST", token: by });
  expect((await withdraw(stranger)).status).toBe(404);
  for (const _ of [1, 2]) expect((await withdraw(token)).body.response.proposal).toMatchObject({ state: "withdrawn" });
  expect(await prisma.venue.count({ where: { id } })).toBe(0);
  const other = await addHeld({}, token);
  await approve(other.id);
  const decided = await proposalOf(other.id);
  const late = { proposalId: decided.id };
  expect((await host.asUser("/v2/venues/withdraw", late, { method: "POST", token })).status).toBe(409);
  expect((await details(other.id, stranger)).status).toBe(200);
});

test("C71: deleting a held venue, withdrawing it and declining it at the same time ends without a deadlock", async () => {
  const { token } = await host.newUser();
  for (let round = 0; round < 6; round += 1) {
    const { id } = await addHeld({}, token);
    const declined = await decision(id);
    const answers = await Promise.all([
      host.asUser("/v2/venues/delete", { venueId: id }, { method: "POST", token }),
      host.asUser("/v2/venues/withdraw", { proposalId: declined.id }, { method: "POST", token }),
      declineProposal(host.deps, declined).then(
        () => ({ status: 200 }),
        ({ status }) => ({ status }),
      ),
    ]);
    for (const { status } of answers) expect([200, 404, 409]).toContain(status);
    expect(await prisma.venue.count({ where: { id } })).toBe(0);
    expect((await proposalOf(id)).state).toMatch(/^(withdrawn|declined)$/);
  }
});

test("C71: deleting a held venue waits for a decision that has its proposal, and holds nothing that the decision needs", async () => {
  const { token } = await host.newUser();
  const { id } = await addHeld({}, token);
  const deciding = await pool.connect();
  try {
    await deciding.query("BEGIN");
    await deciding.query("SELECT FROM directory.venue_proposal WHERE venue_id = $1 FOR UPDATE", [id]);
    const deleting = host.asUser("/v2/venues/delete", { venueId: id }, { method: "POST", token });
    const waiting = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await expect.poll(async () => (await pool.query(waiting)).rowCount).toBe(1);
    await lockVenues(deciding, [id]);
    await deciding.query("COMMIT");
    expect((await deleting).status).toBe(200);
  } finally {
    deciding.release(true);
  }
});
