export const afterLogin = (request: string, next = ""): string =>
  request ? `/oauth2/consent?request=${encodeURIComponent(request)}` : next || "/settings";

export const loginFor = (path: string): string => {
  const next = ownPage(path);
  return next ? `/login?next=${encodeURIComponent(next)}` : "/login";
};

/** Returns `path` if it is one of our pages that require a log-in, otherwise "" (attacks A18). */
export const ownPage = (path: string): string =>
  /^(?:(?:\/operator)?\/applications(?:\/[\w-]{1,64})?|\/operator(?:\/(?:proposals|duplicates|venues|demo))?)$/.test(
    path,
  )
    ? path
    : "";
