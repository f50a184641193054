/** Paths of ours: no `//`, backslash, dot segment or escape before the query, and nothing but plain ASCII in it. */
const LOCAL_PATH =
  /^\/(?!log(?:in|out)(?:[/?]|$))(?:[\w~-][\w.~-]*(?:\/[\w~-][\w.~-]*)*)?(?:\?[\w.~!*'(),;:@/?%&=+$-]*)?$/;

/** The longest add form fits, and with it the line of a request into the 16 KB that Node reads of its head. */
const LONGEST = 14_000;

/**
 * Where to go after the log-in: `next` when it is surely a page of ours other than the log-in and log-out themselves,
 * else the home page (attacks A18). Written as a list of what is allowed, because browsers disagree about what else could
 * leave the host.
 */
export function localPath(next: unknown): string {
  return typeof next === "string" && next.length <= LONGEST && LOCAL_PATH.test(next) ? next : "/";
}

/** What the log-in is asked for beside `next`; see `startLogin`. */
interface LoginOptions {
  display?: string | null | undefined;
  confirm?: "1";
  alone?: "1";
}

/** The log-in that leads back to `next`. */
export function loginPath(next: string, options: LoginOptions = {}): string {
  const more = Object.entries(options).filter(([, value]) => value);
  return [`/login?next=${encodeURIComponent(localPath(next))}`, ...more.map((pair) => pair.join("="))].join("&");
}
