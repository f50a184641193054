import { afterAll, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../src/db/database.ts";
import { deleteVenues } from "../../src/directory/corrections/delete.ts";
import { editVenue } from "../../src/directory/corrections/edit.ts";
import { mergeVenue } from "../../src/directory/corrections/merge.ts";
import { revertChange } from "../../src/directory/corrections/revert.ts";
import { mergeGroups, setApart, undoMerge } from "../../src/directory/duplicates/decide.ts";
import { acceptProposal, declineProposal } from "../../src/directory/proposals/decide.ts";
import { propose, withdrawProposal } from "../../src/directory/proposals/propose.ts";
import { linksHost } from "./api/links-host.ts";

const host = await linksHost();
const { deps, newVenue } = host;

/** Milliseconds that statements may take here. */
const PATIENCE = 200;
const HELD = 400;

const { connectionString } = deps.pool.options;
const impatient = openDatabase(connectionString ?? "", { patience: PATIENCE, connectMs: PATIENCE });
afterAll(() => impatient.close());

const operator = { userId: "olga", clientId: null, isOperator: true };
const idOfNew = async () => (await newVenue()).id;
const merged = async (into: string) => mergeVenue(deps, { id: await idOfNew(), into }, operator);
const proposal = async (id: string, city: string) =>
  propose(deps, { id, wanted: { city }, was: undefined, into: undefined, comment: undefined }, author());
const author = () => ({ ...host.user, isOperator: false, clientId: "another" });

/** Each write that takes locks which others may hold: what it is made ready with, for a venue, and the write. */
const WRITES: Record<string, (id: string, at: number) => Promise<() => Promise<unknown>>> = {
  merge: async (into) => {
    const id = await idOfNew();
    return () => mergeVenue(impatient, { id, into }, operator);
  },
  revert: async (into) => {
    const change = await merged(into);
    return () => revertChange(impatient, change, operator);
  },
  edit: async (id, at) => () => editVenue(impatient, { id, wanted: { city: `Town ${at}` }, was: undefined }, operator),
  delete: async (id) => () => deleteVenues(impatient, [id], host.user),
  propose: async (id, at) => () =>
    propose(impatient, { id, wanted: { zip: `${at}` }, was: undefined, into: undefined, comment: undefined }, author()),
  accept: async (id, at) => {
    const made = await proposal(id, `Town ${at}`);
    return () => acceptProposal(impatient, { id: made, userId: "olga", answer: "", seen: undefined });
  },
  decline: async (id, at) => {
    const made = await proposal(id, `Town ${at}`);
    return () => declineProposal(impatient, { id: made, userId: "olga", answer: "" });
  },
  withdraw: async (id, at) => {
    const made = await proposal(id, `Town ${at}`);
    return () => withdrawProposal(impatient, made, host.user);
  },
  "merge of groups": async (stays) => {
    const others = [await idOfNew(), await idOfNew()];
    return () => mergeGroups(impatient, [{ stays, others }], "olga");
  },
  "undo of a merge of groups": async (stays) => {
    await mergeGroups(deps, [{ stays, others: [await idOfNew()] }], "olga");
    const { rows } = await deps.pool.query("SELECT max(id)::int AS id FROM directory.duplicate_merge");
    return () => undoMerge(impatient, rows[0].id, "olga");
  },
  "setting apart": async (stays) => {
    const other = await idOfNew();
    return () => setApart(impatient, [{ stays, others: [other] }], "olga");
  },
};

/** Holds all that a write of the venue may need, for a moment. */
async function holding(id: string, work: () => Promise<unknown>): Promise<unknown> {
  const client = await deps.pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT FROM directory.venue WHERE id = $1 FOR UPDATE", [id]);
    await client.query("SELECT FROM directory.venue_change FOR UPDATE");
    await client.query("SELECT FROM directory.venue_proposal FOR UPDATE");
    await client.query('SELECT FROM directory."user" FOR UPDATE');
    await client.query("SELECT pg_advisory_xact_lock(72707379)");
    const begun = work();
    begun.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, HELD));
    await client.query("COMMIT");
    return await begun;
  } finally {
    client.release(true);
  }
}

test.each(Object.keys(WRITES))(
  "F84: %s, several at once, waits for those that hold what it needs longer than a statement may take, and reads go on",
  async (kind) => {
    const id = await idOfNew();
    const writes: (() => Promise<unknown>)[] = [];
    for (let at = 0; at < (kind === "delete" ? 1 : 6); at++)
      writes.push(await (WRITES[kind] as (typeof WRITES)[string])(id, at));
    const reads: unknown[] = [];
    await holding(id, async () => {
      const all = writes.map((write) => write());
      for (let at = 0; at < 4; at++) reads.push((await impatient.pool.query("SELECT 1 AS one")).rows[0].one);
      const done = await Promise.allSettled(all);
      expect(
        done.flatMap((each) => (each.status === "rejected" && each.reason.status !== 409 ? [each.reason] : [])),
      ).toEqual([]);
    });
    expect(reads).toEqual([1, 1, 1, 1]);
  },
);

// Takes seconds: the check-ins make each revert as slow as it is at a popular venue. The patience is twelve times one revert, and half
// of all of them.
test("F84: of 26 reverts at once of merges into one venue with many check-ins each is made", async () => {
  const patient = openDatabase(connectionString ?? "", { patience: 2.5 * PATIENCE, connectMs: PATIENCE });
  onTestFinished(() => patient.close());
  const into = await idOfNew();
  await deps.pool.query(
    `INSERT INTO directory.checkin (id, user_id, venue_id, time_zone_offset)
     SELECT $1 || ' ' || g, $2, $1, 0 FROM generate_series(1, 20000) g`,
    [into, host.user.userId],
  );
  const changes: string[] = [];
  for (let at = 0; at < 26; at++) {
    const { id } = await newVenue();
    await host.asUser("/v2/checkins/add", { venueId: id }, { method: "POST" });
    changes.push(await mergeVenue(deps, { id, into }, operator));
  }
  const all = await Promise.allSettled(changes.map((change) => revertChange(patient, change, operator)));
  expect(all.filter(({ status }) => status === "rejected")).toEqual([]);
});
