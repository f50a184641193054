import type { QueryConfig } from "pg";
import { expect, test } from "vitest";
import { beginEdition, findMissing, noteSeen } from "../../../src/directory/import/release/edition.ts";
import { HEADER, importing, rows } from "./importing.ts";

const VENUES = 3_000;
const { database, write, run } = await importing();

interface Plan {
  "Node Type": string;
  "Relation Name"?: string;
  "Parent Relationship"?: string;
  Plans?: Plan[];
}

const below = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(below)];

/** The full scans of a table that a plan repeats for each row of another table. */
const repeatedScans = (plan: Plan, table: string): Plan[] =>
  below(plan)
    .filter((each) => each["Node Type"] === "Nested Loop")
    .flatMap((loop) => below(loop.Plans?.at(-1) as Plan))
    .filter((each) => each["Node Type"] === "Seq Scan" && each["Relation Name"] === table);

test("the venues that an edition lacks are found without reading all ids of the edition for each venue", async () => {
  await run(write("venues.csv", HEADER + rows(VENUES)));
  const { rows: sources } = await database.pool.query<{ id: number }>(
    "INSERT INTO directory.source (release, dataset, attribution) VALUES ('overture', '', '') RETURNING id",
  );
  await database.pool.query("UPDATE directory.venue SET source_id = $1", [sources[0]?.id]);
  const client = await database.pool.connect();
  try {
    await beginEdition(client);
    const { rows: ids } = await client.query<{ id: string }>("SELECT id FROM directory.venue ORDER BY id");
    const lacking = ids.pop();
    await noteSeen(
      client,
      [...ids, ...ids, ...ids].map(({ id }) => ({ id, isClosed: false })),
    );
    const plans: Plan[] = [];
    const explaining = new Proxy(client, {
      get: (target, name) =>
        name === "query"
          ? async (query: string | QueryConfig) => {
              if (typeof query === "object" && /^\s*INSERT INTO missing/.test(query.text)) {
                const { rows: explained } = await target.query({
                  ...query,
                  text: `EXPLAIN (FORMAT JSON) ${query.text}`,
                });
                plans.push(explained[0]["QUERY PLAN"][0].Plan);
              }
              return target.query(query);
            }
          : Reflect.get(target, name),
    });
    await findMissing(explaining, { release: "overture", extent: {}, many: false });
    expect(plans.flatMap((plan) => repeatedScans(plan, "seen"))).toEqual([]);
    expect(plans).toHaveLength(1);
    expect((await client.query("SELECT id, is_closed FROM missing")).rows).toEqual([{ ...lacking, is_closed: false }]);
  } finally {
    client.release(true);
  }
});
