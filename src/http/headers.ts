/**
 * The Content-Security-Policy of every page: own scripts and styles only, nothing inline, never framed by others
 * unless it says so.
 *
 * @param sources `formAction`: further origins a form's redirect chain may reach (Chrome checks the whole chain);
 * `imgSrc`: further origins of pictures (map tiles, category icons); `frameAncestors`: who may show it in a frame
 */
export function contentSecurityPolicy(
  sources: { formAction?: string[]; imgSrc?: string[]; frameAncestors?: string } = {},
): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self' data:", ...(sources.imgSrc ?? [])].join(" "),
    ["form-action 'self'", ...(sources.formAction ?? [])].join(" "),
    "object-src 'none'",
    "base-uri 'none'",
    `frame-ancestors ${sources.frameAncestors ?? "'none'"}`,
  ].join("; ");
}
