export interface Recipient {
  redirectUri: string;
  responseType: "code" | "token";
  state: string | null;
}

/** Encodes without `+`, which decoders read differently (interface, "Results"; RFC 6749 sections 4.1.2, 4.2.2). */
export function answerAddress(to: Recipient, answer: Record<string, string>): string {
  const fields = to.state === null ? answer : { ...answer, state: to.state };
  const text = Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  if (to.responseType === "token") return `${to.redirectUri}#${text}`;
  return `${to.redirectUri}${to.redirectUri.includes("?") ? "&" : "?"}${text}`;
}

export const originOf = (redirectUri: string): string => new URL(redirectUri).origin;
