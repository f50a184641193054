import type { Breakage } from "../breakage.ts";

const AWAY = "test/attacks/faults/directory-away.test.ts";
const SEARCH = "test/web/venues/search.test.ts";

/** The web app's pages while the directory is away (F64), and while few calls of it are left (C77). */
export const directoryAwayBreakages: Breakage[] = [
  {
    id: "F64",
    breaks: "while the directory is away, the search shows no form",
    file: "src/web/venues/search/search.ts",
    find: "    const { status, notice } = problemOf(error);\n    return page({ ...start, status, notice });",
    replace: "    throw error;",
    test: AWAY,
  },
  {
    id: "F64",
    breaks: "while the directory is away, home shows no files in progress",
    file: "src/web/home.ts",
    find: "    const { status, notice } = problemOf(error);\n    return { status, days: [], credits: undefined, start: writePlace(place), notice };",
    replace: "    throw error;",
    test: AWAY,
  },
  {
    id: "F64",
    breaks: "an edit that the directory did not take is lost",
    file: "src/web/venues/correct.ts",
    find: "    return sendRefused(web, reply, visit, form, error);",
    replace: "    throw error;",
    test: AWAY,
  },
  {
    id: "C77",
    breaks: "suggestions use up the last calls",
    file: "src/web/base/suggest-pauses.ts",
    find: "pauses.begin(accountId, PAUSE_SECONDS);",
    replace: "pauses.begin(accountId, 0);",
    test: SEARCH,
  },
  {
    id: "C77",
    breaks: "suggestions go on although the directory refused them",
    file: "src/web/venues/search/suggest.ts",
    find: "    if (error.retryAfter) pauses.begin(member.id, error.retryAfter);\n",
    replace: "",
    test: SEARCH,
  },
  {
    id: "C77",
    breaks: "the script asks for suggestions during a pause",
    file: "public/search.js",
    find: "      quietUntil = Date.now() + pause * 1000;\n",
    replace: "",
    test: SEARCH,
  },
];
