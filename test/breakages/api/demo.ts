import type { Breakage } from "../breakage.ts";

const REMOVAL = "test/directory/sample-removal.faults.test.ts";
const SEARCH = "test/directory/auth/search.test.ts";
const PAGE = "test/directory/auth/operator/demo.test.ts";

/** C64 and C65: the removal of the demo data; C66: the search for everyone. */
export const demoBreakages: Breakage[] = [
  {
    id: "B39",
    breaks: "any user may remove the demo data",
    file: "src/directory/auth/routes.ts",
    find: 'post("/operator/demo", operators,',
    replace: 'post("/operator/demo", users,',
    test: "test/directory/auth/operator/strangers.test.ts",
  },
  {
    id: "C64",
    breaks: "the demo data goes without the confirmation",
    file: "src/directory/auth/operator/demo.ts",
    find: '"confirm") !== "1"',
    replace: '"confirm") === "no"',
    test: PAGE,
  },
  {
    id: "C64",
    breaks: "the only operator may remove the own account",
    file: "src/directory/auth/operator/demo.ts",
    find: "if (user.handle === DEMO_HANDLE)",
    replace: "if (user.id === DEMO_HANDLE)",
    test: PAGE,
  },
  {
    id: "C64",
    breaks: "the web app may be left without an admin",
    file: "src/directory/auth/operator/demo.ts",
    find: "if (others.length === config.admins.length) return undefined;",
    replace: "if (others.length <= config.admins.length) return undefined;",
    test: PAGE,
  },
  {
    id: "C65",
    breaks: "a removal takes venues with changes in their history",
    file: "src/directory/sample/uses.ts",
    find: "FROM directory.venue_change WHERE venue_id",
    replace: "FROM directory.venue_change WHERE into_id",
    test: REMOVAL,
  },
  {
    id: "C65",
    breaks: "a removal that was killed is forgotten",
    file: "src/directory/sample/remove.ts",
    find: "[[BEGUN, RUNNING + userId]]",
    replace: "[[BEGUN]]",
    test: REMOVAL,
  },
  {
    id: "C65",
    breaks: "venues still count the removed check-ins",
    file: "src/directory/sample/remove.ts",
    find: "    await countCheckins(client, venueIds);\n",
    replace: "",
    test: REMOVAL,
  },
  {
    id: "C66",
    breaks: "the public search has no limit",
    file: "src/directory/auth/search.ts",
    find: "  if (refusal) {",
    replace: "  if (refusal && query === near) {",
    test: SEARCH,
  },
  {
    id: "C66",
    breaks: "the public search cannot be switched off",
    file: "src/directory/auth/routes.ts",
    find: "isOn: ({ config }: AuthDeps) => config.publicSearch",
    replace: "isOn: ({ config }: AuthDeps) => config.publicSearch !== undefined",
    test: SEARCH,
  },
];
