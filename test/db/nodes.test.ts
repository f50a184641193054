import { expect, test } from "vitest";
import { noteDistributed } from "../../src/db/citus/distributed.ts";
import { lookAtNodes } from "../../src/db/citus/nodes.ts";
import { testDatabase } from "../support/database/database.ts";

const {
  database: { pool },
} = await testDatabase({ template: "none", onOneServer: true });

/** What is asked of Citus: a table of the nodes, and a function that opens a connection to each of them. */
const NODES = `
  CREATE TABLE pg_dist_node (nodename text, nodeport int, groupid int, isactive bool);
  INSERT INTO pg_dist_node VALUES ('db0', 5432, 0, true), ('db1', 5432, 1, true), ('db2', 5432, 2, true), ('db3', 5432, 3, false);
  CREATE SEQUENCE connection;
  CREATE FUNCTION master_run_on_worker(text[], int[], text[], bool) RETURNS TABLE (success bool) LANGUAGE sql
    AS $$ SELECT $1[1] = 'db1' AND nextval('connection') > 0 $$`;

test("F42: twenty looks at the nodes at once open one connection to each, and say which does not answer", async () => {
  noteDistributed(pool);
  await expect(lookAtNodes(pool)).rejects.toThrow("pg_dist_node");
  await pool.query(NODES);
  const looks = await Promise.all(Array.from({ length: 20 }, () => lookAtNodes(pool)));
  const nodes = [
    { name: "db1:5432", answers: true },
    { name: "db2:5432", answers: false },
  ];
  expect(looks).toEqual(looks.map(() => nodes));
  const { rows } = await pool.query("SELECT last_value::int AS connections FROM connection");
  expect(rows).toEqual([{ connections: 1 }]);
});
