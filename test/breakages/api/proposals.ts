import type { Breakage } from "../breakage.ts";

const API = "test/directory/api/corrections/propose.test.ts";

/** C61 to C63: proposals for venues. */
export const proposalBreakages: Breakage[] = [
  {
    id: "C61",
    breaks: "users who may not edit a venue cannot propose an edit either",
    file: "src/directory/proposals/propose.ts",
    find: "!(await refusalToEdit(client, id, by))",
    replace: "(await refusalToEdit(client, id, by)) !== null",
    test: API,
  },
  {
    id: "C61",
    breaks: "proposals of a user that arrive together do not wait for each other",
    file: "src/directory/proposals/propose.ts",
    find: " FOR NO KEY UPDATE';",
    replace: "';",
    test: API,
  },
  {
    id: "C61",
    breaks: "users see the proposals of others",
    file: "src/directory/proposals/list.ts",
    find: "WHERE p.user_id = $1 AND",
    replace: "WHERE $1::text <> '' AND",
    test: API,
  },
  {
    id: "C62",
    breaks: "a proposal is decided twice",
    file: "src/directory/proposals/decide.ts",
    find: "WHERE state = 'open' AND key =",
    replace: "WHERE key =",
    test: API,
  },
  {
    id: "C62",
    breaks: "a proposal is carried out over values that the operator has not seen",
    file: "src/directory/proposals/decide.ts",
    find: "was: seen ?? proposal.was",
    replace: "was: undefined",
    test: API,
  },
  {
    id: "C63",
    breaks: "a form that suggests an edit of another session is not shown again",
    file: "src/web/stale-form.ts",
    find: "if (handler === correct) return correctionForm(request, reply);",
    replace: "",
    test: "test/web/venues/correct.test.ts",
  },
  {
    id: "C63",
    breaks: "values that were not touched are sent too, over what others changed",
    file: "src/web/venues/correct.ts",
    find: "checkChanges(differing(values, was))",
    replace: "checkChanges(values)",
    test: "test/web/venues/correct.test.ts",
  },
  {
    id: "C62",
    breaks: "users who are no operators decide proposals",
    file: "src/directory/auth/routes.ts",
    find: 'post("/operator/proposals", operators,',
    replace: 'post("/operator/proposals", users,',
    test: "test/directory/auth/operator/proposals.test.ts",
  },
];
