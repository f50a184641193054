import { createHmac, randomUUID } from "node:crypto";
import { setTimeout as after } from "node:timers/promises";
import type { Pool } from "pg";
import { patiently as retried } from "../../src/db/unavailable.ts";
import { randomToken, sha256 } from "../../src/shared/crypto.ts";
import { type Received, startReceiver } from "../support/receiver.ts";

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: read as the call promises
  body: any;
}

export type Program = (method: string, path: string, body?: object) => Promise<Answer>;

/** The owner of all files, and a colleague who reviews: a program of each. */
export async function startTeam(pool: Pool, appUrl: string) {
  const { rows } = await pool.query(
    `INSERT INTO app.account (id, directory, external_id, handle)
     SELECT gen_random_uuid(), directory, 'colleague', 'colleague' FROM app.account WHERE handle = 'demo' RETURNING id`,
  );
  const programOf = async (handle: string) => {
    const token = `sspat_${randomToken()}`;
    await pool.query(
      `INSERT INTO app.api_token (id, account_id, name, hash, scopes, expires_at)
       SELECT gen_random_uuid(), id, 'Test', $2, '{read,decide,write}', now() + interval '1 day' FROM app.account WHERE handle = $1`,
      [handle, sha256(token)],
    );
    return programWith(appUrl, token);
  };
  return { colleague: { id: String(rows[0].id), call: await programOf("colleague") }, owner: await programOf("demo") };
}

export type People = Awaited<ReturnType<typeof startTeam>>;

/** Each call is sent again with its Idempotency-Key until it is answered. */
const programWith =
  (appUrl: string, token: string): Program =>
  async (method, path, body) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(method !== "GET" && { "idempotency-key": randomUUID() }),
      ...(body && { "content-type": "application/json" }),
    };
    const request = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    for (;;) {
      const signal = AbortSignal.timeout(20_000);
      const answer = await fetch(`${appUrl}/api/v1/files/${path}`, { ...request, signal }).then(read, () => undefined);
      if (answer && answer.status < 500 && answer.status !== 429 && answer.body.code !== "in_progress") return answer;
      await after(300);
    }
  };

/** However long the database is away: the job's own patience ends it. */
export const patiently = <T>(work: () => Promise<T>): Promise<T> => retried(work, { patienceMs: Infinity });

const read = async (answer: Response): Promise<Answer> => ({ status: answer.status, body: await answer.json() });

/** Receives the events of all files. It fails at the first try of some. */
export async function startEvents() {
  const idOf = ({ headers }: Pick<Received, "headers">) => String(headers["webhook-id"]);
  const { url, received } = await startReceiver((request, reply) => {
    const id = idOf(request);
    const isFirst = received.filter((each) => idOf(each) === id).length === 1;
    reply.writeHead(isFirst && /^[0-3]/.test(id) ? 500 : 204).end();
  });
  const triesOf = (id: string) => received.filter((each) => idOf(each) === id);
  return {
    url,
    /** What was said at the tries of an event. */
    textsOf: (id: string) => [...new Set(triesOf(id).map(({ body }) => body))],
    /** Whether the secret of its webhook has signed each try of an event. */
    isSigned: (id: string, secret: string) =>
      triesOf(id).every((each) => each.headers["webhook-signature"] === signature(each, secret)),
  };
}

function signature({ headers, body }: Received, secret: string): string {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}

export interface TeamVerdict {
  /** Answered decisions, notes, roles and events that are not there. */
  lost: number;
  /** Notes and steps that are there twice, and events with two texts. */
  doubled: number;
  /** Rows of which two people were told that their own decision counts, or that are not as it was answered. */
  contradicted: number;
  amiss: object[];
}

interface Listing {
  number: number;
  decision: string | null;
  venueId: string | null;
}

interface Work {
  pool: Pool;
  people: People;
  /** The file. */
  id: string;
  /** Its name in the own ids, before the ids of its venues. */
  name: string;
  /** Uploads the file once more, and returns the id of the draft. */
  uploadNext(): Promise<string>;
  /** Waits until a file's task is done; false if it takes too long. */
  settle(id: string): Promise<boolean>;
}

/**
 * Two people work on a matched file at once: decide, each about rows of their own and both about two, ask, answer, repair all rows and undo
 * that, hand over and back; the colleague goes on in the next edition, and at last all that they decided is undone in both. Returns what was
 * lost, and the id of the next edition; undefined if a task was stuck.
 */
