import { createHash, randomUUID } from "node:crypto";
import { createReadStream, openAsBlob } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { chosenColumns } from "../../files/chosen-columns.ts";
import { type Columns, columnsAre, FIELDS, indexesOf } from "../../files/columns.ts";
import { hasRepairs, type RowRepair } from "../../harmonize/run/row-repairs.ts";
import { badRequest, KnownError } from "../../shared/errors.ts";
import { isLoopbackHost } from "../../shared/loopback.ts";
import { secondsSince } from "../../shared/seconds-since.ts";
import { count } from "../words.ts";
import { EDITION_LISTS, refuseWithoutEdition } from "./begin.ts";
import { checkFiles } from "./files.ts";
import { stopped } from "./follow.ts";
import { type HarmonizeOptions, outputsOf, type Summary } from "./options.ts";
import { createProgressDisplay, type ShownProgress } from "./progress.ts";
import { askHere, asks } from "./run.ts";
import { write } from "./write.ts";

interface Options extends HarmonizeOptions {
  waitForReview: boolean;
}

/** What is read of the API's answer about a file. */
interface FileState {
  id: string;
  name: string;
  state: ShownProgress["state"];
  is_at_work: boolean;
  is_own: boolean;
  is_judging: boolean;
  paused_for: string | null;
  previous_id: string | null;
  page: string;
  problem: string | null;
  progress: {
    done: number;
    total: number;
    per_second: number | null;
    seconds_left: number | null;
    has_worker: boolean;
  };
  counts: { matched: number; review: number; none: number; failed: number; pending: number } | null;
  positions: { verdict: string; is_open: boolean; message: string | null } | null;
}

interface Draft {
  header: string[];
  columns: Record<string, string[]>;
  format: { encoding: string; separator: string; quotes: string; sheet: string | null; town: string | null };
  likely_previous: { id: string; name: string; is_sure: boolean } | null;
}

/** Seconds that one call waits at the server; so often a progress is shown. */
const WAIT_SECONDS = 2;
const REVIEW_EVERY_MS = 10_000;

/**
 * Matches a file on a server, as harmonizeFile() does on the database, and writes the results here. A file that the server has already is
 * not uploaded again. Throws KnownError.
 */
export async function harmonizeAt(
  server: string,
  token: string | undefined,
  options: Options,
  signal: AbortSignal,
): Promise<Summary> {
  const begun = performance.now();
  checkFiles({ file: options.file, outputs: outputsOf(options) });
  const display = createProgressDisplay(options.shows);
  const api = createApi(addressOf(server), token, { signal, say: display.say });
  const id = await beginAt(api, options, { signal, say: display.say });
  const done = await followAt(api, id, options, { display, signal });
  if (options.acceptFrom !== undefined) await api.post(`/files/${id}/cuts`, { accept_from: options.acceptFrom });
  const edition = await writeAllAt(api, done, options);
  const changes = await writeChangesAt(api, id, options, signal);
  const { counts, page, positions } =
    options.acceptFrom === undefined ? done : await api.get<FileState>(`/files/${id}?wait=5`);
  const { matched = 0, review = 0, none = 0, failed = 0 } = counts ?? {};
  const looksWrong = positions?.is_open === true;
  if (looksWrong) display.say(`${positions.message} Answer at ${page}. Until then no venues are added.`);
  return {
    harmonization: id,
    page,
    output: options.output,
    listings: done.progress.total,
    matched,
    review,
    none,
    failed,
    ...(edition && { edition }),
    ...(changes && { venue_changes: changes }),
    ...(looksWrong && { positions: positions.message ?? positions.verdict }),
    seconds: secondsSince(begun),
  };
}

/** @throws KnownError 400 for an address to which a token must not be sent */
function addressOf(server: string): URL {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw badRequest(`--server: ${server} is no address, such as https://samespot.example.org.`);
  if (url.protocol === "http:" && !isLoopbackHost(url.hostname))
    throw badRequest(`--server: ${server} would carry the token in clear. Use https.`);
  return url;
}

