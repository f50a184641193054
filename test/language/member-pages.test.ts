import { beforeAll, expect, test } from "vitest";
import { ownVersion } from "../../src/shared/version.ts";
import type { HttpClient } from "../support/http-client.ts";
import { newAdmin } from "../web/admin/browser.ts";
import { startWeb } from "../web/web-app.ts";

const web = await startWeb({ env: { LANGUAGES: "en-XA" } });
let admin: HttpClient;

beforeAll(async () => {
  web.directory.offerSecrets();
  web.directory.setCheckins(30);
  admin = (await newAdmin(web)).browser;
});

/** The words of a page that are in no translated text, without markup, code and names. */
function untranslated(page: string) {
  let text = (/<main.*<\/main>/s.exec(page)?.[0] ?? "No main").replaceAll(ownVersion(), "");
  const attributes = [...text.matchAll(/\s(?:title|placeholder|aria-label)="([^"]*)"/g)]
    .map(([, words]) => words)
    .filter((words) => !words?.endsWith(" UTC"));
  text = text.replace(/<(script|code|time|bdi)\b.*?<\/\1>/gs, "").replace(/<[^<>]*>/g, "\0");
  for (let before = ""; before !== text; ) {
    before = text;
    text = text.replace(/⟦[^⟦⟧]*⟧/g, "\0");
  }
  const given = attributes.filter((words) => words && !words.startsWith("⟦"));
  const all = [...text.split("\0"), ...given].map((words = "") => words.replace(COUNTS, ""));
  return all.filter((words) => /\p{L}{2}/u.test(words.replace(NAMES, "")));
}

/** Written by Intl, by the directory and by people. */
const NAMES =
  /\b(Samespot|unknown|Providence|Corner Coffee|Harbor Books|(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(August|September) 2026|Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/gu;

/** Counters of the process by their labels, which other tests in it raise: "12 ok, 1 refused client". */
const COUNTS = /^\s*[\d,]+ [a-z_ ]+(, [\d,]+ [a-z_ ]+)*\s*$/;

test.each([
  "/checkins",
  "/checkins?q=nothing+like+it",
  "/mappings",
  "/mappings?ids=unknown",
  "/admin/status",
  "/admin/secrets",
  "/admin/people",
])("%s shows only translated words and names", async (path) => {
  const { status, body } = await admin.get(path);
  expect([status, body.includes("⟦")]).toEqual([200, true]);
  expect(untranslated(body)).toEqual([]);
});
