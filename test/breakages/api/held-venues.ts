import type { Breakage } from "../breakage.ts";

const LEAKS = "test/directory/api/held-leaks.test.ts";
const API = "test/directory/api/held.test.ts";

/** C70 and C71: new venues that wait for approval. */
export const heldVenueBreakages: Breakage[] = [
  {
    id: "C70",
    breaks: "a held venue is stored like any other",
    file: "src/directory/venues/add.ts",
    find: 'closedAt: isHeld ? "infinity" : null',
    replace: "closedAt: null",
    test: LEAKS,
  },
  {
    id: "C70",
    breaks: "everybody finds a held venue by its id",
    file: "src/directory/venues/find.ts",
    find: "rows.filter(sees)",
    replace: "rows",
    test: LEAKS,
  },
  {
    id: "C70",
    breaks: "a link shows a held venue to other users of the application",
    file: "src/directory/api/venue-search.ts",
    find: "linked.filter(seenBy(caller))",
    replace: "linked",
    test: LEAKS,
  },
  {
    id: "C70",
    breaks: "the deletion of a held venue of another user says whose it is",
    file: "src/directory/corrections/delete.ts",
    find: ".filter(({ isHidden }) => !isHidden)",
    replace: "",
    test: LEAKS,
  },
  {
    id: "C70",
    breaks: "the refusal of a link shows the held venue that has it",
    file: "src/directory/venues/links.ts",
    find: "if (!sees(holder))",
    replace: "if (sees(holder) && !holder)",
    test: LEAKS,
  },
  {
    id: "C70",
    breaks: "a held venue can be closed and reopened, which shows it to all",
    file: "src/directory/corrections/edit.ts",
    find: "isHeld && changes.closed !== undefined",
    replace: 'isHeld && changes.closed === undefined && changes.name === ""',
    test: API,
  },
  {
    id: "C70",
    breaks: "gathered places name the towns of held venues",
    file: "src/directory/places/gather.ts",
    find: " WHERE closed_at IS DISTINCT FROM 'infinity'",
    replace: "",
    test: API,
  },
  {
    id: "C71",
    breaks: "a held venue that is deleted is locked before its proposal",
    file: "src/directory/corrections/delete.ts",
    find: "    await lockNew(client, ids);\n",
    replace: "",
    test: "test/directory/api/held.test.ts",
  },
  {
    id: "C71",
    breaks: "a held venue is approved with values that the operator has not seen",
    file: "src/directory/proposals/decide.ts",
    find: "Object.keys(differing(seen, valuesOf(venue))).length > 0",
    replace: "Object.keys(differing(seen, valuesOf(venue))).length > 99",
    test: API,
  },
  {
    id: "C71",
    breaks: "a restored venue that was held never comes back into the queue",
    file: "src/directory/corrections/revert.ts",
    find: '=== "infinity"',
    replace: '=== "never"',
    test: API,
  },
];