interface Talk {
  signal: AbortSignal;
  say(message: string): void;
}

type Api = ReturnType<typeof createApi>;

/** How long a server may be away, in milliseconds. */
const PATIENCE_MS = 5 * 60_000;

/** Calls that may be repeated while the server is away or restarts: those that act carry an Idempotency-Key. */
function createApi(server: URL, token: string | undefined, { signal, say }: Talk) {
  if (!token)
    throw badRequest(
      "SAMESPOT_TOKEN is not set: it is the token for --server. People make one in their settings, at Tokens for programs.",
    );
  let isKnown = false; // whether it has answered: only then it is worth waiting for
  async function call(method: string, to: string, body?: Blob | object): Promise<Response> {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(method !== "GET" && { "idempotency-key": randomUUID() }),
      ...(body !== undefined && {
        "content-type": body instanceof Blob ? "application/octet-stream" : "application/json",
      }),
    };
    const sent = body === undefined || body instanceof Blob ? body : JSON.stringify(body);
    const url = new URL(`${server.pathname.replace(/\/$/, "")}/api/v1${to}`, server);
    const until = performance.now() + PATIENCE_MS;
    for (let tries = 0; ; tries += 1) {
      signal.throwIfAborted();
      const answer = await fetch(url, {
        method,
        headers,
        redirect: "manual",
        signal,
        ...(sent !== undefined && { body: sent }),
      }).catch((error: Error) => error);
      isKnown ||= answer instanceof Response;
      if (answer instanceof Response && answer.ok) return answer;
      const isPassing =
        answer instanceof Error || [429, 502, 503, 504].includes(answer.status) || (await isInProgress(answer.clone()));
      if (!isPassing || !isKnown || performance.now() > until)
        throw answer instanceof Error ? unreachable(server, answer) : await errorOf(answer);
      if (tries === 2) say(`${server.origin} does not answer. Trying again for up to five minutes.`);
      const wait = answer instanceof Error ? 1 + tries : Number(answer.headers.get("retry-after") ?? 2);
      await pause(Math.min(wait, 30) * 1000, signal);
    }
  }
  return {
    call,
    get: async <T>(to: string) => (await (await call("GET", to)).json()) as T,
    post: async <T>(to: string, body?: Blob | object) => (await (await call("POST", to, body)).json()) as T,
  };
}

/** @throws the reason of `signal` if it is aborted meanwhile */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => {
    throw signal.reason;
  });
}

/** Whether the same call, sent before, is still being made. */
const isInProgress = async (answer: Response): Promise<boolean> =>
  answer.status === 409 && ((await answer.json().catch(() => ({}))) as { code?: string }).code === "in_progress";

async function errorOf(answer: Response): Promise<KnownError> {
  const { detail, code = "other" } = (await answer.json().catch(() => ({}))) as { detail?: string; code?: string };
  return new KnownError(
    answer.status,
    code,
    detail ?? `The server answered ${answer.status}. Is it the address of a Samespot?`,
  );
}

const unreachable = ({ origin }: URL, error: Error) =>
  new KnownError(
    503,
    "unavailable",
    `${origin} cannot be reached (${(error.cause as Error | undefined)?.message ?? error.message}).`,
  );

/** Goes on with the newest run of this file, or uploads and starts it. Returns its id. */
async function beginAt(api: Api, options: Options, talk: Talk): Promise<string> {
  const hash = createHash("sha256");
  for await (const bytes of createReadStream(options.file, { signal: talk.signal })) hash.update(bytes);
  const known = options.again
    ? []
    : (await api.get<{ files: FileState[] }>(`/files?sha256=${hash.digest("hex")}`)).files;
  const earlier = known.find(({ is_own: isOwn, state }) => isOwn && state !== "cancelled");
  if (earlier && earlier.state !== "draft") {
    await goOnAt(api, earlier, options);
    return earlier.id;
  }
  const name = encodeURIComponent(path.basename(options.file));
  const { id } = earlier ?? (await api.post<FileState>(`/files?name=${name}`, await openAsBlob(options.file)));
  await startAt(api, id, options, talk);
  return id;
}