export async function workTogether(work: Work): Promise<(TeamVerdict & { next: string }) | undefined> {
  const { pool, people, id, name, settle } = work;
  const { owner, colleague } = people;
  const verdict: TeamVerdict = { lost: 0, doubled: 0, contradicted: 0, amiss: [] };
  await owner("POST", `${id}/people`, { person: "colleague", role: "reviewer" });
  const said = await decideRows(id, name, people, verdict);
  await Promise.all([talk(id, people), handOver(id, people)]);
  await compare(pool, id, said, verdict);
  const repair = { kind: "set", field: "address", value: "1 Main Street" };
  const answer = await owner("POST", `${id}/repairs`, { repairs: [repair] });
  const { body } = answer.body.earlier_attempt === true ? await owner("GET", `${id}/repairs`) : answer;
  if (!(await settle(id))) return undefined;
  const kept = body.repairs?.filter((each: { undone_at: string | null }) => each.undone_at === null) ?? [];
  if (kept.length !== 1) found(verdict, kept.length > 1 ? "doubled" : "lost", { repairs: body });
  const undo = await owner("DELETE", `${id}/repairs?repair=${kept[0]?.id}`);
  if (undo.status >= 300 && undo.body.earlier_attempt !== true) found(verdict, "lost", { undo });
  if (!(await settle(id))) return undefined;
  await compare(pool, id, said, verdict);
  const next = await goOn(work, said, verdict);
  if (next === undefined) return undefined;
  await owner("POST", `${id}/steps/undo`, { by: colleague.id });
  for (const edition of [said, next.said])
    for (const [number, { by, was = null }] of edition)
      if (by === "colleague") edition.set(number, { by: "rule", decision: was });
  await compare(pool, id, said, verdict);
  await compare(pool, next.id, next.said, verdict, said);
  await checkTalk(pool, id, colleague.id, verdict);
  return { ...verdict, next: next.id };
}

/** The next edition keeps what was decided, and the colleague decides some more of it. Undefined if it was stuck. */
async function goOn({ pool, people, id, uploadNext, settle }: Work, before: Said, verdict: TeamVerdict) {
  const { owner, colleague } = people;
  const next = await uploadNext();
  await owner("POST", `${next}/columns`, { previous_id: id });
  await owner("POST", `${next}/start`, {});
  if (!(await settle(next))) return undefined;
  const said: Said = new Map(before);
  await compare(pool, next, said, verdict, before);
  for (const number of ROWS.next) {
    const { seen, decision: was } = (await owner("GET", `${next}/rows/${number}`)).body;
    const { status } = await colleague.call("POST", `${next}/rows/${number}/decision`, { decision: "rejected", seen });
    if (status === 200) said.set(number, { by: "colleague", decision: "rejected", was });
  }
  await compare(pool, next, said, verdict, before);
  return { id: next, said };
}

/** Who said what about a row, by its number, and what the rule had decided before. */
type Said = Map<number, { by: "owner" | "colleague" | "rule"; decision: string | null; was?: string | null }>;

const found = (verdict: TeamVerdict, kind: "lost" | "doubled" | "contradicted", what: object) => {
  verdict[kind] += 1;
  verdict.amiss.push({ [kind]: what });
};

/** Rows of each, those about which both decide at once, and those of the next edition: the venue that they are, or none. */
const ROWS = { owner: [1, 3, 5], colleague: [2, 4, 6], both: [7, 8], next: [11, 12] };

async function decideRows(id: string, name: string, { owner, colleague }: People, verdict: TeamVerdict): Promise<Said> {
  const said: Said = new Map();
  const decideAs = async (by: "owner" | "colleague", number: number, seen: string | null, ownId: string) => {
    const rejects = { decision: "rejected", seen };
    const takes = { decision: "matched", venue_id: ownId.slice(`${name}/`.length), seen };
    const [call, wish] = by === "owner" ? [owner, takes] : [colleague.call, rejects];
    const { status } = await call("POST", `${id}/rows/${number}/decision`, wish);
    if (status !== 200) return;
    if (said.has(number)) found(verdict, "contradicted", { number, by });
    said.set(number, { by, decision: wish.decision });
  };
  const lookAndDecide = async (number: number, all: ("owner" | "colleague")[]) => {
    const { body } = await owner("GET", `${id}/rows/${number}`);
    await Promise.all(all.map((by) => decideAs(by, number, body.seen, body.own_id)));
  };
  const inTurn = async (numbers: number[], all: ("owner" | "colleague")[]) => {
    for (const number of numbers) await lookAndDecide(number, all);
  };
  await Promise.all([
    inTurn(ROWS.owner, ["owner"]),
    inTurn(ROWS.colleague, ["colleague"]),
    inTurn(ROWS.both, ["owner", "colleague"]),
  ]);
  return said;
}

