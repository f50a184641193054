import type { Breakage } from "../breakage.ts";

/** C34 to C36: deleted and merged venues. */
export const correctionBreakages: Breakage[] = [
  {
    id: "C36",
    breaks: "an operator's token of any application may merge venues",
    file: "src/directory/api/venue-merge.ts",
    find: "&& isOperator(operator, application.owner)",
    replace: "&& application.owner",
    test: "test/directory/api/merge.test.ts",
  },
  {
    id: "C35",
    breaks: "a merge is reverted though the other venue was merged since",
    file: "src/directory/corrections/revert.ts",
    find: "if (rowCount === 0) throw inTheWay(",
    replace: "if (rowCount === null) throw inTheWay(",
    test: "test/directory/corrections.test.ts",
  },
  {
    id: "C35",
    breaks: "a merge leaves older redirects where they led",
    file: "src/directory/corrections/join.ts",
    find: '  await become("moved_venue");\n',
    replace: "",
    test: "test/directory/corrections.test.ts",
  },
  {
    id: "C35",
    breaks: "an annotation does not wait for the merge of its venue",
    file: "src/directory/venues/find.ts",
    find: " FOR KEY SHARE`;",
    replace: "`;",
    test: "test/directory/corrections.test.ts",
  },
  {
    id: "C34",
    breaks: "a venue may be deleted by every user of the application that added it",
    file: "src/directory/corrections/delete.ts",
    find: "v.creator_id = $2 AND v.client_id",
    replace: "$2 <> '' AND v.client_id",
    test: "test/directory/api/delete.test.ts",
  },
  {
    id: "C34",
    breaks: "a venue with links of another application of the same user may be deleted",
    file: "src/directory/corrections/delete.ts",
    find: "OR p.client_id IS DISTINCT FROM $3)",
    replace: "OR p.client_id IS NULL AND $3 <> '')",
    test: "test/directory/api/delete.test.ts",
  },
];
