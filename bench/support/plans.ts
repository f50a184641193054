import pg from "pg";
import { candidatesOf } from "../../src/directory/venues/candidates.ts";
import type { Listing } from "../../src/matching/prepare.ts";
import type { Size } from "./contenders.ts";
import type { Row } from "./report.ts";
import { TUTORIAL_WAYS } from "./tutorial-ways.ts";

interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

/** One run of a prepared statement: what PostgreSQL planned, and how long it took without the way to the client. */
interface Run {
  indexes: string[];
  planningMs: number;
  executionMs: number;
  looked: number;
  hit: number;
  read: number;
}

interface Node {
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  Plans?: Node[];
}

const RUNS = 100;
/** PostgreSQL decides after five between a plan for the values and a generic one. */
const BEFORE = 6;
const GENERIC = "SELECT sum(generic_plans) > sum(custom_plans) AS is FROM pg_prepared_statements";

/** Explains the searches as their servers run them: prepared, on a connection of the same kind. */
export async function planRows({ pool, url, listings, tutorial }: Size): Promise<Row[]> {
  const listing = (index: number) => listings[index % listings.length] as Listing;
  const rows = [await planRow("match", pool, (index) => matchStatement(listing(index)))];
  if (!tutorial) return rows;
  const plain = new pg.Pool({ connectionString: url, max: 1 });
  const radius = planRow("tutorial by radius", plain, (index) => radiusStatement(listing(index)));
  return [...rows, await radius.finally(() => plain.end())];
}

async function planRow(name: string, pool: pg.Pool, statementOf: (index: number) => Promise<Statement>): Promise<Row> {
  const client = await pool.connect();
  const runs: Run[] = [];
  let isGeneric = false;
  try {
    for (let index = 0; index < BEFORE + RUNS; index++) {
      const statement = await statementOf(index);
      if (index < BEFORE) await client.query(statement);
      else runs.push(await explain(client, statement));
    }
    isGeneric = (await client.query(GENERIC)).rows[0].is;
  } finally {
    client.release();
  }
  const middle = (of: (run: Run) => number) => runs.map(of).sort((a, b) => a - b)[RUNS / 2] ?? Number.NaN;
  return {
    statement: name,
    plan: isGeneric ? "generic" : "for the values",
    index: [...new Set(runs.flatMap(({ indexes }) => indexes))].join(", "),
    "planning ms": middle(({ planningMs }) => planningMs),
    "execution ms": middle(({ executionMs }) => executionMs),
    "rows from indexes": middle(({ looked }) => looked),
    "pages in memory": middle(({ hit }) => hit),
    "pages read": middle(({ read }) => read),
  };
}

const radiusStatement = async (listing: Listing): Promise<Statement> => {
  const { text, valuesOf } = TUTORIAL_WAYS.radius;
  return { name: "radius", text, values: valuesOf(listing) };
};

/** Takes the statement from the search itself. */
async function matchStatement(listing: Listing): Promise<Statement> {
  const asked: Statement[] = [];
  const query = async (statement: Statement) => {
    asked.push(statement);
    return { rows: [] };
  };
  await candidatesOf({ query } as unknown as pg.Pool, listing);
  return asked[0] as Statement;
}

async function explain(client: pg.PoolClient, { name, values }: Statement): Promise<Run> {
  const given = values.map((value) => literal(client, value));
  const { rows } = await client.query(
    `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) EXECUTE ${client.escapeIdentifier(name)} (${given.join()})`,
  );
  const [explained] = rows[0]["QUERY PLAN"];
  const nodes = nodesOf(explained.Plan);
  const scans = nodes.filter((node) => node["Index Name"]);
  return {
    indexes: scans.map((node) => node["Index Name"] ?? ""),
    planningMs: explained["Planning Time"],
    executionMs: explained["Execution Time"],
    looked: scans.reduce((sum, node) => sum + node["Actual Rows"] * node["Actual Loops"], 0),
    hit: explained.Plan["Shared Hit Blocks"],
    read: explained.Plan["Shared Read Blocks"],
  };
}

const literal = (client: pg.PoolClient, value: unknown): string =>
  (value ?? null) === null ? "NULL" : client.escapeLiteral(Array.isArray(value) ? arrayLiteral(value) : String(value));

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const arrayLiteral = (values: unknown[]): string =>
  `{${values.map((value) => ((value ?? null) === null ? "NULL" : `"${String(value).replace(/["\\]/g, "\\$&")}"`)).join()}}`;
