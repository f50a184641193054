import { expect, test } from "vitest";
import { FOLDER, migrationNames, readMigration } from "../../../src/db/migration-files.ts";
import { LANDED } from "./landed.ts";
import { refusalsOf } from "./refusals.ts";

/** Those before this one landed without the rules. */
const FIRST_BY_THE_RULES = "20261123203000_last_write";

/** Refusals that are no danger, with the reason. */
const ALLOWED: Record<string, string[]> = {
  // No release has ever used it.
  "20261123220000_one_shape": ["directory.idempotency_key.status: the former release may use the column"],
  // No release has been out; the index of words has to hold all names.
  "20261127120000_venue_names": [
    "venue_point_other_names: build the index in the background",
    "drop the index in the background",
    "DROP of OBJECT_FUNCTION: the former release may use it",
    "venue_words: build the index in the background",
    "DROP of OBJECT_MATVIEW: the former release may use it",
    "name_word_key: build the index in the background",
    "name_word_trgm: build the index in the background",
    "CREATE MATERIALIZED VIEW: a step that reads a table is a migration by itself",
  ],
};

const names = await migrationNames(FOLDER);

test.each(names)("F40: the migration %s is as it landed", async (name) => {
  const { checksum } = await readMigration(FOLDER, name);
  const landed = LANDED[name];
  const remedy = landed
    ? "A landed migration is never edited: restore it, and write a new one (npm run migration -- new NAME)."
    : `Add it to test/db/migrations/landed.ts: "${name}": "${checksum}",`;
  expect(landed, remedy).toBe(checksum);
});

test("no landed migration is missing", () => {
  expect(names).toEqual(Object.keys(LANDED));
});

test.each(names.filter((name) => name >= FIRST_BY_THE_RULES))(
  "F40: servers of this and the former release can work while %s runs",
  async (name) => {
    const before = await Promise.all(names.filter((each) => each < name).map((each) => readMigration(FOLDER, each)));
    const refused = await refusalsOf(await readMigration(FOLDER, name), before.map(({ sql }) => sql).join("\n;\n"));
    expect(refused, 'See "a migration" in CONTRIBUTING.md').toEqual(ALLOWED[name] ?? []);
  },
);
