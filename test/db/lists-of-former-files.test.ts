import { expect, test } from "vitest";
import { HISTORY, migrate } from "../../src/db/migrate.ts";
import { FOLDER, migrationNames } from "../../src/db/migration-files.ts";
import { buildSchema } from "../../src/db/restoring.ts";
import { testDatabase } from "../support/database/database.ts";

const LISTS = "20261127200000_lists";
const [ANN, BOB] = ["a", "b"].map((digit) => `0192f0c1-0000-7000-8000-00000000000${digit}`);
const id = (name: string) => `0192f0c1-0000-7000-9000-${name.padStart(12, "0")}`;

/** Names of files, each with owner and previous edition. */
const FILES: [name: string, owner: string | undefined, previous?: string][] = [
  ["1", ANN],
  ["2", ANN, "1"],
  ["3", ANN, "2"],
  ["4", ANN, "2"], // a second edition of the same one
  ["5", BOB, "3"], // of another's shared file
  ["6", BOB, "5"],
  ["7", undefined], // of the command line
  ["8", undefined, "7"],
  ["9", ANN],
];

test("a file of a former release belongs to one list with its editions of the same owner, who owns it", async () => {
  const { url, database } = await testDatabase({ template: "none" });
  const { pool } = database;
  const former = (await migrationNames(FOLDER)).filter((name) => name < LISTS);
  const client = await pool.connect();
  await client.query(HISTORY);
  await buildSchema(client, former).finally(() => client.release());
  for (const account of [ANN, BOB])
    await pool.query("INSERT INTO app.account (id, directory, external_id) VALUES ($1, 'http://d', $2)", [
      account,
      account,
    ]);
  for (const [name, owner, previous] of FILES)
    await pool.query(
      "INSERT INTO app.harmonization (id, directory, name, state, account_id, previous_id) VALUES ($1, 'http://d', $2, 'ready', $3, $4)",
      [id(name), `${name}.csv`, owner, previous && id(previous)],
    );
  await migrate(url);
  const { rows } = await pool.query(
    `SELECT string_agg(h.name, ' ' ORDER BY h.id) AS files, a.name, (SELECT array_agg(account_id || ' ' || role) FROM app.list_person p WHERE p.list_id = a.id) AS people
       FROM app.list a JOIN app.harmonization h ON h.list_id = a.id GROUP BY a.id ORDER BY a.id`,
  );
  expect(rows).toEqual([
    { files: "1.csv 2.csv 3.csv 4.csv", name: "1.csv", people: [`${ANN} owner`] },
    { files: "5.csv 6.csv", name: "5.csv", people: [`${BOB} owner`] },
    { files: "7.csv 8.csv", name: "7.csv", people: null },
    { files: "9.csv", name: "9.csv", people: [`${ANN} owner`] },
  ]);
});
