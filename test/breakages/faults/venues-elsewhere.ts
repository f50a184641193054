import type { Breakage } from "../breakage.ts";

/** F48, F49: bridge files, and what became of venues since. */
export const venueElsewhereBreakages: Breakage[] = [
  {
    id: "F48",
    breaks: "a second row of a bridge file with the same venue decides its listing again",
    file: "src/harmonize/bridge/take-over.ts",
    find: "AND (f.is_several OR f.place > 1)",
    replace: "AND f.is_several",
    test: "test/harmonize/bridge/pairs.test.ts",
  },
  {
    id: "F48",
    breaks: "a bridge file may have any number of rows",
    file: "src/harmonize/bridge/receive.ts",
    find: "if (all > most) throw tooMany(most);",
    replace: "if (all > most && !file.id) throw tooMany(most);",
    test: "test/harmonize/bridge/receive.test.ts",
  },
  {
    id: "F48",
    breaks: "the venue of a closed one's row is decided",
    file: "src/harmonize/bridge/take-over.ts",
    find: 'open: "found", closed: "closed",',
    replace: 'open: "found", closed: "found",',
    test: "test/harmonize/bridge/pairs.test.ts",
  },
  {
    id: "F49",
    breaks: "a venue that moves a little is told as moved",
    file: "src/harmonize/changes/look.ts",
    find: "const MOVED = 20;",
    replace: "const MOVED = 5;",
    test: "test/harmonize/changes/sequences.test.ts",
  },
  {
    id: "F49",
    breaks: "a reverted merge is told as a merge",
    file: "src/harmonize/changes/look.ts",
    find: "isMerged: now.id !== wasId && now.id !== venueId,",
    replace: "isMerged: now.id !== wasId,",
    test: "test/harmonize/changes/sequences.test.ts",
  },
];
