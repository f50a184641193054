import { beforeAll, describe, expect, test } from "vitest";
import { addApplication } from "../../../src/directory/applications/applications.ts";
import type { TokenPair } from "../../../src/directory/tokens.ts";
import { apiHost, connect, V } from "../api/host.ts";
import { apiInstance } from "../api/instances.ts";

const LIMIT = 10;

const host = await apiHost();
const { pool } = host.deps;
let caller: TokenPair & { token: string };
beforeAll(async () => {
  const { userId } = await host.newUser();
  const redirectUris = ["https://app.example/callback"];
  const { clientId } = await addApplication(host.deps, {
    ownerId: userId,
    name: "App",
    redirectUris,
    rateLimit: LIMIT,
  });
  caller = await connect(host.deps, { userId, clientId });
});

interface Kind {
  group: string;
  refusal: number;
  /** What one call may count as. */
  most: number;
  send: (cost: number) => ReturnType<typeof host.send>;
}

const query = () => ({ v: V, oauth_token: caller.token });

const byLine = (path: string, group: string, most: number): [string, Kind] => [
  `${path} by lines`,
  {
    ...{ group, most, refusal: 403 },
    send: (cost) =>
      host.send("POST", path, query(), {
        payload: "{}\n".repeat(cost),
        headers: { "content-type": "application/x-ndjson" },
      }),
  },
];

/** Every call that may count as more than one. */
const KINDS: [name: string, kind: Kind][] = [
  byLine("/v2/venues/match", "venues/match", 5000),
  byLine("/v2/venues/match/lines", "venues/match", 5000),
  byLine("/v2/venues/lookup", "venues/lookup", 5000),
  byLine("/v2/venues/add", "venues", 500),
  byLine("/v2/venues/annotate", "venues", 500),
  byLine("/v2/venues/delete", "venues", 500),
  [
    "venues/match by form",
    {
      ...{ group: "venues/match", most: 500, refusal: 403 },
      send: (cost) =>
        host.send(
          "POST",
          "/v2/venues/match",
          {},
          { body: { ...query(), listings: JSON.stringify(Array(cost).fill({})) } },
        ),
    },
  ],
  [
    "multi",
    {
      ...{ group: "multi", most: 5, refusal: 403 },
      send: (cost) =>
        host.send("GET", "/v2/multi", { ...query(), requests: Array(cost).fill("/venues/categories").join() }),
    },
  ],
  [
    "reconciliation 0.2",
    {
      ...{ group: "queries", most: 50, refusal: 429 },
      send: (cost) => {
        const queries = Object.fromEntries(Array.from({ length: cost }, (_, at) => [`q${at}`, { query: "Spot" }]));
        return host.send("GET", "/reconcile/0.2", { oauth_token: caller.token, queries: JSON.stringify(queries) });
      },
    },
  ],
  [
    "reconciliation 1.0",
    {
      ...{ group: "queries", most: 50, refusal: 429 },
      send: (cost) => {
        const queries = Array(cost).fill({ conditions: [{ matchType: "name", propertyValue: "Spot" }] });
        const payload = JSON.stringify({ queries });
        const headers = { "content-type": "application/json" };
        return host.send("POST", "/reconcile/1.0/match", { oauth_token: caller.token }, { payload, headers });
      },
    },
  ],
];

const subjectOf = ({ group }: Kind) => `${group} of ${caller.userId} ${caller.clientId}`;

/** Undefined: no call of the hour has been made. */
async function leave(kind: Kind, left: number | undefined): Promise<void> {
  await pool.query("DELETE FROM directory.rate_count WHERE subject = $1", [subjectOf(kind)]);
  if (left === undefined) return;
  const text =
    "INSERT INTO directory.rate_count (subject, window_start, count) VALUES ($1, now() - interval '10 minutes', $2)";
  await pool.query(text, [subjectOf(kind), LIMIT - left]);
}

async function used(kind: Kind): Promise<number> {
  const { rows } = await pool.query("SELECT count FROM directory.rate_count WHERE subject = $1", [subjectOf(kind)]);
  return rows[0]?.count ?? 0;
}

const LEFT = [undefined, 0, 1, 4, LIMIT];
const COSTS = [1, 2, 4, 5, LIMIT, LIMIT + 1];

/** Where a call just fits, and where it does not. All are counted alike, so one of each refusal meets every other case. */
const EDGES = [
  [4, 4],
  [4, 5],
  [0, 1],
] as const;

describe.each(KINDS)("%s", (name, kind) => {
  const isWhole = name === "/v2/venues/match by lines" || name === "reconciliation 0.2";
  const all = LEFT.flatMap((left) => COSTS.map((cost) => [left, cost] as const));
  const cases = (isWhole ? all : EDGES).filter(([, cost]) => cost <= kind.most);

  test.each(cases)("C85: with %s calls left, a call that counts as %i", async (left, cost) => {
    await leave(kind, left);
    const [before, free] = [await used(kind), left ?? LIMIT];
    const answer = await kind.send(cost);
    const after = await used(kind);
    const remaining = Number(answer.headers["x-ratelimit-remaining"]);
    if (cost <= free) {
      expect([answer.status, after, remaining]).toEqual([200, before + cost, free - cost]);
      return;
    }
    const { errorType, errorDetail = "" } = answer.body.meta;
    expect([answer.status, errorType, remaining]).toEqual([kind.refusal, "rate_limit_exceeded", free]);
    expect(after).toBe(cost === 1 ? before + 1 : before);
    expect(errorDetail.includes("is used up")).toBe(free === 0);
    if (free > 0) expect(errorDetail).toContain(`counts as ${cost}, but ${free} of the ${LIMIT} `);
    if (free > 0) expect(errorDetail).toContain(`Send at most ${free} at once`);
    expect(errorDetail.includes("50 minutes")).toBe(left !== undefined);
    const mayWait = left !== undefined && (free === 0 || cost <= LIMIT);
    expect(Number(answer.headers["retry-after"] ?? 0) > 2900).toBe(mayWait);
    if (free > 0) expect((await kind.send(Math.min(free, kind.most))).status).toBe(200);
  });
});

test("C85: of several batches at once, no more succeed than are left, and the rest counts nothing", async () => {
  for (const [, kind] of KINDS.slice(0, 2)) {
    await leave(kind, undefined);
    const statuses = (await Promise.all([4, 4, 4, 4].map(kind.send))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 200, 403, 403]);
    expect(await used(kind)).toBe(8);
  }
});

test("batches have a limit of their own: 5,000 listings can be matched and looked up after searches, with a token and without", async () => {
  const token = { v: V, oauth_token: (await host.newUser()).token };
  const { clientId, clientSecret } = host.application;
  const limited = await apiInstance(host, undefined);
  const callers = [
    ["match", token],
    ["lookup", { v: V, client_id: clientId, client_secret: clientSecret }],
  ] as const;
  for (const [name, fields] of callers) {
    const search = await limited.inject({ url: `/v2/venues/search?${new URLSearchParams({ ...fields, ll: "1,1" })}` });
    expect(search.statusCode).toBe(200);
    const { statusCode, payload, headers } = await limited.inject({
      ...{ method: "POST", url: `/v2/venues/${name}?${new URLSearchParams(fields)}`, payload: "{}\n".repeat(5000) },
      headers: { "content-type": "application/x-ndjson" },
    });
    expect([statusCode, payload.trim().split("\n").length]).toEqual([200, 5000]);
    expect([headers["x-ratelimit-limit"], headers["x-ratelimit-path"]]).toEqual(["5000", `/v2/venues/${name}`]);
  }
});
