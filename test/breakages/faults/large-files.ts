import type { Breakage } from "../breakage.ts";

const test = "test/attacks/faults/large-files.test.ts";
const again = "test/harmonize/file/again.test.ts";

/** Attack F32: what takes long because a file is large. */
export const largeFileBreakages: Breakage[] = [
  {
    id: "F32",
    breaks: "a count that fails is a page that fails",
    file: "src/harmonize/run/lately.ts",
    find: "    if (!isUnavailable(error)) throw error;\n  } finally {",
    replace: "    throw error;\n  } finally {",
    test: "test/harmonize/run/lately.test.ts",
  },
  {
    id: "F32",
    breaks: "a page waits until its listings can be read",
    file: "src/harmonize/results/listings.ts",
    find: "  if (!isTooSlow(error)) throw error;",
    replace: "  throw error;",
    test,
  },
  {
    id: "F32",
    breaks: "conflicts of any file are looked for while somebody waits, and not at all where that takes too long",
    file: "src/harmonize/conflicts/search.ts",
    find: "await findConflicts(deps, h).catch(unlessUnavailable) : undefined;",
    replace: "await findConflicts(deps, h) : undefined;",
    test,
  },
  {
    id: "F32",
    breaks: "who deletes a run waits for its rows to go",
    file: "src/harmonize/run/deletion.ts",
    find: '  await queue.send({ kind: "delete", harmonizationId: id }).catch(() => {});',
    replace: '  await pool.query("DELETE FROM app.listing WHERE harmonization_id = $1", [id]);',
    test,
  },
  {
    id: "F32",
    breaks: "what is being deleted is still offered as the edition before",
    file: "src/harmonize/file/layout.ts",
    find: "      state: { notIn: [...HIDDEN] },\n",
    replace: "",
    test,
  },
  {
    id: "F32",
    breaks: "a draft waits until it is known which edition it may be",
    file: "src/harmonize/file/layout.ts",
    find: "const { value: found = [] } = await lately(pool, JSON.stringify([draft.id, values]), find, { isLong: false });",
    replace: "const found = draft.id ? await find() : [];",
    test,
  },
  {
    id: "F32",
    breaks: "a stretch of a file that takes too long ends the whole",
    file: "src/db/stretches.ts",
    find: "if (!isTooSlow(error) || length <= FEWEST) throw error;",
    replace: "throw error;",
    test: "test/db/stretches.test.ts",
  },
  {
    id: "F32",
    breaks: "a search for conflicts is begun at each look",
    file: "src/harmonize/conflicts/search.ts",
    find: "if (!row?.wantedAt && row?.basis !== basisOf(h)) await",
    replace: "await",
    test: "test/harmonize/conflicts/search.test.ts",
  },
  {
    id: "F32",
    breaks: "an export is broken off by one page that takes too long",
    file: "src/harmonize/export/rows.ts",
    find: "const page = await patiently(() =>",
    replace: "const page = await ((work) => work())(() =>",
    test: "test/harmonize/export/export.test.ts",
  },
  {
    id: "F32",
    breaks: "who begins a large run again waits until its rows are written",
    file: "src/harmonize/file/begin-again.ts",
    find: "if (size > FEW_BYTES) await",
    replace: "if (size < 0) await",
    test: again,
  },
  {
    id: "F32",
    breaks: "what a worker had written of a run that begins again stays when it is killed",
    file: "src/harmonize/file/copy-rows.ts",
    find: "await storeParts(client, h.id,",
    replace: "await storeParts(deps.pool, h.id,",
    test: again,
  },
  {
    id: "F32",
    breaks: "the rows of a deleted run go while they are written for one that begins again",
    file: "src/harmonize/run/deletion.ts",
    find: "    if ((await client.query(copied, [id])).rowCount) return;\n",
    replace: "    await client.query(copied, [id]);\n",
    test: again,
  },
];
