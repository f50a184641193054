import { expect, onTestFinished, test } from "vitest";
import { distribute } from "../../src/db/citus/distribute.ts";
import { connect } from "../../src/db/connections.ts";
import { testDatabase } from "../support/database/database.ts";

test("venues are not distributed without Citus, and the tables stay as they are", async () => {
  const { url, database } = await testDatabase();
  const client = await connect({ connectionString: url, application_name: "test" });
  onTestFinished(() => client.end());
  await expect(distribute(client, 32)).rejects.toMatchObject({
    status: 409,
    message: "The database has no extension citus. Without it one server holds all venues.",
  });
  const { rowCount } = await database.pool.query("SELECT FROM pg_constraint WHERE conname = 'checkin_venue_id_fkey'");
  expect(rowCount).toBe(1);
});
