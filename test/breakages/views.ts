import { type Breakage, TYPES } from "./breakage.ts";

const renamed = (breaks: string, file: string, find: string, replace: string): Breakage => ({
  ...{ id: "views", breaks, file, find, replace },
  test: TYPES,
});

/** A view as it was when check-ins, the results without a venue and "Add all" were an error 500 in production. */
const declaresOptions = (test: string): Breakage => ({
  id: "C80",
  breaks: "a view declares a name of its scope in production",
  file: "views/harmonize/results/choose-category.eta",
  find: "const { base } = it\n",
  replace: "const { base, options } = it\nvoid options\n",
  test,
});

/** Mostly a name that differs between a view and its handler. */
export const viewBreakages: Breakage[] = [
  renamed(
    "the page of check-ins has no link to newer ones",
    "src/web/checkins/page.ts",
    "newer: page > 1",
    "newest: page > 1",
  ),
  renamed(
    "the progress page does not reload without script",
    "src/web/harmonize/run/progress.ts",
    "    isMoving: found",
    "    isGoingOn: found",
  ),
  renamed(
    "a listing that already has a venue can be added as new",
    "src/web/harmonize/review/card.ts",
    "    isPlaced: decision",
    "    hasVenue: decision",
  ),
  renamed(
    "a client id from the settings can be changed on the page",
    "src/web/client-secret/page.ts",
    "    isClientIdFixed: config",
    "    isFixed: config",
  ),
  renamed(
    "search results have no link to more venues",
    "src/web/venues/search/search.ts",
    "    moreHref:\n      isFull",
    "    nextHref:\n      isFull",
  ),
  renamed(
    "a secret that is still used is shown as unused",
    "src/directory/auth/applications/page.ts",
    "    isStillUsed: expiresAt",
    "    isUsedStill: expiresAt",
  ),
  renamed(
    "the start page loses its notice through a spread",
    "src/web/home.ts",
    "start: writePlace(place), notice }",
    "start: writePlace(place), message: notice }",
  ),
  renamed(
    "a view reads a missing value in a condition",
    "views/harmonize/results/next.eta",
    "const mayAct = it.isOwner && !run.isCancelled",
    "const mayAct = it.isOwner && !run.wasCancelled",
  ),
  renamed(
    "a view reads a missing value in a loop",
    "views/checkins/days.eta",
    "<% if (row.shout) { %>",
    "<% if (row.text) { %>",
  ),
  renamed(
    "a partial does not get a value that it takes",
    "views/harmonize/add/alike.eta",
    "isFolded: false,",
    "isClosed: false,",
  ),
  renamed(
    "a view declares a value that it never reads",
    "views/venues/tabs.eta",
    "it: { isMatch: boolean }",
    "it: { isMatch: boolean; isSearch?: boolean }",
  ),
  declaresOptions("test/views/views.test.ts"),
  declaresOptions("test/flows/production.test.ts"),
  declaresOptions(TYPES),
  {
    id: "C80",
    breaks: "the type check does not know the names of a view's scope in production",
    file: "test/views/typed.ts",
    find: "return [...view.params, ...declared]",
    replace: "return view.params",
    test: "test/views/views.test.ts",
  },
  {
    id: "C80",
    breaks: "a new page is not in the list that is opened in production",
    file: "src/web/routes.ts",
    find: '  get("/settings", members, showSettings),\n',
    replace: '  get("/settings", members, showSettings),\n  get("/settings/more", members, showSettings),\n',
    test: "test/screenshots/pages.test.ts",
  },
  {
    id: "W30",
    breaks: "words for nothing are samples of a column",
    file: "src/harmonize/file/preview.ts",
    find: "if (isError(value) || isNothing(value)) continue;",
    replace: "if (isError(value)) continue;",
    test: "test/harmonize/file/odd-cells.test.ts",
  },
  {
    id: "W31",
    breaks: "a lone listing is offered its family",
    file: "src/harmonize/review/family.ts",
    find: '"pattern", 2)).length > 1',
    replace: '"pattern", 2)).length > 0',
    test: "test/web/harmonize/review/review.test.ts",
  },
  {
    id: "F70",
    breaks: "listings without a category keep all others from being added",
    file: "src/web/harmonize/add/add-all.ts",
    find: 'if (isChecked(request, "leaveOut")) return false;',
    replace: "",
    test: "test/web/harmonize/results/categories.test.ts",
  },
  {
    id: "F70",
    breaks: "a listing left out counts as failed",
    file: "src/harmonize/add/many.ts",
    find: "NOT IN ('no_category', ${DOUBTS}))::int AS failed",
    replace: "NOT IN (${DOUBTS}))::int AS failed",
    test: "test/harmonize/add/listings.test.ts",
  },
  {
    id: "views",
    breaks: "an error page that fails leads to another error",
    file: "src/http/pages/pages.ts",
    find: "return plainPage(request.id);",
    replace: "throw failure;",
    test: "test/http/pages/pages.test.ts",
  },
];
