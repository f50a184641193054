/** An application's own credentials. */
export interface ClientCredentials {
  clientId: string;
  clientSecret: string;
}

/** The Authorization header of an application, both parts form-encoded (RFC 6749 section 2.3.1). */
export function basicAuthorization({ clientId, clientSecret }: ClientCredentials): string {
  const encode = (part: string) => new URLSearchParams({ part }).toString().slice("part=".length);
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString("base64")}`;
}
