import { beforeAll, describe, expect, test } from "vitest";
import type { Envelope } from "../../../src/contract/envelope.ts";
import { randomId } from "../../../src/shared/crypto.ts";
import { type Answer, addedVenues, apiHost, categoryId, expectError, freshVenue, V, venueOf } from "./host.ts";
import { ANNOTATE, linksHost, PROVIDER, RIVAL } from "./links-host.ts";

const ADD = "/v2/venues/add";
const [host, single] = [await apiHost({ sample: true }), await apiHost({ sample: true })];
const limited = await apiHost({ rateLimit: 7 });
const links = await linksHost();

type Line = Record<string, string | number | null>;
const send = (path: string, lines: (Line | string)[], to = host, headers: Record<string, string> = {}) =>
  to.send(
    "POST",
    path,
    { v: V, oauth_token: to.user.token },
    {
      payload: lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"),
      headers: { "content-type": "application/x-ndjson", ...headers },
    },
  );
const envelopesOf = ({ text }: Answer): Envelope[] =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const codesOf = (answer: Answer) => envelopesOf(answer).map(({ meta }) => meta.code);
const venueIn = ({ response }: Envelope) => response.venue as { id: string };

/**
 * Replaces what differs between calls, and ids of new venues by their order. Scores are left out: they depend a little on the
 * other venues nearby, of which some are added together.
 */
