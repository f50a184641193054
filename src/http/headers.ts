/** `formAction`: further origins that a form may redirect to, since Chrome checks the whole chain. */
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
