import type { Breakage } from "./breakage.ts";

/** F30: files whose positions are wrong as a whole. */
export const positionBreakages: Breakage[] = [
  {
    id: "F30",
    breaks: "a look at positions lasts as long as the directory is slow",
    file: "src/harmonize/positions/task.ts",
    find: "calls: AbortSignal.any([calls, deadline])",
    replace: "calls",
    test: "test/harmonize/positions-slow.test.ts",
  },
  {
    id: "F30",
    breaks: "a file whose positions look wrong is started without a question",
    file: "src/web/harmonize/draft.ts",
    find: 'if (action === "start" && isSameQuestion && isOpen(harmonization.positions)) {',
    replace: 'if (action === "start" && isSameQuestion && harmonization.positions === undefined) {',
    test: "test/web/harmonize-positions.test.ts",
  },
  {
    id: "F30",
    breaks: "the server begins to add although nobody has answered",
    file: "src/harmonize/add-listings.ts",
    find: "if (isOpen(positions)) throw unanswered();",
    replace: "if (isOpen(positions) && !person.id) throw unanswered();",
    test: "test/harmonize/add-positions.test.ts",
  },
  {
    id: "F30",
    breaks: "a worker adds what nobody had looked at when the form was sent",
    file: "src/harmonize/add-listings.ts",
    find: "const positions = await judgePositions(deps, h, { ...run, deadlineMs: LOOK_MS });",
    replace: "const { positions } = h;",
    test: "test/harmonize/add-positions.test.ts",
  },
  {
    id: "F30",
    breaks: "one listing is added at a position that nobody has looked at",
    file: "src/web/harmonize/add-as-new.ts",
    find: "if (doubt) return await sendForm",
    replace: "if (doubt && !venue.name) return await sendForm",
    test: "test/web/harmonize-positions.test.ts",
  },
  {
    id: "F30",
    breaks: "a row far from the town it names is added with the others",
    file: "src/harmonize/add-listings.ts",
    find: "if (misplaced) throw misplaced;",
    replace: "if (misplaced && !h.id) throw misplaced;",
    test: "test/harmonize/add-positions.test.ts",
  },
  {
    id: "F30",
    breaks: "a file of which only a part is swapped is taken for right",
    file: "src/harmonize/positions/judge.ts",
    find: "if (best.rows < least) break;",
    replace: "if (best.rows < Math.max(1, compared.length * 0.7)) break;",
    test: "test/harmonize/positions-judge.test.ts",
  },
  {
    id: "F30",
    breaks: "a file whose towns the directory takes for others of the same names is taken for swapped",
    file: "src/harmonize/positions/places.ts",
    find: "export const NEAR = 50_000;",
    replace: "export const NEAR = 15_000_000;",
    test: "test/harmonize/positions-right.test.ts",
  },
];
