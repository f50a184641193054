import type { Breakage } from "../breakage.ts";

const test = "test/harmonize/formats/apart.faults.test.ts";

/** Files that are read in a process of their own. */
export const readerBreakages: Breakage[] = [
  {
    id: "F73",
    breaks: "an answer goes to the question that was asked first",
    file: "src/harmonize/formats/base/questions.ts",
    find: "      waiting.get(number)?.(answer);\n      waiting.delete(number);",
    replace:
      "      const [[first = number] = []] = waiting;\n      waiting.get(first)?.(answer);\n      waiting.delete(first);",
    test,
  },
  {
    id: "F74",
    breaks: "every sheet is looked at, though several name one part",
    file: "src/harmonize/formats/xlsx/workbook.ts",
    find: "visibleFirst.findIndex((each) => each.path === path) === at",
    replace: "at >= 0",
    test,
  },
  {
    id: "F74",
    breaks: "blanks of a JSON file are split in quadratic time",
    file: "src/harmonize/formats/json.ts",
    find: "const end = text.search(/[\\r\\n]/);",
    replace: "const end = text.search(/\\s*[\\r\\n]/);",
    test,
  },
  {
    id: "F74",
    breaks: "only the heap of a reading process is limited",
    file: "src/harmonize/formats/reader-watch.ts",
    find: "process.memoryUsage.rss() > MOST_MEMORY || ",
    replace: "",
    test,
  },
  {
    id: "F74",
    breaks: "a person may have all files read at once",
    file: "src/harmonize/formats/turns.ts",
    find: ".length < each;",
    replace: ".length < all;",
    test,
  },
  {
    id: "F74",
    breaks: "a file is read on when its sender has left",
    file: "src/harmonize/formats/turns.ts",
    find: "AbortSignal.any([signal, done.signal])",
    replace: "AbortSignal.any([done.signal])",
    test,
  },
  {
    id: "F75",
    breaks: "a piece that is read again has the bytes of the first one",
    file: "src/harmonize/formats/base/source.ts",
    find: "const start = at - (at % PIECE);",
    replace: "const start = 0;",
    test,
  },
  {
    id: "F76",
    breaks: "a zip file may have any number of entries",
    file: "src/harmonize/formats/unpack.ts",
    find: "if (others.length > 0) {",
    replace: "if (others.length > 1e6) {",
    test,
  },
];