function comparable(envelopes: Envelope[], known: Set<string>): unknown[] {
  const ids = new Map<string, string>();
  const nameOf = (id: string) => {
    if (!known.has(id) && !ids.has(id)) ids.set(id, `new ${ids.size}`);
    return ids.get(id) ?? id;
  };
  return envelopes.map(({ meta: { requestId: _, ...meta }, response }) => {
    const text = JSON.stringify({ meta, response })
      .replace(/"ignoreDuplicatesKey":"\w+"/g, '"ignoreDuplicatesKey":"k"')
      .replace(/"(referralId|createdAt|score|weight)":("[^"]*"|[-.\de]+)/g, '"$1":0');
    return JSON.parse(text.replace(/\b[0-9a-f]{24}\b/g, nameOf));
  });
}

async function idsIn({ deps }: typeof host): Promise<Set<string>> {
  const rows = await deps.prisma.venue.findMany({ select: { id: true } });
  return new Set(rows.map(({ id }) => id));
}

describe("venues/add by lines", () => {
  test("decides each line as single calls one after the other do", async () => {
    const lines = await variedLines();
    expect(lines.length).toBeGreaterThan(200);
    const [known, alsoKnown] = [await idsIn(host), await idsIn(single)];
    const together = envelopesOf(await send(ADD, lines));
    const alone: Envelope[] = [];
    for (const { idempotencyKey, ...line } of lines) {
      const fields = Object.fromEntries(Object.entries(line).map(([name, value]) => [name, String(value)]));
      const more = { method: "POST", ...(idempotencyKey && { key: String(idempotencyKey) }) };
      alone.push((await single.asUser(ADD, fields, more)).body);
    }
    expect(comparable(together, known)).toEqual(comparable(alone, alsoKnown));
    const codes = together.map(({ meta }) => meta.code);
    for (const code of [200, 400, 409]) expect(codes.filter((each) => each === code).length).toBeGreaterThan(5);
    expect(await addedVenues(host)).toBe(await addedVenues(single));
  }, 120_000);

  test("C23: makes a later line that is an earlier one again a 409 with it as the candidate", async () => {
    const line = freshVenue({ name: "The Same Old Spot" });
    const other = freshVenue();
    const [first, second, third] = envelopesOf(await send(ADD, [line, { ...line, name: "Same Old Spot" }, other]));
    expect([first, second, third].map((each) => each?.meta.code)).toEqual([200, 409, 200]);
    expect(second?.response.candidateDuplicateVenues).toMatchObject([{ id: venueIn(first as Envelope).id }]);
    const forced = { ...line, name: "Same Old Spot", ignoreDuplicates: "true" };
    const key = String(second?.response.ignoreDuplicatesKey);
    expect(codesOf(await send(ADD, [{ ...forced, ignoreDuplicatesKey: key }]))).toEqual([200]);
  });

  test("C22: a repeated key returns the stored venue, also within a call and concurrently, and 409 for another one", async () => {
    const lines = Array.from({ length: 20 }, () => ({ ...freshVenue(), idempotencyKey: randomId() }));
    const before = await addedVenues(host);
    const answers = await Promise.all(Array.from({ length: 4 }, () => send(ADD, [...lines, ...lines.toReversed()])));
    const [first = [], ...others] = answers.map((each) => envelopesOf(each).map((envelope) => venueIn(envelope).id));
    expect(first.slice(20).toReversed()).toEqual(first.slice(0, 20));
    for (const each of others) expect(each).toEqual(first);
    expect((await addedVenues(host)) - before).toBe(20);
    const { idempotencyKey: key, ...alone } = lines[3] as (typeof lines)[number];
    expect(venueOf(await host.asUser(ADD, alone, { key })).id).toBe(first[3]);
    expect(codesOf(await send(ADD, [{ ...freshVenue(), idempotencyKey: key }]))).toEqual([409]);
  });

  test("C22: a line that failed stores nothing under its key", async () => {
    const [line, idempotencyKey] = [freshVenue(), randomId()];
    const wrong = { ...line, primaryCategoryId: "nothing", idempotencyKey };
    expect(codesOf(await send(ADD, [freshVenue(), wrong]))).toEqual([200, 400]);
    expect(codesOf(await send(ADD, [{ ...line, idempotencyKey }]))).toEqual([200]);
  });

  test("C23: a line that fails in the database spoils no other", async () => {
    const { pool } = host.deps;
    await pool.query(`ALTER TABLE directory.venue ADD CONSTRAINT no_bad_luck CHECK (name <> 'Bad Luck') NOT VALID`);
    const bad = freshVenue({ name: "Bad Luck" });
    const lines = [freshVenue(), freshVenue(), bad, freshVenue(), freshVenue()];
    const codes = codesOf(await send(ADD, lines));
    await pool.query("ALTER TABLE directory.venue DROP CONSTRAINT no_bad_luck");
    expect(codes).toEqual([200, 200, 500, 200, 200]);
  });

  test("C23: concurrent calls with the same venues in other orders add each once, without a deadlock", async () => {
    const lines = Array.from({ length: 30 }, () => freshVenue());
    const before = await addedVenues(host);
    const answers = await Promise.all([lines, lines.toReversed(), lines].map((each) => send(ADD, each)));
    for (const code of answers.flatMap(codesOf)) expect([200, 409]).toContain(code);
    expect((await addedVenues(host)) - before).toBe(30);
  });

  test("needs a user's token, takes keys only in the lines, and at most 500 of them", async () => {
    expectError(await send(ADD, ["{}"], host, { "idempotency-key": "k" }), 400, "param_error");
    expectError(await send(ADD, Array(501).fill("{}")), 400, "param_error");
    const userless = { v: V, client_id: host.application.clientId, client_secret: host.application.clientSecret };
    const payload = { payload: "{}", headers: { "content-type": "application/x-ndjson" } };
    expectError(await host.send("POST", ADD, userless, payload), 400, "invalid_auth");
  });

  test("counts as one call for each line", async () => {
    const first = await send(ADD, Array(5).fill("{}"), limited);
    expect([first.status, Number(first.headers["x-ratelimit-remaining"])]).toEqual([200, 2]);
    expectError(await send(ADD, Array(3).fill("{}"), limited), 403, "rate_limit_exceeded");
  });
});

describe("venues/annotate by lines", () => {
  let venues: { id: string }[] = [];
  beforeAll(async () => {
    venues = [await links.newVenue(), await links.newVenue()];
  });
  const lineOf = (linkedId: string, more: Line = {}): Line => ({
    ...{ venueId: venues[0]?.id ?? "", providerId: PROVIDER, linkedId },
    ...more,
  });

  test("answers each line as single calls one after the other do", async () => {
    const ids = Array.from({ length: 4 }, () => randomId());
    const url = "https://maps.example/a";
    const linesFor = (mark: string) => [
      ...ids.map((id) => lineOf(mark + id)),
      lineOf(`${mark}${ids[0]}`, { url }),
      lineOf(`${mark}${ids[1]}`, { venueId: venues[1]?.id ?? "" }),
      lineOf(`${mark}${ids[2]}`, { providerId: RIVAL }),
      lineOf(`${mark}x`, { venueId: "0".repeat(24) }),
      lineOf(`${mark}x`, { venueId: "'; --" }),
      lineOf(" "),
      lineOf(`${mark}${ids[0]}`),
      { venueId: venues[0]?.id ?? "" },
    ];
    const together = envelopesOf(await send(ANNOTATE, linesFor("a"), links));
    const alone: Envelope[] = [];
    for (const line of linesFor("b")) alone.push((await links.asUser(ANNOTATE, line as Record<string, string>)).body);
    const marked = (envelopes: Envelope[], mark: string) =>
      JSON.parse(
        JSON.stringify(comparable(envelopes, new Set(venues.map(({ id }) => id)))).replaceAll(
          `"linkedId":"${mark}`,
          '"linkedId":"',
        ),
      );
    expect(marked(together, "a")).toEqual(marked(alone, "b"));
    expect(together.map(({ meta }) => meta.code)).toEqual([200, 200, 200, 200, 200, 409, 403, 400, 400, 400, 200, 400]);
    expect(together[10]?.response.link).toMatchObject({ url });
    expect(together[5]?.response.venue).toMatchObject({ id: venues[0]?.id });
  });

  test("C21: a refused line leaves the link of the other venue as it was", async () => {
    const linkedId = randomId();
    await links.annotate(venues[0]?.id ?? "", linkedId, { url: "https://maps.example/a" });
    const moved = lineOf(linkedId, { venueId: venues[1]?.id ?? "", url: "https://maps.example/b" });
    expect(codesOf(await send(ANNOTATE, [lineOf(randomId()), moved], links))).toEqual([200, 409]);
    const stored = await links.deps.prisma.link.findMany({ where: { linkedId } });
    expect(stored).toMatchObject([{ venueId: venues[0]?.id, url: "https://maps.example/a" }]);
  });

  test("C22: a repeated key returns the stored link, and 409 for another one", async () => {
    const [linkedId, idempotencyKey] = [randomId(), randomId()];
    const line = lineOf(linkedId, { idempotencyKey });
    const other = lineOf(randomId(), { idempotencyKey });
    expect(codesOf(await send(ANNOTATE, [line, line, other], links))).toEqual([200, 200, 409]);
    expect((await links.annotate(venues[0]?.id ?? "", linkedId, {}, { key: idempotencyKey })).status).toBe(200);
  });

  test("concurrent calls with the same listings in other orders end without a deadlock", async () => {
    const lines = Array.from({ length: 40 }, () => lineOf(randomId()));
    const answers = await Promise.all([lines, lines.toReversed(), lines].map((each) => send(ANNOTATE, each, links)));
    expect(new Set(answers.flatMap(codesOf))).toEqual(new Set([200]));
  });
});

/** Venues as files have them: new ones, stacks in one place, repeated and misspelt rows, borders of cells, wrong rows. */
async function variedLines(): Promise<Line[]> {
  const primaryCategoryId = categoryId("Coffee Shop");
  const { rows } = await host.deps.pool.query<{ name: string; lat: number; lng: number; address: string | null }>(
    "SELECT name, lat, lng, address FROM directory.venue ORDER BY md5(id) LIMIT 60",
  );
  const at = (lat: number, lng: number) => `${lat.toFixed(6)},${lng.toFixed(6)}`;
  const known = rows.map(({ name, lat, lng, address }) => ({
    ...{ name, ll: at(lat + 0.0002, lng), primaryCategoryId, address },
  }));
  const moved = rows.map(({ name, lat, lng }, index) => ({
    ...{ name: `${name} ${["Annex", "Two", "East"][index % 3]}`, ll: at(lat + 0.8, lng), primaryCategoryId },
  }));
  const stack = ["Room 101", "Room 102", "Gate 4", "Gate 5", "Blue Door", "Blue Door Cafe", "The Blue Door"].map(
    (name) => ({
      ...{ name, ll: "43.1,-71.1", primaryCategoryId, phone: "401-555-0170", address: "1 Stack St" },
    }),
  );
  const borders = Array.from({ length: 24 }, (_, index) => ({
    ...{ name: `Border Post ${"ABCDEF"[index % 6]}lpha`, ll: at(44 + (index - 12) * 0.0002, -70.05 + index * 0.0001) },
    primaryCategoryId,
  }));
  const wrong = [{ name: "No place", primaryCategoryId }, { name: "!", ll: "1,1", primaryCategoryId }, { ll: "1,1" }];
  const faulty = [...wrong, { name: "Of no kind", ll: "45,45", primaryCategoryId: "x" }, { name: "Far", ll: "91,1" }];
  const keyed = moved
    .slice(0, 20)
    .map((line, index) => ({ ...line, ll: at(47 + index, 8), idempotencyKey: `key ${index}`.replace(" ", "-") }));
  const all = [
    ...moved,
    ...stack,
    ...moved.slice(0, 30),
    ...known,
    ...borders,
    ...stack,
    ...faulty,
    ...faulty,
    ...keyed,
    ...keyed,
  ];
  return all
    .map((line, index) => ({ line, order: (index * 7919) % 997 }))
    .sort((a, b) => a.order - b.order)
    .map(({ line }) => line as Line);
}
