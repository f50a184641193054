import { type Breakage, TYPES } from "./breakage.ts";

const renamed = (breaks: string, file: string, find: string, replace: string): Breakage => ({
  ...{ id: "views", breaks, file, find, replace },
  test: TYPES,
});

/** What a view reads and what its handler gives are no longer called the same. */
export const viewBreakages: Breakage[] = [
  renamed("the check-ins lose their way to newer ones", "src/web/checkins.ts", "newer: page > 1", "newest: page > 1"),
  renamed(
    "the progress page without script is not loaded again",
    "src/web/harmonize/run/progress.ts",
    "    isMoving: found",
    "    isGoingOn: found",
  ),
  renamed(
    "a listing that has its venue can be added as new",
    "src/web/harmonize/review/card.ts",
    "    isPlaced: decision",
    "    hasVenue: decision",
  ),
  renamed(
    "a client id of the settings can be written over",
    "src/web/client-secret/page.ts",
    "    isClientIdFixed: config",
    "    isFixed: config",
  ),
  renamed(
    "a long search ends with its first page",
    "src/web/venues/search.ts",
    "    moreHref: more",
    "    nextHref: more",
  ),
  renamed(
    "a secret that is still used looks as if it were not",
    "src/directory/auth/applications/page.ts",
    "    isStillUsed: expiresAt",
    "    isUsedStill: expiresAt",
  ),
  renamed(
    "the notice above the start page is lost by a spread",
    "src/web/home.ts",
    "ll: writePlace(place), notice }",
    "ll: writePlace(place), message: notice }",
  ),
  renamed(
    "a view asks in a condition for what nobody gives",
    "views/harmonize/results-next.eta",
    "const mayAct = it.isOwner && !run.isCancelled",
    "const mayAct = it.isOwner && !run.wasCancelled",
  ),
  renamed(
    "a view asks in a loop for what nobody gives",
    "views/checkins/days.eta",
    "<% if (row.shout) { %>",
    "<% if (row.text) { %>",
  ),
  renamed(
    "a partial is not given what it takes",
    "views/harmonize/add-alike.eta",
    "isFolded: false,",
    "isClosed: false,",
  ),
  renamed(
    "a view says that it takes what it never reads",
    "views/venues/tabs.eta",
    "it: { isMatch: boolean }",
    "it: { isMatch: boolean; isSearch?: boolean }",
  ),
  {
    id: "views",
    breaks: "an error page that fails is answered by another",
    file: "src/http/pages.ts",
    find: "return plainPage(request.id);",
    replace: "throw failure;",
    test: "test/http/pages.test.ts",
  },
];
