import type { Breakage } from "../breakage.ts";

const test = "test/attacks/faults/large-files.faults.test.ts";
const again = "test/harmonize/file/again.faults.test.ts";

/** F32: slow work on large files. */
export const largeFileBreakages: Breakage[] = [
  {
    id: "F32",
    breaks: "a page fails if a count takes too long",
    file: "src/harmonize/run/lately.ts",
    find: "    if (!isUnavailable(error)) throw error;\n  } finally {",
    replace: "    throw error;\n  } finally {",
    test: "test/harmonize/run/lately.test.ts",
  },
  {
    id: "F32",
    breaks: "a page fails if its listings cannot be read in time",
    file: "src/harmonize/results/listings.ts",
    find: "asked.then((done) => done.rows).catch(unlessTooSlow)",
    replace: "asked.then((done) => done.rows)",
    test,
  },
  {
    id: "F32",
    breaks: "conflicts are searched within the request, which fails if that takes too long",
    file: "src/harmonize/conflicts/search.ts",
    find: "await findConflicts(deps, h).catch(unlessUnavailable) : undefined;",
    replace: "await findConflicts(deps, h) : undefined;",
    test,
  },
  {
    id: "F32",
    breaks: "deleting a run waits for the deletion of its rows",
    file: "src/harmonize/run/deletion.ts",
    find: '  await sendEarly(queue, { kind: "delete", harmonizationId: id });',
    replace: '  await pool.query("DELETE FROM app.listing WHERE harmonization_id = $1", [id]);',
    test,
  },
  {
    id: "F32",
    breaks: "a run being deleted is still offered as previous edition",
    file: "src/harmonize/file/layout.ts",
    find: "      state: { notIn: [...HIDDEN] },\n",
    replace: "",
    test,
  },
  {
    id: "F32",
    breaks: "the page of a draft waits for the search for its previous edition",
    file: "src/harmonize/file/layout.ts",
    find: "const { value: found = [] } = await lately(pool, JSON.stringify([draft.id, values]), find, { isLong: false });",
    replace: "const found = draft.id ? await find() : [];",
    test,
  },
  {
    id: "F32",
    breaks: "a stretch that takes too long ends the whole task",
    file: "src/db/bulk/stretches.ts",
    find: "if (!isTooSlow(error) || length <= FEWEST) throw error;",
    replace: "throw error;",
    test: "test/db/stretches.test.ts",
  },
  {
    id: "F32",
    breaks: "every view of the conflicts starts a new search",
    file: "src/harmonize/conflicts/search.ts",
    find: "if (!row?.wantedAt && row?.basis !== basisOf(h)) await",
    replace: "await",
    test: "test/harmonize/conflicts/search.test.ts",
  },
  {
    id: "F32",
    breaks: "one slow page of rows breaks off an export",
    file: "src/harmonize/export/rows.ts",
    find: "const page = await patiently(() =>",
    replace: "const page = await ((work) => work())(() =>",
    test: "test/harmonize/export/export.test.ts",
  },
  {
    id: "F32",
    breaks: "beginning a large run again waits for the copy of its rows",
    file: "src/harmonize/file/begin-again.ts",
    find: "if (size > FEW_BYTES) await",
    replace: "if (size < 0) await",
    test: again,
  },
  {
    id: "F32",
    breaks: "rows copied before a crash stay",
    file: "src/harmonize/file/copy-rows.ts",
    find: "await copyText(client, h.id,",
    replace: "await copyText(deps.pool as never, h.id,",
    test: again,
  },
  {
    id: "F32",
    breaks: "the rows of a deleted run are deleted while they are being copied",
    file: "src/harmonize/run/deletion.ts",
    find: "    if ((await client.query(copied, [id])).rowCount) return;\n",
    replace: "    await client.query(copied, [id]);\n",
    test: again,
  },
];
