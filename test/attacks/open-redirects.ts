/** Prefixes that browsers or checks have mistaken for a local path. */
const BEFORE = [
  // Slashes and backslashes, which browsers treat alike
  ...["//", "///", "////", "\\\\", "\\/", "/\\", "/\\/", "\\/\\/", "/\\\\", "//\\", "/\\\\/", "/\\/\\"],
  // Characters that browsers strip from or before an address
  ...["/\t/", "/\n/", "/\r/", "/\r\n/", "/\t\\", "\t//", "\n//", "\r\n//", " //", "\u00a0//", "\ufeff//", "\u0000//"],
  ...["/ /", "/\u000b/", "/\f/", "/\u0000/", "/\u0085/", "/\u00ad/", "/\u200b/", "/\u2028/", "/\u202e/", "/\u180e/"],
  // Escapes, single and double
  ...["/%09/", "/%0a/", "/%0d/", "/%0d%0a/", "/%00/", "/%20/", "/%2f", "/%2f%2f", "%2f%2f", "%2f/", "/%2F/"],
  ...["/%5c", "/%5c%5c", "/%5C/", "%5c%5c", "/%255c", "/%252f", "/%252f%252f", "/%c0%af", "/%e0%80%af", "/%u002f"],
  // Dot segments that leave an empty segment
  ...["/.//", "/./\\", "/..//", "/..\\", "/.\\", "/%2e//", "/%2e%2e//", "/%2e%2e%2f", "/.%2e/", "/x/..//", "/x/../\\"],
  ...["/x//", "/x/\\", "/x/./..//", "/venues//", "/venues/..//", "/venues/%2e%2e//", "/;//", "/;/\\", "/.;//"],
  // Characters that look like, or normalize to, a slash, a dot or a colon
  ...["/\u2044", "/\u2044\u2044", "/\u2215\u2215", "/\uff0f\uff0f", "\uff0f\uff0f", "/\uff3c", "/\u29f8", "/\u3002/"],
  ...["/\u3031", "/\u309d", "/\u30fd", "/\u30fc", "/\uff70", "/\uff0e\uff0e/", "https\uff1a//", "/\u{e002f}"],
  // User info, ports and schemes
  ...["/@", "//@", "@", "/%40", "//ours.example@", "//ours.example%40", "//ours.example:80@", "/:80//", "//:@"],
  ...[
    "http:",
    "https:",
    "http:/",
    "https:/",
    "http://",
    "https://",
    "https:///",
    "HTTPS://",
    "hTtPs:\\\\",
    "https:/\\",
  ],
  ...[
    "ht\ntps://",
    "https:%2f%2f",
    "https%3a//",
    "/https:",
    "/https://",
    "//https:",
    "https:@",
    "https://ours.example@",
  ],
  ...["javascript:alert(1)//", "/javascript:", "java\nscript:", "data:text/html,", "vbscript:", "file://", "ftp://"],
  ...["ws://", "blob:https://", "about:blank//", "view-source:https://", "mailto:x@", "intent://", "x-y.z+0://"],
  // Local pages that redirect onwards
  ...["/login?next=//", "/login/popup?next=//", "/logout?next=//", "/login/callback?code=a&state=//", "/login#//"],
  // No path at all
  ...["?next=//", "#//", ".", "..", "../", "..//", ";//", "~//", "venues//", "*", "[", "{//", "<//", '"//', "'//"],
];
const HOSTS = [
  "evil.example",
  "evil.example/%2e%2e",
  "ours.example@evil.example:443/a?b#c",
  "evil\u3002example",
  "2130706433",
];

/** Ends a header and begins another, or a second response. */
const SPLITTERS = [
  "\r\n",
  "\n",
  "\r",
  "%0d%0a",
  "%250d%250a",
  "\u560d\u560a",
  "\u2028",
  "\u0000\r\n",
  "\r\n\r\n",
].flatMap((end) => [`/venues${end}location: //evil.example`, `/venues?a=${end}set-cookie: a=b`, `${end}/venues`]);

const LONG = [
  `/${"a".repeat(10_240)}`,
  `/venues?query=${"%41".repeat(3_000)}`,
  `${"/".repeat(10_240)}evil.example`,
  `/${"../".repeat(3_000)}/evil.example`,
  `//evil.example/${"a".repeat(10_240)}`,
];

/** Every `next` that must not lead to another site. */
export const OPEN_REDIRECTS = [
  ...BEFORE.flatMap((before) => HOSTS.map((host) => before + host)),
  ...SPLITTERS,
  ...LONG,
];