/** Compares the rows, and their steps, with what was answered. `kept`: decisions that an edition has from the one before, as no step. */
async function compare(
  pool: Pool,
  id: string,
  said: Said,
  verdict: TeamVerdict,
  kept: Said = new Map(),
): Promise<void> {
  const { rows } = await patiently(() =>
    pool.query<Listing & { by: string | null; steps: number }>(
      `SELECT l.number, l.decision::text, l.venue_id AS "venueId", a.handle AS by,
              (SELECT count(*)::int FROM app.decision_step s WHERE s.harmonization_id = l.harmonization_id AND s.number = l.number
                  AND s.account_id = l.decided_by AND s.undone_at IS NULL) AS steps
         FROM app.listing l LEFT JOIN app.account a ON a.id = l.decided_by
        WHERE l.harmonization_id = $1 AND l.number = ANY($2) ORDER BY l.number`,
      [id, Object.values(ROWS).flat()],
    ),
  );
  for (const row of rows) {
    const answered = said.get(row.number);
    if (!answered) continue;
    const by = answered.decision === null ? null : { owner: "demo", colleague: "colleague", rule: null }[answered.by];
    if (row.decision !== answered.decision || row.by !== by)
      found(verdict, row.decision === null ? "lost" : "contradicted", { row, answered });
    const isStep = row.decision !== null && answered.by !== "rule" && !kept.has(row.number);
    if (row.steps !== Number(isStep)) found(verdict, "doubled", { row });
  }
}

const TALK = { question: "Is it still there?", answer: "It is", note: "Closed on Mondays" };

async function talk(id: string, { owner, colleague }: People): Promise<void> {
  await owner("POST", `${id}/rows/9/notes`, { text: TALK.question, ask: colleague.id });
  await colleague.call("POST", `${id}/rows/9/notes`, { text: TALK.answer });
  await colleague.call("POST", `${id}/rows/10/notes`, { text: TALK.note });
}

async function handOver(id: string, { owner, colleague }: People): Promise<void> {
  await owner("POST", `${id}/people`, { person: colleague.id, role: "owner" });
  await colleague.call("POST", `${id}/list`, { name: `List of ${id}` });
  await owner("POST", `${id}/people`, { person: colleague.id, role: "reviewer" });
}

async function checkTalk(pool: Pool, id: string, colleagueId: string, verdict: TeamVerdict): Promise<void> {
  const { rows: notes } = await patiently(() =>
    pool.query(
      "SELECT number, text, asked_id IS NOT NULL AND answered_at IS NULL AS open FROM app.note WHERE harmonization_id = $1 ORDER BY id",
      [id],
    ),
  );
  for (const text of Object.values(TALK)) {
    const same = notes.filter((note) => note.text === text);
    if (same.length !== 1) found(verdict, same.length === 0 ? "lost" : "doubled", { text, notes });
  }
  if (notes.some(({ open }) => open)) found(verdict, "lost", { answer: notes });
  const { rows: lists } = await patiently(() =>
    pool.query(
      `SELECT l.name, p.role FROM app.harmonization h JOIN app.list l ON l.id = h.list_id
         LEFT JOIN app.list_person p ON p.list_id = l.id AND p.account_id = $2 WHERE h.id = $1`,
      [id, colleagueId],
    ),
  );
  const [list] = lists;
  if (list?.name !== `List of ${id}` || list.role !== "reviewer") found(verdict, "lost", { list });
}

/** Waits until all events of a file have arrived, and compares them with what the receiver was told. `least`: tasks that were done. */
export async function judgeEvents(
  pool: Pool,
  id: string,
  receiver: Awaited<ReturnType<typeof startEvents>>,
  { secret, least, deadline }: { secret: string; least: number; deadline: number },
): Promise<TeamVerdict> {
  const verdict: TeamVerdict = { lost: 0, doubled: 0, contradicted: 0, amiss: [] };
  const all = async () => {
    const text = `SELECT id, event, about, tries, delivered_at IS NOT NULL AS "hasArrived" FROM app.webhook_delivery WHERE harmonization_id = $1`;
    return (await patiently(() => pool.query(text, [id]))).rows;
  };
  let events = await all();
  while (events.some(({ hasArrived }) => !hasArrived) && performance.now() < deadline) {
    await after(500);
    events = await all();
  }
  for (const event of events) {
    const texts = receiver.textsOf(event.id);
    if (!event.hasArrived || texts.length === 0) found(verdict, "lost", event);
    if (texts.length > 1) found(verdict, "doubled", { event, texts });
    if (event.event !== "test" && !receiver.isSigned(event.id, secret))
      found(verdict, "contradicted", { event, signed: false });
  }
  const ended = events.filter(({ event }) => event === "finished" || event === "failed");
  if (ended.length < least) found(verdict, "lost", { events, least });
  return verdict;
}