async function startAt(api: Api, id: string, options: Options, talk: Talk): Promise<void> {
  const { encoding, separator, quotes, sheet, town, previous } = options;
  const format = {
    ...(encoding && { encoding }),
    ...(separator && { separator }),
    ...(quotes && { quotes }),
    ...(sheet && { sheet }),
  };
  const at = `/files/${id}/columns`;
  const draft = await (Object.keys(format).length > 0 ? api.post<Draft>(at, format) : api.get<Draft>(at));
  const before = previous === undefined ? await askEditionAt(draft, options, talk) : previous;
  if (before === null) refuseWithoutEdition(options.lists);
  const columns = options.columns === undefined ? undefined : sentColumns(chosenIn(draft, options.columns));
  await api.post(at, { ...(columns && { columns }), ...(town !== undefined && { town }), previous_id: before });
  if (!(await isRepairedAt(api, id, options))) await api.post(`/files/${id}/repairs`, { repairs: options.repairs });
  await api.post(`/files/${id}/start`);
}

async function isRepairedAt(api: Api, id: string, { repairs }: Options): Promise<boolean> {
  if (!repairs?.length) return true;
  const kept = await api.get<{ repairs: { repair: RowRepair; undone_at: string | null }[] }>(`/files/${id}/repairs`);
  return hasRepairs(
    kept.repairs.filter(({ undone_at: undone }) => undone === null),
    repairs,
  );
}

function columnsOf({ header, columns }: Draft): Columns {
  const known = FIELDS.map(
    (field) => [field, columnsAre((columns[field] ?? []).map((name) => header.indexOf(name)))] as const,
  );
  return Object.fromEntries(known.filter(([, index]) => index !== undefined));
}

const chosenIn = (draft: Draft, columns: string): Columns => chosenColumns(columns, draft.header, columnsOf(draft));

/** Each field by numbers from 1, so that others lose their columns. */
const sentColumns = (columns: Columns) =>
  Object.fromEntries(
    FIELDS.map((field) => {
      const numbers = indexesOf(columns, field).map((index) => index + 1);
      return [field, numbers.length > 0 ? numbers : null];
    }),
  );

async function askEditionAt(
  { likely_previous: likely }: Draft,
  { shows }: Options,
  { signal, say }: Talk,
): Promise<string | null> {
  if (!likely) return null;
  const looks = `This looks like a new edition of ${likely.name}.`;
  if (asks(shows))
    return (await askHere(signal)(`${looks} Is it one? Unchanged rows then keep their decisions.`, likely.is_sure))
      ? likely.id
      : null;
  say(
    `${looks} It is read as a new list. To keep the decisions: --again --previous ${likely.id}. For a new list: --previous none.`,
  );
  return null;
}

/** @throws KnownError 400 if the run was begun with other options */
async function goOnAt(api: Api, earlier: FileState, options: Options): Promise<void> {
  const draft = await api.get<Draft>(`/files/${earlier.id}/columns`);
  const { encoding, separator, quotes, sheet, previous, columns } = options;
  const { format } = draft;
  const isReadSo =
    Object.entries({ encoding, separator, quotes, sheet }).every(
      ([name, value]) => value === undefined || value === format[name as keyof typeof format],
    ) &&
    (previous === undefined || previous === earlier.previous_id) &&
    (columns === undefined || isDeepStrictEqual(chosenIn(draft, columns), columnsOf(draft))) &&
    (await isRepairedAt(api, earlier.id, options));
  const isOtherTown = options.town !== undefined && options.town !== format.town;
  if (!isReadSo || (isOtherTown && earlier.state !== "ready"))
    throw badRequest(`The server has this file with other options: ${earlier.page}. Start a new run with --again.`);
  if (earlier.previous_id === null) refuseWithoutEdition(options.lists);
  if (earlier.paused_for !== null) await api.post(`/files/${earlier.id}/resume`).catch(unlessConflict);
  if (isOtherTown) await api.post(`/files/${earlier.id}/retry`, { town: options.town }).catch(unlessConflict);
}

