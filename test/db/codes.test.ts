import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type Database, openDatabase } from "../../src/db/database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { separatePrograms } from "../../src/db/roles.ts";
import { PROBLEMS, type Problem } from "../../src/harmonize/run/problems/problems.ts";
import { REASONS, type Reason } from "../../src/harmonize/run/problems/reasons.ts";
import { wordsOf } from "../../src/harmonize/run/problems/words.ts";
import { testDatabase } from "../support/database/database.ts";
import { OLD_ANNOTATIONS, OLD_PROBLEMS, OLD_REASONS } from "./old-sentences.ts";

const FOLDER = path.join(import.meta.dirname, "../../prisma/migrations");
const ID = "00000000-0000-4000-8000-000000000001";
/** Rows without old sentences, enough for two stretches. */
const MORE = 6000;

const db = await testDatabase({ template: "none" });
const { pool } = db.database;
let before: string;
let app: Database; // with the role of the web app, which owns no table

beforeAll(async () => {
  before = mkdtempSync(path.join(inject("run").folder, "before-codes-"));
  const names = readdirSync(FOLDER).sort();
  const newer = names.findIndex((name) => name.endsWith("_codes"));
  for (const name of names.slice(0, newer))
    cpSync(path.join(FOLDER, name), path.join(before, name), { recursive: true });
  await migrate(db.url, { folder: before });
  await writeAsBefore();
  const applied = await migrate(db.url);
  expect(applied.map((name) => name.replace(/^\d+_/, "")).slice(0, 2)).toEqual(["codes", "codes_in_rows"]);
  const { owner, app: url } = await separatePrograms(db.url);
  expect(url).not.toBe(owner);
  app = openDatabase(url);
});

afterAll(async () => {
  await app.close();
  rmSync(before, { recursive: true });
});

/** A code whose parameters do not fit is worded by its name. */
const expectWords = (now: Reason | Problem) => expect(wordsOf(now)).not.toBe(now.code.replaceAll("_", " "));

describe("the migration to codes", () => {
  test.each(OLD_PROBLEMS.map((each, index) => [each.old.message, each, index] as const))(
    "F18: turns a problem into its code: %s",
    async (_, { now }, index) => {
      const { problem } = await listing(index + 1);
      expect(problem).toEqual(now);
      expectWords(now);
    },
  );

  test.each(OLD_REASONS.map((each, index) => [each.old, each, index] as const))(
    "F18: turns a reason into its code: %s",
    async (_, { now }, index) => {
      const row = await listing(1000 + index);
      expect(row).toMatchObject({ why: now, reason: null });
      expectWords(now);
    },
  );

  test.each(OLD_ANNOTATIONS.map((each, index) => [each.old, each, index] as const))(
    "F18: turns the error of an annotation into its code: %s",
    async (_, { now }, index) => {
      const row = await listing(2000 + index);
      expect(row).toMatchObject({ annotation_problem: now, annotation_error: null });
      expectWords(now);
    },
  );

  test("turns the problems of tasks, trials and steps into codes", async () => {
    const { rows } = await pool.query("SELECT name, task, trial FROM app.harmonization ORDER BY name");
    expect(rows).toMatchObject([
      { name: "a", task: { kind: "add", problem: { code: "positions_unanswered" } } },
      { name: "b", task: { kind: "annotate", problem: { code: "no_provider" } } },
      { name: "c", task: { refusal: { code: "not_enabled", said: "Ask us first." } } },
      {
        name: "d",
        trial: {
          error: { code: "rate_limited", wait: 900 },
          examples: [
            { outcome: "failed", line: 2, reasons: [], problem: { code: "no_name" } },
            { outcome: "matched", line: 3, reasons: ["same name"] },
          ],
        },
      },
      { name: "e", trial: { error: { code: "too_many_rows", most: 1_000_000 } } },
    ]);
    const steps = await pool.query("SELECT before FROM app.decision_step ORDER BY id");
    expect(steps.rows.map((row) => row.before)).toEqual([
      { decision: "rejected", why: { code: "none_alike", venues: 2 } },
      { decision: null, reason: null },
    ]);
  });

  test("is tested with a sentence for each code that older versions could write", () => {
    const [problems, annotations, reasons] = [OLD_PROBLEMS, OLD_ANNOTATIONS, OLD_REASONS].map((all) =>
      all.map(({ now }) => now.code),
    );
    const unseen = (codes: object, seen: unknown[]) => Object.keys(codes).filter((code) => !seen.includes(code));
    const elsewhere = ["positions_unanswered", "no_provider", "not_connected", "too_many_rows", "worker_idle"];
    const later = [
      ...["not_undone", "venue_held", "venue_deleted", "no_undo", "add_undone", "elsewhere", "sent_back"],
      ...["mistyped_position", "one_coordinate"],
    ];
    expect(unseen(PROBLEMS, [...(problems ?? []), ...(annotations ?? []), ...elsewhere, ...later])).toEqual([]);
    expect(unseen(REASONS, [...(reasons ?? []), ...later])).toEqual([]);
  });

  test("F18: changes nothing if it is run again", async () => {
    const look = async () => (await pool.query("SELECT * FROM app.listing ORDER BY number")).rows;
    const rows = await look();
    const name = readdirSync(FOLDER).find((each) => each.endsWith("_codes_in_rows")) ?? "";
    await pool.query(readFileSync(path.join(FOLDER, name, "migration.sql"), "utf8"));
    expect(await look()).toEqual(rows);
  });
});

