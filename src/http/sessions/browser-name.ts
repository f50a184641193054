import { t } from "../../language/translate.ts";

/** In this order, because some browsers also name the one whose engine they use. */
const BROWSERS = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOPR\/|\bOpera/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/(\b|Headless)(Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
] as const;

const SYSTEMS = [
  [/\b(iPhone|iPad)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
] as const;

export function browserName(userAgent = ""): string | undefined {
  const text = userAgent.slice(0, 500);
  const [browser, system] = [BROWSERS, SYSTEMS].map((list) => list.find(([pattern]) => pattern.test(text))?.[1]);
  if (!browser) return system && `A browser on ${system}`;
  return system ? `${browser} on ${system}` : browser;
}

/** Words a stored browserName() in the language of the reader. */
export function browserInWords(name: string): string {
  const [browser = "", system] = name.split(" on ");
  if (!system) return name;
  return browser === "A browser"
    ? t("A browser on {system}", { system })
    : t("{browser} on {system}", { browser, system });
}
