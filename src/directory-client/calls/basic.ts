export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
}

/** RFC 6749 section 2.3.1: both parts form-encoded. */
export function basicAuthorization({ clientId, clientSecret }: ClientCredentials): string {
  const encode = (part: string) => new URLSearchParams({ part }).toString().slice("part=".length);
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString("base64")}`;
}
