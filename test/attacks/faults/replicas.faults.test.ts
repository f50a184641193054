import { setTimeout as after } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { LAG_LIMIT_MS } from "../../../src/db/replicas.ts";
import { atMost } from "../../../src/shared/at-most.ts";
import { startPrimary } from "../../support/outages/standby.ts";
import { runningDirectory, V } from "../running-directory.ts";
import { venueApi } from "../venue-api.ts";

const primary = await startPrimary();
const standby = await primary.replicate();
const bothHosts = primary.url.replace(/@([^/]+)/, `@$1,${new URL(standby.url).host}`);
const directory = await runningDirectory({
  url: `${bothHosts}?target_session_attrs=read-write`,
  instances: 2,
  env: { READ_DATABASE_URL: standby.url },
});
const api = venueApi(directory);

type Credentials = Record<string, string>;

const found = async (venue: Credentials, caller: Credentials, instance = 0): Promise<boolean> => {
  const on = directory.instances[instance] ?? directory;
  const { name = "", ll = "" } = venue;
  const { status, body } = await directory.call("/v2/venues/search", { ...caller, ll, query: name }, { on });
  if (status !== 200) throw new Error(`${status}`);
  return body.response.venues.some((each: { name: string }) => each.name === name);
};

const add = async (more: Credentials = {}) => {
  const venue = api.newVenue(more);
  const answer = await directory.call("/v2/venues/add", { ...api.user, ...venue }, { method: "POST" });
  return { venue, status: answer.status, id: answer.body?.response?.venue?.id as string };
};

const until = async (holds: () => Promise<boolean>) => {
  while (!(await holds())) await after(20);
};

async function newcomer(): Promise<Credentials> {
  const { id: userId } = await directory.user();
  const { clientId } = await directory.application();
  return { oauth_token: await directory.token({ userId, clientId }) };
}

const replicasOf = async (instance = 0) => {
  const response = await fetch(`${directory.instances[instance]?.api}/readyz`);
  return { code: response.status, ...((await response.json()) as { replicas: { lagSeconds: number | null }[] }) };
};

test("C32: while the replica is behind, the writer finds each venue at once in every process, others find it later", async () => {
  const stranger = await newcomer();
  await until(async () => (await replicasOf()).replicas[0]?.lagSeconds !== null);
  const admin = await standby.admin();
  await admin.query("SELECT pg_wal_replay_pause()");
  const paused = performance.now();
  onTestFinished(async () => {
    await admin.query("SELECT pg_wal_replay_resume()");
    await admin.end();
  });
  const venues: Awaited<ReturnType<typeof add>>["venue"][] = [];
  for (let times = 0; times < 20; times++) {
    const { venue, id } = await add();
    venues.push(venue);
    // The primary is asked if the replica answers late, or is too far behind.
    if (performance.now() - paused < LAG_LIMIT_MS / 2) await until(async () => !(await found(venue, stranger)));
    for (const instance of [0, 1]) {
      expect(await found(venue, { oauth_token: api.user.oauth_token }, instance)).toBe(true);
      expect(await found(venue, api.client, instance)).toBe(true);
    }
    const page = await directory.call(`/v2/venues/${id}`, { oauth_token: api.user.oauth_token });
    expect(page.status).toBe(200);
  }
  await admin.query("SELECT pg_wal_replay_resume()");
  for (const venue of venues) await until(() => found(venue, stranger));
});

test("C32: while the replica is behind, the writer finds venues that were added by lines", async () => {
  await until(async () => (await replicasOf()).replicas[0]?.lagSeconds !== null);
  const admin = await standby.admin();
  await admin.query("SELECT pg_wal_replay_pause()");
  const venues = [api.newVenue(), api.newVenue(), api.newVenue()];
  const { oauth_token } = api.user;
  const query = new URLSearchParams({ v: V, oauth_token });
  const response = await fetch(`${directory.instances[0]?.api}/v2/venues/add?${query}`, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: venues.map((venue) => JSON.stringify(venue)).join("\n"),
  });
  const lines = (await response.text()).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).meta.code)).toEqual([200, 200, 200]);
  for (const venue of venues) expect(await found(venue, { oauth_token }, 1)).toBe(true);
  await admin.query("SELECT pg_wal_replay_resume()");
  await admin.end();
});

test("C32: while the replica is stopped nothing fails, every process is ready, and its lag is unknown", async () => {
  const { venue } = await add();
  const stopping = standby.stop();
  const searches = await atMost(8, Array(200).fill(venue), (each) => found(each, api.client));
  expect(new Set(searches)).toEqual(new Set([true]));
  await stopping;
  expect(await found(venue, await newcomer())).toBe(true);
  await until(async () => (await replicasOf()).replicas[0]?.lagSeconds === null);
  expect(await replicasOf()).toMatchObject({ code: 200, status: "ready", problems: [] });
  await standby.start();
  await until(async () => (await replicasOf()).replicas[0]?.lagSeconds !== null);
});

test("C32: after a failover to the replica writes and reads go on without a restart", async () => {
  const admin = await standby.admin();
  await primary.stop();
  const begun = performance.now();
  await admin.query("SELECT pg_promote()");
  await admin.end();
  await until(async () => (await add()).status === 200);
  expect(performance.now() - begun).toBeLessThan(10_000);
  const { venue, status } = await add();
  expect([status, await found(venue, api.client, 0), await found(venue, api.client, 1)]).toEqual([200, true, true]);
});