/** It goes on already, or there is nothing to do. */
function unlessConflict(error: unknown): undefined {
  if (!(error instanceof KnownError) || error.status !== 409) throw error;
}

interface Followed {
  display: ReturnType<typeof createProgressDisplay>;
  signal: AbortSignal;
}

/** Waits for the results, and with --wait-for-review until nothing is left to review. */
async function followAt(api: Api, id: string, options: Options, { display, signal }: Followed): Promise<FileState> {
  const said = new Set<string>();
  const sayOnce = (message: string) => {
    if (!said.has(message)) display.say(message);
    said.add(message);
  };
  try {
    for (;;) {
      const run = await api.get<FileState>(`/files/${id}?wait=${WAIT_SECONDS}`);
      display.show(shownOf(run));
      if (run.state === "cancelled") throw stopped("The run was cancelled in the web app.");
      if (run.state === "draft") throw badRequest(run.problem ?? "The file could not be read.");
      if (run.paused_for !== null)
        throw stopped(`The run is paused (${run.paused_for}): ${run.page}. Run the same command to resume it.`);
      if (run.is_at_work && !run.progress.has_worker)
        sayOnce("No worker is running at the server. It continues when one starts.");
      const isDone = !run.is_at_work && !run.is_judging && run.counts !== null;
      if (isDone && !(options.waitForReview && run.counts && run.counts.review > 0)) return run;
      if (!isDone) continue;
      sayOnce(`${count(run.counts?.review ?? 0)} to review at ${run.page}/review`);
      await pause(REVIEW_EVERY_MS, signal);
    }
  } finally {
    display.end();
  }
}

const shownOf = ({ state, counts, progress }: FileState): ShownProgress => ({
  state,
  isCounted: counts !== null,
  total: progress.total,
  done: progress.done,
  failed: counts?.failed ?? 0,
  perSecond: progress.per_second ?? undefined,
  secondsLeft: progress.seconds_left ?? undefined,
  retryAt: null,
});

/** Writes the file, and the lists of an edition. */
async function writeAllAt(
  api: Api,
  { id, previous_id: previous }: FileState,
  options: Options,
): Promise<Summary["edition"]> {
  const { output, format, candidates, lists } = options;
  const download = async (to: string, of: string, query: Record<string, string>) => {
    const answer = await api.call(
      "GET",
      `/files/${of}/export?${new URLSearchParams({ ...query, candidates: candidates ? "1" : "0" })}`,
    );
    await write(to, () => answer.body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>);
  };
  await download(output, id, { format });
  if (previous === null) return undefined;
  for (const called of EDITION_LISTS) {
    const to = lists[called];
    if (!to) continue;
    if (called === "removed") await download(to.output, previous, { format: to.format, removed: id });
    else await download(to.output, id, { format: to.format, edition: called });
  }
  const { previous_id: _, ...edition } = await api.get<NonNullable<Summary["edition"]> & { previous_id: string }>(
    `/files/${id}/edition`,
  );
  return edition;
}

async function writeChangesAt(
  api: Api,
  id: string,
  { venueChanges: to }: Options,
  signal: AbortSignal,
): Promise<Summary["venue_changes"]> {
  if (!to) return undefined;
  await api.post(`/files/${id}/changes`);
  for (;;) {
    const look = await api.get<{ is_at_work: boolean; counts: Summary["venue_changes"]; problem: string | null }>(
      `/files/${id}/changes`,
    );
    if (!look.is_at_work) {
      const answer = await api.call("GET", `/files/${id}/changes/download?format=${to.format}`);
      await write(to.output, () => answer.body as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>);
      return look.counts;
    }
    if (look.problem !== null) throw stopped(look.problem);
    await pause(WAIT_SECONDS * 1000, signal);
  }
}
