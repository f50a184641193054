/** Where the answer to an authorization request goes. */
export interface Recipient {
  redirectUri: string;
  responseType: "code" | "token";
  /** Given back unchanged; null when there was none. */
  state: string | null;
}

/**
 * The redirect URI with the answer: in the query for the code flow, in the fragment for the token flow (interface,
 * "Results"; RFC 6749 sections 4.1.2 and 4.2.2). A query it already has stays as it is. Percent-encoding without `+`
 * reads the same for every decoder.
 */
export function answerAddress(to: Recipient, answer: Record<string, string>): string {
  const fields = to.state === null ? answer : { ...answer, state: to.state };
  const text = Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  if (to.responseType === "token") return `${to.redirectUri}#${text}`;
  return `${to.redirectUri}${to.redirectUri.includes("?") ? "&" : "?"}${text}`;
}

/** Scheme, host and port of a redirect URI: what a page's form-action must allow, and what a person is shown. */
export const originOf = (redirectUri: string): string => new URL(redirectUri).origin;
