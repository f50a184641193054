/**
 * Where a log-in leads: to the request, to the page that asked for it, or to the settings. A request that is over by now has
 * its page too: nobody shall wait for the application in vain.
 */
export const afterLogin = (request: string, next = ""): string =>
  request ? `/oauth2/consent?request=${encodeURIComponent(request)}` : next || "/settings";

/** Where to log in, and come back to this page from. */
export const loginFor = (path: string): string => {
  const next = ownPage(path);
  return next ? `/login?next=${encodeURIComponent(next)}` : "/login";
};

/** The path, if it is that of a page of ours which asks for a log-in; else nothing (attacks A18). */
export const ownPage = (path: string): string =>
  /^(?:\/operator)?\/applications(?:\/[\w-]{1,64})?$/.test(path) ? path : "";
