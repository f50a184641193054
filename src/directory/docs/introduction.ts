export interface Hosts {
  authUrl: string;
  apiUrl: string;
}

export function introduction({ authUrl, apiUrl }: Hosts): string {
  return `A directory of venues that implements version 2 of a well-known interface. Existing clients of that interface work unchanged.

- Every request needs ${apiUrl.startsWith("https:") ? "HTTPS and " : ""}\`v\`, the API version as a date \`YYYYMMDD\`.
- Credentials are parameters: \`oauth_token\` to act for a user, or \`client_id\` and \`client_secret\` to act for the application itself.
- Every response is \`{meta, response}\`. \`meta.code\` is the HTTP status; for errors, \`meta.errorType\` and \`meta.errorDetail\` say what is wrong.
- Unknown parameters are ignored. A known parameter given twice is an error. POST takes parameters from the query, the body or both.
- Anything marked *Ours* is an addition of this directory. Other directories with this interface may lack it.

To try calls on this page, [register an application](${authUrl}/applications) and press *Authorize*. Either fill in
\`client_id\` and \`client_secret\`, each with its own *Authorize* button, or only \`oauth_token\`. Log-in and tokens are on the
auth host, which this page cannot call. Those endpoints have a command to copy instead.`;
}
