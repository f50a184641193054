/** What the parameters of the API host mean, in the words of the interface where it has some. */
export const PARAMETERS: Record<string, string> = {
  ll: "Latitude and longitude in decimal degrees, with a comma between them.",
  near: "A place by its name: a city, a state, a postal code, a country. The answer then has `geocode`.",
  name: "Business name. With `intent=match` the name of the listing.",
  query: "A term against venue names.",
  intent:
    "`checkin`: venues near `ll`. `browse`: all of a region (`sw` and `ne`, or `radius`). `global`: wherever they are. " +
    "`match`: the venue that is this listing, which may be none.",
  limit: "How many are answered at most.",
  offset: "How many are passed over first.",
  sort: "By the time of the check-in.",
  afterTimestamp: "Only check-ins later than this, in epoch seconds.",
  beforeTimestamp: "Only check-ins earlier than this, in epoch seconds.",
  radius: "Metres around `ll`, from 1 to 100,000.",
  sw: "South-west corner of a region.",
  ne: "North-east corner of a region.",
  categoryId: "Ids of categories with commas between them. Each stands for those beneath it, too.",
  minScore: "With `intent=match`: the least score that is answered. 0 shows every candidate.",
  providerId: "The provider id reserved for your application.",
  linkedId: "Your own id of the listing.",
  url: "A web address: the venue's website, or the listing's page.",
  address: "Street address.",
  crossStreet: "Cross street or intersection.",
  city: "City.",
  state: "State or province.",
  zip: "Postal code.",
  phone: "Telephone number.",
  twitter: "Social-network handle of the business.",
  primaryCategoryId: "Id of a category: see venues/categories.",
  description: "Text of at most 300 characters (Unicode code points).",
  ignoreDuplicates: "`true` adds the venue in spite of the duplicates that a 409 named, together with the key.",
  ignoreDuplicatesKey: "The key of that 409.",
  venueId: "Id of the venue.",
  shout: "What the user says to the check-in.",
  listings:
    "Up to 500 listings, a JSON array of objects: of each what a search with `intent=match` takes, which is `name`, `ll` or " +
    "`near`, `address`, `city`, `state`, `zip`, `phone` and `twitter`.",
  requests:
    "Up to 5 paths with their queries, with commas between them, such as `/venues/ID,/users/self`. Read-only ones.",
};

/** The same of the auth host, where `state` is not a place. */
export const OAUTH_PARAMETERS: Record<string, string> = {
  client_id: "The application's client id.",
  client_secret: "The application's client secret.",
  response_type: "`code` for the code flow of web servers, `token` for the token flow of applications without one.",
  redirect_uri: "A redirect URI registered for the application; the same one at the exchange of the code.",
  display: "`touch`, `wap`, or `webpopup`: the dialog is in a window of its own that closes afterwards.",
  state: "Given back unchanged.",
  code_challenge: "PKCE (RFC 7636): optional, and enforced once begun.",
  code_challenge_method: "With `code_challenge`.",
  prompt:
    "`login`: the user gives their password for this log-in, also when they are signed in. The exchange of the code then " +
    "answers `auth_time` as well. Other values are ignored.",
  max_age: "`0`: the same as `prompt=login`. Other values are ignored.",
  grant_type: "`authorization_code`. The password grant is not allowed.",
  code: "From the redirect. Good once, for 60 seconds.",
  code_verifier: "PKCE: what the `code_challenge` was made from.",
  token: "The access token that is to end.",
  token_type_hint: "Taken and ignored.",
  overlap: "For how many seconds the secret of this call works on: from 0 to 604800, which are seven days.",
};

/** Those of the reconciliation service. */
export const RECONCILE_PARAMETERS: Record<string, string> = {
  queries: 'Queries by names of the caller\'s, in JSON: `{"q0": {"query": "Blue State Coffee"}}`.',
  extend: 'Ids and properties in JSON: `{"ids": ["…"], "properties": [{"id": "phone"}]}`.',
  query: "A single query: a name, or a query in JSON.",
  type: "Id of a category. Venues of other categories score lower.",
  limit: "How many are answered at most.",
  offset: "How many are passed over first.",
  cursor: "The name of `offset` in version 0.2.",
  prefix: "What was typed so far.",
};

/** What a summary has no room for, by path. */
export const DESCRIPTIONS: Record<string, string> = {
  "/v2/venues/search": `What goes together, by \`intent\`:

- \`checkin\` (where none is given): \`ll\` or \`near\`. \`radius\` counts only with \`query\` or \`categoryId\`.
- \`browse\`: \`ll\` with \`radius\`, or \`near\`, or \`sw\` with \`ne\`: at most 10,000 square kilometres.
- \`global\`: \`query\`, and no place.
- \`match\`: \`name\`, and \`ll\` or \`near\`. Only here \`address\`, \`city\`, \`state\`, \`zip\`, \`phone\` and \`twitter\` count.

\`providerId\` with \`linkedId\`, or \`url\` (but not with \`match\`), finds what is linked, wherever it is.`,
  "/v2/venues/match": `\`response.responses\` has an answer for each listing, in their order: what its own search with
\`intent=match\` answers, or in its \`meta\` what is wrong with it. The call counts as as many as it has listings. Those that there
was no time for have code 503: send them again.`,
};

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
