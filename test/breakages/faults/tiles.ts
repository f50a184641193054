import type { Breakage } from "../breakage.ts";

const STATEMENTS = "test/db/distributed/distributed.test.ts";
const TILES = "test/directory/venues/tiles.test.ts";

/** Group F: venues on several servers. */
export const tileBreakages: Breakage[] = [
  {
    id: "F42",
    breaks: "a part of the candidates' statement asks all servers",
    file: "src/directory/venues/candidates.ts",
    find: '${inTile("n", "$7", tile)} AND ',
    replace: "",
    test: STATEMENTS,
  },
  {
    id: "F42",
    breaks: "a check-in locks its venue without naming the tile",
    file: "src/directory/checkins.ts",
    find: "WHERE ${isAt(venue)} FOR UPDATE",
    replace: "WHERE v.id = ${venue.id} FOR UPDATE",
    test: STATEMENTS,
  },
  {
    id: "F42",
    breaks: "a very similar name on the other side of a border does not end the search",
    file: "src/directory/venues/merge-tiles.ts",
    find: "const wide = isEnough ? [] : mostAlike(named);",
    replace: "const wide = mostAlike(named);",
    test: TILES,
  },
  {
    id: "F42",
    breaks: "each tile returns the nearest venues, instead of all together",
    file: "src/directory/venues/merge-tiles.ts",
    find: "(isOnSpot || !isEnough)).slice(0, NEAREST)",
    replace: "(isOnSpot || !isEnough))",
    test: TILES,
  },
  {
    id: "F42",
    breaks: "a listing at a border asks only its own tile",
    file: "src/directory/venues/probe.ts",
    find: "tilesUnder(pool, [wide])",
    replace: "tilesUnder(pool, [wide]).slice(0, 1)",
    test: TILES,
  },
  {
    id: "F42",
    breaks: "every look at the nodes connects to all of them",
    file: "src/db/citus/nodes.ts",
    find: "if (last && performance.now() < last.at + FRESH_MS) return last.nodes;",
    replace: "",
    test: "test/db/nodes.test.ts",
  },
  {
    id: "F42",
    breaks: "a write after a node was started again causes a 500",
    file: "src/db/unavailable.ts",
    find: "LOST_NODE.test(error.message)",
    replace: "false",
    test: "test/db/database.faults.test.ts",
  },
  {
    id: "F42",
    breaks: "a merge locks its venues without naming the tile",
    file: "src/directory/corrections/join.ts",
    find: '${inTile("v", "$2", tile)} AND ',
    replace: "",
    test: STATEMENTS,
  },
];
