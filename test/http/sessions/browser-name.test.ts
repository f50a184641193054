import { expect, test } from "vitest";
import { browserInWords, browserName } from "../../../src/http/pages/sessions.ts";
import { inLanguage } from "../../../src/language/translate.ts";

const KNOWN: [name: string | undefined, userAgent: string | undefined][] = [
  ["Firefox on Linux", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"],
  [
    "Chrome on Windows",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36",
  ],
  [
    "Edge on Windows",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36 Edg/153.0",
  ],
  [
    "Safari on macOS",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
  ],
  [
    "Safari on iOS",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
  ],
  [
    "Samsung Internet on Android",
    "Mozilla/5.0 (Linux; Android 15; SM-S931B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36",
  ],
  ["A browser on Windows", "Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko"],
  [undefined, "curl/8.0"],
  [undefined, `${"x".repeat(600)} Firefox/140.0`],
  [undefined, "<script>alert(1)</script>"],
  [undefined, undefined],
];
test.each(KNOWN)("%s is shown for the user agent %j", (name, userAgent) => expect(browserName(userAgent)).toBe(name));

test("a browser and its system are named in the language of the reader", () => {
  const names = ["Chrome on Linux", "A browser on Windows", "Firefox", "iOS"];
  expect(names.map(browserInWords)).toEqual(names);
  expect(inLanguage("es", () => names.map(browserInWords))).toEqual([
    "Chrome en Linux",
    "Un navegador en Windows",
    "Firefox",
    "iOS",
  ]);
});
