import { expect, test } from "vitest";
import type { DirectoryClient } from "../../../src/directory-client/client.ts";
import { judgePositions } from "../../../src/harmonize/positions/task.ts";
import { startFiles } from "../file/reader.ts";

const { deps, upload } = await startFiles();

test("the rows that a repair changes are counted in all of a draft, not in the sample that was judged", async () => {
  const rows = Array.from({ length: 1000 }, (_, at) => `Place ${at},${at % 4 ? "-171.4,41.8" : "41.8,-171.4"}`);
  const draft = await upload(`name,lat,lng\n${rows.join("\n")}\n`);
  const judging = { ...deps, directory: {} as DirectoryClient, authFor: async () => undefined };
  const found = await judgePositions(judging, draft, { signal: new AbortController().signal });
  expect(found).toMatchObject({ verdict: "wrong", slip: "swapped", rows: 300, all: { rows: 1000, changed: 750 } });
});
