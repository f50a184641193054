import { expect, test } from "vitest";
import { exportText } from "../../../src/harmonize/export/export.ts";
import { carryDecisionsOver } from "../../../src/harmonize/file/carry-over.ts";
import { addNote, notesOf, waitingIn } from "../../../src/harmonize/review/notes.ts";
import type { Harmonizer } from "../../../src/harmonize/run/deps.ts";
import { type Harmonization, loadHarmonization } from "../../../src/harmonize/run/harmonizations.ts";
import { testDatabase } from "../../support/database/database.ts";
import { makeAccount, makeHarmonization } from "../rows.ts";

const DIRECTORY = "http://directory.test";
const { database } = await testDatabase();
const { prisma, pool } = database;
const deps = { prisma, pool, directoryUrl: DIRECTORY } as unknown as Harmonizer;
const [ann, bob] = [
  await makeAccount(database, "Ann", DIRECTORY),
  await makeAccount(database, "Bob", DIRECTORY),
] as const;

/** Three rows; of the second the values are others in each edition. */
async function newEdition(previous?: Harmonization): Promise<Harmonization> {
  const listings = [0, 1, 2].map((at) => ({
    name: `Shop ${at}`,
    more: { print: Buffer.from([at === 1 && previous ? 9 : at]) },
  }));
  const more = previous ? { previousId: previous.id } : {};
  const made = await makeHarmonization(database, ann, listings, { directory: DIRECTORY, ...more });
  const reviewer = { listId: made.listId, accountId: bob, role: "reviewer" as const };
  if (!previous) await prisma.listPerson.create({ data: reviewer });
  const h = (await loadHarmonization(deps, made.id)) as Harmonization;
  if (!previous) return h;
  const client = await pool.connect();
  await carryDecisionsOver(client, h, previous.id).finally(() => client.release());
  return h;
}

const write = (h: Harmonization, by: string, number: number, text: string, askedId?: string) =>
  addNote(pool, { h, person: { id: by, isAdmin: false }, number }, { text, askedId });

async function exported(h: Harmonization): Promise<string[]> {
  let text = "";
  for await (const piece of exportText(deps, h, { format: "csv", hasCandidates: false })) text += piece;
  return text.trim().split("\r\n");
}

test("W151: notes and questions go on with an unchanged row into the next edition, once, and wait only there", async () => {
  const first = await newEdition();
  expect((await exported(first))[0], "without notes there is no column").not.toContain("note");
  await write(first, ann, 1, "Closed on Mondays");
  await write(first, ann, 2, "Of a row that changes");
  await write(first, ann, 3, "Is it the pier?", bob);
  const waitingFor = async (who: string) => {
    const all = await waitingIn(pool, who);
    return [first.id, second.id].map((id) => all.get(id) ?? { questions: 0, answers: 0 });
  };
  const second = await newEdition(first);
  const textsOf = async (number: number) =>
    (await notesOf(pool, { h: second, number })).map(({ by, text, isOpen }) => [by, text, isOpen]);
  expect([await textsOf(1), await textsOf(2), await textsOf(3)]).toEqual([
    [["Ann", "Closed on Mondays", false]],
    [],
    [["Ann", "Is it the pier?", true]],
  ]);
  expect(await waitingFor(bob)).toEqual([
    { questions: 0, answers: 0 },
    { questions: 1, answers: 0 },
  ]);
  await write(second, bob, 3, "It is");
  expect(
    [await waitingFor(bob), await waitingFor(ann)].map((each) => each.map((is) => is.questions + is.answers)),
  ).toEqual([
    [0, 0],
    [0, 1],
  ]);
  const [header = "", one = "", two = "", three = ""] = await exported(second);
  expect(header).toMatch(/,note$/);
  expect([one, two].map((row) => row.split(",").at(-1))).toEqual(["Ann: Closed on Mondays", ""]);
  expect(three).toMatch(/"Ann: Is it the pier\?\nBob: It is"$/);
  await prisma.harmonization.delete({ where: { id: second.id } });
  expect((await waitingFor(bob))[0], "the edition is gone").toEqual({ questions: 1, answers: 0 });
});
