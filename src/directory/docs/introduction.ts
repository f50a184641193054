export interface Hosts {
  authUrl: string;
  apiUrl: string;
}

export function introduction({ authUrl, apiUrl }: Hosts): string {
  return `A directory of venues that implements version 2 of a well-known interface. Existing clients of that interface work unchanged.

- Every request needs ${apiUrl.startsWith("https:") ? "HTTPS and " : ""}\`v\`, the API version as a date \`YYYYMMDD\`.
- Credentials are parameters: \`oauth_token\` to act for a user, or \`client_id\` and \`client_secret\` to act for the application itself. A token may also be sent as \`Authorization: Bearer\`.
- Every response is \`{meta, response}\`. \`meta.code\` is the HTTP status; for errors, \`meta.errorType\` and \`meta.errorDetail\` say what is wrong.
- Unknown parameters are ignored. A known parameter given twice is an error. POST takes parameters from the query, the body or both.
- Anything marked *Ours* is an addition of this directory. Other directories with this interface may lack it.

For credentials, [register an application](${authUrl}/applications). At [${apiUrl}/docs](${apiUrl}/docs) *Try it* sends a call from the
page, which forgets the credentials when you leave it. Log-in and tokens are on the auth host, which that page cannot call.`;
}
