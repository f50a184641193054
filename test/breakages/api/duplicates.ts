import type { Breakage } from "../breakage.ts";

const DECIDE = "test/directory/duplicates/decide.test.ts";
const PLANTED = "test/directory/duplicates/planted.faults.test.ts";

/** C47 to C49 and F47: duplicates within the directory. */
export const duplicateBreakages: Breakage[] = [
  {
    id: "C47",
    breaks: "an undo restores only the last group of a merge",
    file: "src/directory/duplicates/decide.ts",
    find: "change_ids = change_ids || $2::bigint[]",
    replace: "change_ids = $2::bigint[]",
    test: DECIDE,
  },
  {
    id: "C47",
    breaks: "an undo that could not restore everything cannot be repeated",
    file: "src/directory/duplicates/decide.ts",
    find: '  if (problems.length === 0)\n    await pool.query("UPDATE',
    replace: '  await pool.query("UPDATE',
    test: DECIDE,
  },
  {
    id: "C48",
    breaks: "a search forgets what operators said of venues that changed",
    file: "src/directory/duplicates/store.ts",
    find: "WHERE different_at IS NULL AND (a_id = ANY ($1) OR b_id = ANY ($1))\n     RETURNING",
    replace: "WHERE (a_id = ANY ($1) OR b_id = ANY ($1))\n     RETURNING",
    test: DECIDE,
  },
  {
    id: "C48",
    breaks: "what an operator said of a venue is forgotten when it is merged into another",
    file: "src/directory/duplicates/store.ts",
    find: "!apart.has(keyOf(a, b))",
    replace: "!apart.has(a)",
    test: DECIDE,
  },
  {
    id: "C48",
    breaks: "a page from before merges what another operator set apart",
    file: "src/directory/duplicates/decide.ts",
    find: "  await refuseDifferent(client, ids);\n",
    replace: "",
    test: DECIDE,
  },
  {
    id: "C48",
    breaks: "a third venue brings two together that an operator set apart",
    file: "src/directory/duplicates/groups.ts",
    find: "different.has(keyOf(p, q))",
    replace: "different.has(p)",
    test: DECIDE,
  },
  {
    id: "C49",
    breaks: "branches with other house numbers are taken for duplicates",
    file: "src/directory/duplicates/rules.ts",
    find: '["houseNumber", "unit", "otherDesignation"]',
    replace: '["unit", "otherDesignation"]',
    test: PLANTED,
  },
  {
    id: "C49",
    breaks: "a pharmacy is taken for a duplicate of the shop that it is in",
    file: "src/directory/duplicates/rules.ts",
    find: "return PARTS.has(one.categoryId) || PARTS.has(other.categoryId);",
    replace: "return false;",
    test: PLANTED,
  },
  {
    id: "C49",
    breaks: "rooms and departments with the shop's name are taken for duplicates",
    file: "src/directory/duplicates/rules.ts",
    find: "const EXTRA_WORD = -0.4;",
    replace: "const EXTRA_WORD = -4;",
    test: PLANTED,
  },
  {
    id: "F47",
    breaks: "a repeated search compares all venues again",
    file: "src/directory/duplicates/run.ts",
    find: "(seen.has(hash) ? [] : id)",
    replace: "(seen.has(id) ? [] : id)",
    test: "test/directory/duplicates/run.faults.test.ts",
  },
  {
    id: "B39",
    breaks: "any user may merge duplicates",
    file: "src/directory/auth/routes.ts",
    find: 'post("/operator/duplicates", operators,',
    replace: 'post("/operator/duplicates", users,',
    test: "test/directory/auth/operator/strangers.test.ts",
  },
];
