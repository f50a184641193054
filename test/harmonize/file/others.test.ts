import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { HONEST, hostileFiles } from "../../../bench/support/hostile-files.ts";
import { longestWait } from "../../../bench/support/longest-wait.ts";
import type { DirectoryClient } from "../../../src/directory-client/client.ts";
import { exportText } from "../../../src/harmonize/export/export.ts";
import { beginAgain } from "../../../src/harmonize/file/begin-again.ts";
import { changeDraft, rereadFile } from "../../../src/harmonize/file/layout.ts";
import { previewFile } from "../../../src/harmonize/file/preview.ts";
import { readRows } from "../../../src/harmonize/file/table.ts";
import { tryOut } from "../../../src/harmonize/file/trial.ts";
import type { Harmonization } from "../../../src/harmonize/run/harmonizations.ts";
import { startFiles } from "./reader.ts";

const { deps, load, upload, read, uploadAndRead, listings } = await startFiles();

/** Milliseconds of work (attacks F28). A stretch is 10 ms; the rest is slack for what cannot be cut, such as collecting garbage. */
const MOST_MS = 100;

describe("F28: others have their turn", () => {
  const files = Object.entries(hostileFiles(4 * 1024 * 1024));

  test.each(files)("F28: while the rows of 4 MB are read that come at once: %s", async (_, bytes) => {
    const format = { encoding: "utf-8", separator: ",", hasHeader: true } as const;
    const { wait } = await longestWait(async () => {
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

  /** All that its owner can have done with it before the start; nothing more of one that is refused. */
  async function draftOf(bytes: Buffer): Promise<Harmonization | undefined> {
    const draft = await upload(bytes).catch(() => undefined);
    if (!draft) return undefined;
    await previewFile(deps, draft);
    await rereadFile(deps, draft, { ...draft.format, separator: ";" }).catch(() => {});
    await rereadFile(deps, draft, draft.format);
    await changeDraft(deps, draft, { ...draft, previousId: null }, "try");
    await tryOut(trying, await load(draft.id), { signal: new AbortController().signal });
    return load(draft.id);
  }
  let usual = 0;

  test.each([[HONEST, honest], ["once more", honest], ...Object.entries(hostile)])(
    "F28: holds up nobody else and costs little, whatever is in it: %s",
    async (name, bytes) => {
      const { wait, total } = await longestWait(() => draftOf(bytes));
      if (name === HONEST) return; // until then much is loaded and compiled
      if (name === "once more") usual = total;
      expect(wait).toBeLessThan(MOST_MS);
      expect(total).toBeLessThan(Math.max(10 * usual, 1000));
    },
  );

  const wide = Object.entries(hostile).filter(([name]) => /^500 columns|megabyte|100 KB/.test(name));

  test.each(wide)(
    "F28: holds up nobody else while its listings are read, downloaded and begun again: %s",
    async (_, bytes) => {
      const draft = await upload(bytes, { state: "reading" });
      const { wait } = await longestWait(async () => {
        await read(draft);
        const run = await load(draft.id);
        for await (const _ of exportText(deps, run, { format: "csv", hasCandidates: false }));
        await beginAgain(deps, run);
      });
      expect(wait).toBeLessThan(MOST_MS);
    },
  );
});

test("W14: rows without text behind the last one, as spreadsheets leave them, are no rows, and no failed ones", async () => {
  const rows = '1,Joe,41.8,-71.4\n2,Ann,41.9,-71.5\n,,,\n"","","",""\n3,Bob,41.9,-71.5\n';
  const { id, listingCount } = await uploadAndRead(`id,name,lat,lng\n${rows}${",,,\r\n \t,,,\r\n".repeat(20_000)}`);
  expect(listingCount).toBe(3);
  expect((await listings(id)).map(({ line, status }) => [line, status])).toEqual([
    [2, "pending"],
    [3, "pending"],
    [6, "pending"],
  ]);
});
