/**
 * The Content-Security-Policy of every page: own scripts and styles only, nothing inline, never framed.
 *
 * @param sources `formAction`: further origins a form's redirect chain may reach (Chrome checks the whole chain);
 * `imgSrc`: further origins of pictures (map tiles, category icons)
 */
export function contentSecurityPolicy(sources: { formAction?: string[]; imgSrc?: string[] } = {}): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self' data:", ...(sources.imgSrc ?? [])].join(" "),
    ["form-action 'self'", ...(sources.formAction ?? [])].join(" "),
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
