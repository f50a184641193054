/** The addresses of the two hosts. */
export interface Hosts {
  authUrl: string;
  apiUrl: string;
}

export function introduction({ authUrl, apiUrl }: Hosts): string {
  return `A directory of places, after version 2 of a well-known interface: clients written for that one work here unchanged.

- Requests ${apiUrl.startsWith("https:") ? "go over HTTPS and " : ""}carry \`v\`, a date \`YYYYMMDD\`.
- \`oauth_token\` acts for a user, \`client_id\` with \`client_secret\` for the application itself. Both are parameters.
- Every answer is \`{meta, response}\`; \`meta.code\` repeats the HTTP status, \`meta.errorType\` and \`meta.errorDetail\` say what was wrong.
- Unknown parameters are ignored. A known one given twice is refused. POST takes parameters from the query, the body or both.
- What is marked *ours* is an addition of this directory that another one may lack.

To try calls here, [register an application](${authUrl}/applications) and press *Authorize*: \`client_id\` and
\`client_secret\` are two boxes, each with an Authorize button of its own, or fill in \`oauth_token\` alone. Log-in and
tokens are on the other host, which answers no script of this page: those calls have a command to copy instead.`;
}
