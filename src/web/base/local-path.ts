/** A local path: no `//`, backslash, dot segment or escape before the query, and plain ASCII only. */
const LOCAL_PATH =
  /^\/(?!log(?:in|out)(?:[/?]|$))(?:[\w~-][\w.~-]*(?:\/[\w~-][\w.~-]*)*)?(?:\?[\w.~!*'(),;:@/?%&=+$-]*)?$/;

/** Room for the longest add form, within the 16 KB that Node reads of a request's head. */
const LONGEST = 14_000;

/**
 * Returns `next` if it is certainly a page of ours, but not log-in or log-out; otherwise the home page (attacks A18).
 * Lists what is allowed, because browsers disagree on what else could leave the host.
 */
export function localPath(next: unknown): string {
  return typeof next === "string" && next.length <= LONGEST && LOCAL_PATH.test(next) ? next : "/";
}

interface LoginOptions {
  display?: string | null | undefined;
  confirm?: "1";
  alone?: "1";
}

export function loginPath(next: string, options: LoginOptions = {}): string {
  const more = Object.entries(options).filter(([, value]) => value);
  return [`/login?next=${encodeURIComponent(localPath(next))}`, ...more.map((pair) => pair.join("="))].join("&");
}
