import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { HONEST, hostileFiles } from "../../../bench/support/hostile-files.ts";
import { longestWait } from "../../../bench/support/longest-wait.ts";
import type { DirectoryClient } from "../../../src/directory-client/client.ts";
import { readRows } from "../../../src/files/formats/table.ts";
import { exportText } from "../../../src/harmonize/export/export.ts";
import { beginAgain } from "../../../src/harmonize/file/begin-again.ts";
import { changeDraft, rereadFile } from "../../../src/harmonize/file/layout.ts";
import { previewFile } from "../../../src/harmonize/file/preview.ts";
import { tryOut } from "../../../src/harmonize/file/trial.ts";
import type { Harmonization } from "../../../src/harmonize/run/harmonizations.ts";
import { startFiles } from "./reader.ts";

const { deps, load, upload, read, uploadAndRead, listings } = await startFiles();
const { signal } = new AbortController();

/**
 * Milliseconds. Alone, the longest stretch of any file is some 60 (attacks F28 allows 100); in the process that has run hundreds
 * of test files before, the same work takes up to 220.
 */
const MOST_MS = 250;

/** Repeats a measurement above the limit: a stretch of ours recurs, a garbage collection of the whole test process does not. */
async function shortestOfSix<Result>(work: () => Promise<Result>) {
  let shortest = await longestWait(work);
  for (let tries = 1; tries < 6 && shortest.wait >= MOST_MS; tries += 1) {
    const next = await longestWait(work);
    if (next.wait < shortest.wait) shortest = next;
  }
  return shortest;
}

describe("F28: other work runs", () => {
  const files = Object.entries(hostileFiles(2 * 1024 * 1024));

  test.each(files)("F28: while 2 MB of rows are read that arrive at once: %s", async (_, bytes) => {
    const format = { encoding: "utf-8", separator: ",", hasHeader: true } as const;
    const { wait } = await shortestOfSix(async () => {
      for await (const _ of readRows(Readable.from([bytes]), format, ["id", "name", "lat", "lng", "phone"]));
    });
    expect(wait).toBeLessThan(MOST_MS);
  });
});

describe("F28: a file of 1.3 MB", () => {
  const { [HONEST]: honest = Buffer.alloc(0), ...hostile } = hostileFiles(1.3 * 1024 * 1024);
  const directory = {
    matchListings: async (_: unknown, queries: unknown[]) =>
      queries.map(() => ({ found: { venues: [], confident: false, geocode: undefined } })),
  } as unknown as DirectoryClient;
  const trying = { ...deps, directory, authFor: async () => ({ token: "t" }), tokenRefused: async () => {} };

  /** Does everything an owner can do before the start, unless the file is rejected. */
  async function draftOf(bytes: Buffer): Promise<Harmonization | undefined> {
    const draft = await upload(bytes).catch(() => undefined);
    if (!draft) return undefined;
    await previewFile(deps, draft);
    await rereadFile(deps, draft, { ...draft.format, separator: ";" }, signal).catch(() => {});
    await rereadFile(deps, draft, draft.format, signal);
    await changeDraft(deps, draft, { ...draft, previousId: null }, "try");
    await tryOut(trying, await load(draft.id), { signal: new AbortController().signal });
    return load(draft.id);
  }
  let usual = 0;

  test.each([[HONEST, honest], ["once more", honest], ...Object.entries(hostile)])(
    "F28: blocks no other work and costs little time, whatever its content: %s",
    async (name, bytes) => {
      const { wait, total } = await shortestOfSix(() => draftOf(bytes));
      if (name === HONEST) return; // until then much is loaded and compiled
      if (name === "once more") usual = total;
      expect(wait).toBeLessThan(MOST_MS);
      expect(total).toBeLessThan(Math.max(10 * usual, 1000));
    },
  );

  const wide = Object.entries(hostile).filter(([name]) => /^500 columns|megabyte|100 KB/.test(name));

  test.each(wide)(
    "F28: blocks no other work while its listings are read, exported and begun again: %s",
    async (_, bytes) => {
      const { wait } = await shortestOfSix(async () => {
        const draft = await upload(bytes, { state: "reading" });
        await read(draft);
        const run = await load(draft.id);
        for await (const _ of exportText(deps, run, { format: "csv", hasCandidates: false }));
        await beginAgain(deps, run);
      });
      expect(wait).toBeLessThan(MOST_MS);
    },
  );
});

test("W14: blank rows at the end of a spreadsheet's file are skipped and do not fail", async () => {
  const rows = '1,Joe,41.8,-71.4\n2,Ann,41.9,-71.5\n,,,\n"","","",""\n3,Bob,41.9,-71.5\n';
  const { id, listingCount } = await uploadAndRead(`id,name,lat,lng\n${rows}${",,,\r\n \t,,,\r\n".repeat(20_000)}`);
  expect(listingCount).toBe(3);
  expect((await listings(id)).map(({ line, status }) => [line, status])).toEqual([
    [2, "pending"],
    [3, "pending"],
    [6, "pending"],
  ]);
});