describe("after the migration to codes", () => {
  test("F18: a sentence written by a process of the older version becomes a code", async () => {
    await app.pool.query(
      `UPDATE app.listing SET decision = 'rejected', reason = 'no venue is like it', annotation_error = 'No.',
              problem = '{"code": "rejected", "message": "No such street."}' WHERE number = 3000`,
    );
    expect(await listing(3000)).toMatchObject({
      ...{ reason: null, why: { code: "none_alike", venues: 0 } },
      ...{ annotation_error: null, annotation_problem: { code: "told", said: "No." } },
      problem: { code: "rejected", said: "No such street." },
    });
    await app.pool.query("UPDATE app.listing SET reason = NULL, annotation_error = NULL WHERE number = 3000");
    expect(await listing(3000)).toMatchObject({ why: null, annotation_problem: null });
    await app.pool.query(
      `INSERT INTO app.listing (harmonization_id, number, line, cells, status, problem)
       VALUES ($1, 9000, 9000, '{x}', 'failed', '{"code": "no_name", "message": "This listing has no name.", "column": "Name"}')`,
      [ID],
    );
    expect((await listing(9000)).problem).toEqual({ code: "no_name", column: "Name" });
    const text = `UPDATE app.harmonization SET task = '{"problem": "A sentence."}' WHERE name = 'a' RETURNING task`;
    const { rows } = await app.pool.query(text);
    expect(rows).toEqual([{ task: { problem: { code: "told", said: "A sentence." } } }]);
  });

  test.each([
    ["why", { code: "It was found by hand." }],
    ["why", "found by hand"],
    ["problem", { code: "It has no name." }],
    ["problem", "It has no name."],
    ["annotation_problem", { said: "No." }],
  ])("the database rejects a sentence in %s: %j", async (column, value) => {
    const text = `UPDATE app.listing SET ${column} = $1 WHERE number = 3000`;
    await expect(app.pool.query(text, [JSON.stringify(value)])).rejects.toThrow("listing_codes");
  });
});

/** Writes rows as the previous version did, one per sentence. */
async function writeAsBefore(): Promise<void> {
  const insert = (name: string, end: number, task: object | null, trial: object | null = null) =>
    pool.query(
      `INSERT INTO app.harmonization (id, directory, name, state, header, task, trial)
       VALUES ($1, 'http://directory.test', $2, 'ready', '{name}', $3, $4)`,
      [ID.replace(/1$/, String(end)), name, task, trial],
    );
  const problem =
    "The positions of this file look wrong. Say that they are right, or begin again with them put right. Nothing is added until then.";
  const provider = "No provider id is reserved for this Samespot. Whoever runs it needs to set PROVIDER_ID.";
  await insert("a", 1, { kind: "add", problem });
  await insert("b", 2, { kind: "annotate", problem: provider });
  await insert("c", 3, { refusal: "Ask us first." });
  const slow = "The venue directory asks us to slow down. Please try again in 15 minutes.";
  const examples = [
    { outcome: "failed", line: 2, reasons: ["This listing has no name."] },
    { outcome: "matched", line: 3, reasons: ["same name"] },
  ];
  await insert("d", 4, null, { error: slow, examples });
  const long = "A file may have 1,000,000 rows. Split it and send its parts after each other.";
  await insert("e", 5, null, { error: long, examples: [] });
  await pool.query(
    `INSERT INTO app.listing (harmonization_id, number, line, cells) SELECT $1, n, n, '{x}' FROM generate_series(1, $2::int) AS n`,
    [ID, MORE],
  );
  const write = (set: string, number: number, values: unknown[]) =>
    pool.query(`UPDATE app.listing SET ${set} WHERE number = $1`, [number, ...values]);
  for (const [index, { old }] of OLD_PROBLEMS.entries()) await write("problem = $2", index + 1, [old]);
  for (const [index, { old, decision }] of OLD_REASONS.entries())
    await write("reason = $2, decision = $3", 1000 + index, [old, decision]);
  for (const [index, { old }] of OLD_ANNOTATIONS.entries()) await write("annotation_error = $2", 2000 + index, [old]);
  await pool.query(
    `INSERT INTO app.decision_step (harmonization_id, group_id, account_id, number, before)
     VALUES ($1, $1, $1, 1, '{"decision": "rejected", "reason": "none of the 2 venues like it"}'),
            ($1, $1, $1, 2, '{"decision": null, "reason": null}')`,
    [ID],
  );
}

interface Row {
  problem: Problem | null;
  why: Reason | null;
  annotation_problem: Problem | null;
}

async function listing(number: number): Promise<Row> {
  const { rows } = await pool.query<Row>("SELECT * FROM app.listing WHERE number = $1", [number]);
  return rows[0] as Row;
}
