import { beforeEach } from "vitest";
import { searchDuplicates } from "../../../src/directory/duplicates/run.ts";
import { importing } from "../import/importing.ts";

const COLUMNS = ["id", "name", "lat", "lng", "address", "city", "phone", "category"] as const;

type Fields = Partial<Record<(typeof COLUMNS)[number], string | number>>;

/** Sets up a database without venues and duplicates before each test. */
export async function searching() {
  const directory = await importing();
  const { pool } = directory.database;
  const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await pool.query(text, values)).rows as Row[];
  beforeEach(() =>
    query(
      "TRUNCATE directory.duplicate_pair, directory.duplicate_portion, directory.duplicate_merge, directory.duplicate_run, directory.venue_change",
    ),
  );

  /** Adds venues in Providence, or changes them. */
  async function store(...venues: Fields[]): Promise<void> {
    const lines = venues.map((fields) => {
      const all: Fields = { lat: 41.8268, lng: -71.4029, city: "Providence", ...fields };
      return COLUMNS.map((column) => all[column] ?? "").join(",");
    });
    await directory.run(directory.write("some.csv", [COLUMNS.join(","), ...lines, ""].join("\n")), { keepIds: true });
  }

  const pairs = async (): Promise<string[]> =>
    (
      await query<{ key: string }>(
        "SELECT a_id || ' ' || b_id AS key FROM directory.duplicate_pair WHERE different_at IS NULL ORDER BY a_id, b_id",
      )
    ).map(({ key }) => key);

  return { ...directory, pool, query, store, pairs, search: () => searchDuplicates({ pool }) };
}
