// npm run bench -- million [--rows 1m] [--venues 100k] [--seconds 60]: a file from its upload to its deletion, with two workers.
// It polls the file's pages, later while the workers match another file. After `seconds` of matching it fills in the results of
// the other rows, so that a run takes minutes.
import { setTimeout as after } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { createHttpClient } from "../test/support/http-client.ts";
import { lasting } from "./support/lasting.ts";
import { type MemberSite, stateOf, until, withMemberSite } from "./support/member-site.ts";
import { csv, fillIn, hasAnswers, rowsLeft, START, tidy } from "./support/million-rows.ts";
import { type Row, say, type Tables } from "./support/report.ts";
import { withScratch } from "./support/scratch.ts";
import { countOf } from "./support/sized.ts";
import { type Polls, pollWhile, times, tries, walk } from "./support/tries.ts";

const [SMALL, LOAD, TRIES] = [300, 400_000, 12];

export const SMALLEST = ["--rows", "1k", "--venues", "1k", "--seconds", "1"];

export async function run(args: string[]): Promise<Tables> {
  const text = (value: string) => ({ type: "string", default: value }) as const;
  const options = { rows: text("1m"), venues: text("100k"), seconds: text("60") };
  const { values } = parseArgs({ args, options });
  const [rows, venues, seconds] = [countOf(values.rows), countOf(values.venues), Number(values.seconds)];
  return withScratch((scratch) =>
    withMemberSite(scratch, { venues, most: rows }, async (bench) => ({
      [`${rows} rows, two workers; from the conflicts on they match another file`]: await live({
        ...bench,
        rows,
        seconds,
      }),
    })),
  );
}

interface Bench extends MemberSite {
  rows: number;
  seconds: number;
}

async function live(bench: Bench): Promise<Row[]> {
  const { member, database, rows, seconds } = bench;
  const table: Row[] = [];
  const note = (what: string, polls: Polls, took?: number) => {
    table.push(times(what, polls, took));
    say(JSON.stringify(table.at(-1)));
  };
  const timed = async (what: string, page: string, work: () => Promise<unknown>) => {
    say(`${what}…`);
    const begun = performance.now();
    note(what, await pollWhile(member.browser, page, work), (performance.now() - begun) / 1000);
  };
  const id = await member.upload("large.csv", csv(bench.listings, rows));
  const base = `/harmonizations/${id}`;
  note("draft", await tries(member.browser, base, TRIES));
  await member.press(`${base}/columns`, START);
  await timed("page while reading", base, () => until(async () => (await stateOf(bench, id)) !== "reading"));
  const walking = walk(member.browser, [base, "/harmonizations", `${base}/review`, `${base}/conflicts`]);
  await timed("page while matching", base, async () => {
    await after(seconds * 1000);
    await until(() => hasAnswers(database, id));
  });
  note("two other visitors while matching", await walking());
  await member.press(`${base}/pause`);
  await after(lasting(3000));
  say("Filling in the rest…");
  await fillIn(database, id);
  await member.press(`${base}/resume`);
  await until(async () => (await stateOf(bench, id)) === "ready");
  const small = await finished(bench, "small.csv", SMALL);
  const load = await begin(bench, "load.csv", lasting(LOAD));
  await until(async () => (await stateOf(bench, load)) === "matching");
  const others = walk(
    member.browser,
    pagesOf(base).map(([, path]) => path),
  );
  await underLoad(bench, { id, small, load }, note);
  note("two other visitors until the deletion", await others());
  await deletion(bench, id, note);
  await tidy(database);
  return table;
}

type Note = (what: string, polls: Polls, took?: number) => void;

async function underLoad(bench: Bench, { id, small, load }: Record<"id" | "small" | "load", string>, note: Note) {
  const { member } = bench;
  const { browser } = member;
  const base = `/harmonizations/${id}`;
  for (const [what, of] of [
    ["large", id],
    ["small", small],
  ] as const) {
    const begun = performance.now();
    const polls = await tries(browser, `/harmonizations/${of}/conflicts`, TRIES);
    await until(async () => isFound(await browser.get(`/harmonizations/${of}/conflicts`)), { mostMs: 120_000 });
    note(`conflicts of the ${what} file, until found`, polls, (performance.now() - begun) / 1000);
  }
  for (const [what, path] of pagesOf(base)) note(what, await tries(browser, path, TRIES));
  note("the other file's page", await tries(browser, `/harmonizations/${load}`, 50));
  const draft = await member.upload("next.csv", csv(bench.listings, SMALL));
  note("a draft of the same ids", await tries(browser, `/harmonizations/${draft}`, TRIES));
  const begun = performance.now();
  const { bytes, polls } = await member.download(`${base}/export`);
  note(`export, ${Math.round(bytes / 1e6)} MB`, polls, (performance.now() - begun) / 1000);
  await beginAgain(bench, id, note);
}

async function beginAgain({ member, database }: Bench, id: string, note: Note) {
  const begun = performance.now();
  const pressed = await member.pressOnce(`/harmonizations/${id}/again`);
  note("begin again, the click", [pressed], pressed.ms / 1000);
  const next = async () => {
    const text = "SELECT id, state::text FROM app.harmonization WHERE task->>'from' = $1";
    return (await database.query(text, [id])).rows[0];
  };
  const page = `/harmonizations/${(await next()).id}`;
  const polls = await pollWhile(member.browser, page, () => until(async () => (await next()).state === "draft"));
  note("begin again, its page until the rows are copied", polls, (performance.now() - begun) / 1000);
}

const pagesOf = (base: string): [what: string, path: string][] => [
  ["results", base],
  ["results, in doubt", `${base}?show=review`],
  ["results, failed", `${base}?show=failed`],
  ["results, words", `${base}?q=nothing+like+it`],
  ["results, another cut", `${base}?cut=0.777`],
  ["review", `${base}/review`],
  ["review of a listing", `${base}/review/777`],
  ["review of those without a match", `${base}/review?show=none`],
  ["family", `${base}/listings/777/family`],
  ["family, the same", `${base}/listings/777/family?kind=same`],
  ["adding many", `${base}/add`],
  ["list of files", "/harmonizations"],
  ["mappings", `/mappings?ids=${Array.from({ length: 100 }, (_, each) => each * 9).join("%0A")}`],
];

async function deletion({ member, database }: Bench, id: string, note: Note) {
  say("Deleting…");
  const begun = performance.now();
  const pressed = await member.pressOnce(`/harmonizations/${id}/delete`);
  note("delete, the click", [pressed], pressed.ms / 1000);
  const list = await pollWhile(member.browser, "/harmonizations", () =>
    until(async () => (await rowsLeft(database, id)) === 0, { mostMs: 600_000 }),
  );
  note("delete, the list until the rows are gone", list, (performance.now() - begun) / 1000);
}

async function begin({ member, listings }: Bench, name: string, rows: number): Promise<string> {
  const id = await member.upload(name, csv(listings, rows));
  await member.press(`/harmonizations/${id}/columns`, START);
  return id;
}

async function finished(bench: Bench, name: string, rows: number): Promise<string> {
  const id = await begin(bench, name, rows);
  await until(async () => (await stateOf(bench, id)) === "ready");
  return id;
}

/** Whether the page no longer says that conflicts are being looked for. */
const isFound = ({ status, body }: Awaited<ReturnType<ReturnType<typeof createHttpClient>["get"]>>) =>
  status === 200 && !body.includes("data-finding");
