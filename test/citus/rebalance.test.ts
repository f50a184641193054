import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { type ApiHost, apiHost, freshVenue, venueOf, venuesOf } from "../directory/api/host.ts";
import { CITUS_URL } from "../support/database/citus.ts";
import { FOLDER } from "./servers.ts";

const TRIES = 20;

describe.skipIf(!FOLDER)("a rebalance of the Citus cluster", async () => {
  const host = FOLDER ? await apiHost({ sample: true }) : ({} as ApiHost);

  test("F42: moves venues between nodes while they are found and others are added", async () => {
    const admin = await connect(host);
    const placements = async (port?: number) => (await admin.query<Placement>(PLACEMENTS, [port])).rows;
    const [node] = await placements();
    if (!node) throw new Error("The venues are on no node.");
    const answers = await during(host, async () => {
      await admin.query("SELECT citus_drain_node($1, $2)", [node.host, node.port]);
      expect(await placements(node.port)).toEqual([]);
      await admin.query("SELECT citus_set_node_property($1, $2, 'shouldhaveshards', true)", [node.host, node.port]);
      await admin.query("SELECT citus_rebalance_start('by_shard_count')");
      await admin.query("SELECT citus_rebalance_wait()");
      expect(await placements(node.port)).toEqual([node]);
    });
    expect(answers).toEqual(["add 200, found", "match 200, found", "search 200"]);
  });
});

interface Placement {
  host: string;
  port: number;
}

const PLACEMENTS = `SELECT DISTINCT nodename AS host, nodeport AS port FROM pg_dist_shard_placement
  WHERE shardid IN (SELECT shardid FROM pg_dist_shard WHERE logicalrelid = 'directory.venue'::regclass)
    AND ($1::int IS NULL OR nodeport = $1) ORDER BY 2`;

/** Connects to the host's database, without limits. */
async function connect({ deps }: ApiHost): Promise<pg.Client> {
  const { rows } = await deps.pool.query("SELECT current_database() AS name");
  const url = new URL(CITUS_URL ?? "");
  url.pathname = rows[0].name;
  const client = new pg.Client(url.href);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Calls without pause until `work` ends, and returns the different answers. */
async function during(host: ApiHost, work: () => Promise<void>): Promise<string[]> {
  const answers = new Set<string>();
  let isOver = false;
  const calls = await callsOf(host);
  const callers = calls.map(async (call) => {
    for (let at = 0; !isOver; at++) answers.add(await call(at));
  });
  await work().finally(() => {
    isOver = true;
    return Promise.all(callers);
  });
  return [...answers].sort();
}

async function callsOf({ deps, userless, asUser }: ApiHost): Promise<((at: number) => Promise<string>)[]> {
  const { rows } = await deps.pool.query<{ id: string; name: string; ll: string }>(
    "SELECT id, name, lat || ',' || lng AS ll FROM directory.venue WHERE phone IS NULL ORDER BY id LIMIT 500",
  );
  const listing = (at: number) => rows[at % rows.length] as (typeof rows)[number];
  const match = async ({ id, name, ll }: { id: string; name: string; ll: string }) => {
    const answer = await userless("/v2/venues/search", { intent: "match", query: name, ll });
    const isFound = answer.status === 200 && venuesOf(answer).some((venue) => venue.id === id);
    return `${answer.status}, ${isFound ? "found" : "not found"}`;
  };
  const add = async (venue: Record<string, string>, key: string) => {
    for (let tried = 1; ; tried++) {
      const answer = await asUser("/v2/venues/add", venue, { key });
      if (answer.status !== 503 || tried === TRIES) return answer;
    }
  };
  return [
    async (at) => `match ${await match(listing(at))}`,
    async (at) => {
      const { status } = await userless("/v2/venues/search", { query: listing(7 * at).name, intent: "global" });
      return `search ${status}`;
    },
    async (at) => {
      const venue = freshVenue({ ll: `${(at % 600) / 10},${21 + at / 600}` }); // far from others, however many
      const answer = await add(venue, `rebalance-${at}`);
      return `add ${answer.status === 200 ? await match({ ...venueOf(answer), ll: venue.ll }) : answer.status}`;
    },
  ];
}
