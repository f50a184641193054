// npm run bench -- waits [--mb 1.3] [--only WORDS]: how long one member's file blocks all others. It runs each step that reads a
// file in this process, and measures the CPU time of the longest stretch without a turn of the event loop, for hostile files and
// an ordinary one of the same size.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openDatabase } from "../src/db/database.ts";
import { migrate } from "../src/db/migrate.ts";
import { readVenues } from "../src/directory/import/read-venues.ts";
import { exportText } from "../src/harmonize/export/export.ts";
import { beginAgain } from "../src/harmonize/file/begin-again.ts";
import { copyRows } from "../src/harmonize/file/copy-rows.ts";
import { changeDraft, rereadFile } from "../src/harmonize/file/layout.ts";
import { previewFile } from "../src/harmonize/file/preview.ts";
import { readListings } from "../src/harmonize/file/read-listings.ts";
import { receiveFile } from "../src/harmonize/file/receive.ts";
import { tryOut } from "../src/harmonize/file/trial.ts";
import { deleteAll, deleteHarmonization } from "../src/harmonize/run/deletion.ts";
import { loadHarmonization } from "../src/harmonize/run/harmonizations.ts";
import { FILE_LIMITS } from "../src/shared/file-limits.ts";
import { hostileFiles } from "./support/hostile-files.ts";
import { longestWait } from "./support/longest-wait.ts";
import { type Row, say, type Tables } from "./support/report.ts";
import { withScratch } from "./support/scratch.ts";

type Deps = Parameters<typeof tryOut>[0] &
  Parameters<typeof deleteHarmonization>[0] &
  Parameters<typeof readListings>[0];

export const SMALLEST = ["--mb", "0.02"];

export async function run(args: string[]): Promise<Tables> {
  const options = { mb: { type: "string", default: "1.3" }, only: { type: "string", default: "" } } as const;
  const { mb, only } = parseArgs({ args, options }).values;
  const files = Object.entries(hostileFiles(Math.round(Number(mb) * 1024 * 1024)));
  return withScratch(async ({ url, folder }) => {
    await migrate(url);
    const database = openDatabase(url, { patience: 60_000 });
    const deps = {
      ...{ ...database, databaseUrl: url, directoryUrl: "http://directory.test", limits: FILE_LIMITS },
      queue: { send: async () => {} },
      directory: { matchListings: async (_: unknown, queries: unknown[]) => queries.map(() => NOTHING) },
      authFor: async () => ({ token: "t" }),
      tokenRefused: async () => {},
    } as unknown as Deps;
    const waits: Row[] = [];
    const seconds: Row[] = [];
    for (const [file, bytes] of files.filter(([file]) => file.includes(only))) {
      say(file);
      const measured = await measure(deps, bytes, path.join(folder, "file.csv"));
      waits.push({ file, ...byStep(measured, ({ wait }) => Math.round(wait)) });
      seconds.push({ file, ...byStep(measured, ({ total }) => total / 1000) });
    }
    await database.close();
    return { [`Longest block in ms, for a file of ${mb} MB`]: waits, "CPU seconds of each step": seconds };
  });
}

const NOTHING = { found: { venues: [], confident: false, geocode: undefined } };
const STEPS = ["upload", "page", "re-read", "try", "read", "export", "again", "import"] as const;
type Step = (typeof STEPS)[number];
type Measured = Partial<Record<Step, { wait: number; total: number }>>;

const byStep = (measured: Measured, figure: (of: { wait: number; total: number }) => number): Row =>
  Object.fromEntries(STEPS.map((step) => [step, measured[step] ? figure(measured[step]) : ""]));

/** Measures all steps that the file reaches, including one that rejects it. */
async function measure(deps: Deps, bytes: Buffer, file: string): Promise<Measured> {
  const measured: Measured = {};
  const at = async <T>(step: Step, work: () => Promise<T>): Promise<T | undefined> => {
    const { result, ...figures } = await longestWait(() => work().catch((error: Error) => say(`  ${error.message}`)));
    measured[step] = figures;
    return result ?? undefined;
  };
  writeFileSync(file, bytes);
  await at("import", () => drain(readVenues(file)));
  const { signal } = new AbortController();
  const sent = { accountId: null, name: "file.csv", bytes: pieces(bytes), signal };
  const id = await at("upload", () => receiveFile(deps, sent));
  if (!id) return measured;
  const load = async (of = id) => (await loadHarmonization(deps, of)) ?? Promise.reject(new Error("It is gone."));
  const draft = await load();
  await at("page", () => previewFile(deps, draft));
  await at("re-read", () => rereadFile(deps, draft, { ...draft.format, separator: ";" }, signal));
  await at("re-read", () => rereadFile(deps, draft, draft.format, signal));
  await changeDraft(deps, draft, { columns: draft.columns, previousId: null }, "try");
  const tried = await load();
  await at("try", () => tryOut(deps, tried, { signal }));
  await changeDraft(deps, draft, { columns: draft.columns, previousId: null }, "start");
  const started = await load();
  await at("read", () => readListings(deps, started, { signal }));
  const read = await load();
  await at("export", () => drain(exportText(deps, read, { format: "csv", hasCandidates: false })));
  const again = await at("again", async () => {
    const next = await beginAgain(deps, read);
    await copyRows(deps, await load(next), { signal });
    return next;
  });
  for (const each of [id, again]) {
    if (each === undefined) continue;
    await deleteHarmonization(deps, each);
    await deleteAll(deps, { id: each, state: "deleting" }, { signal: new AbortController().signal });
  }
  return measured;
}

/** In pieces as from a socket. */
async function* pieces(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 64 * 1024) {
    yield bytes.subarray(at, at + 64 * 1024);
    await after(0);
  }
}

async function drain(all: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of all);
}
