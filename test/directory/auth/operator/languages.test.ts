import { beforeAll, expect, test } from "vitest";
import { editVenue } from "../../../../src/directory/corrections/edit.ts";
import { searchDuplicates } from "../../../../src/directory/duplicates/run.ts";
import { propose } from "../../../../src/directory/proposals/propose.ts";
import { outsideBrackets } from "../../../language/outside.ts";
import type { HttpClient } from "../../../support/http-client.ts";
import { addVenue, decide, LIST, operatorHost, pageOf } from "./host.ts";

const host = await operatorHost(["en-XA"]);
const DATA = [
  "Lantern Café",
  "Lantern Cafe",
  "Harbor Books",
  "1 Main St",
  "olga",
  "owner",
  "Map app",
  "Bristol",
  " km",
  "https://",
  "user-",
];
let browser: HttpClient;

beforeAll(async () => {
  browser = await host.newOperator();
});

/** The words that differ between two values stand apart. */
const untranslated = (page: string) => outsideBrackets(page.replace(/<\/?(ins|del)>/g, ""), DATA);

test("the pages of applications have no untranslated words, before and after a change", async () => {
  const { clientId } = await host.application();
  for (const path of [LIST, `${LIST}?query=nothing-like-it`, pageOf(clientId)])
    expect([path, untranslated((await browser.get(path)).body)]).toEqual([path, []]);
  for (const access of ["enabled", "reading", "stopped", ""]) {
    const answer = await browser.follow(await decide(browser, clientId, { access, why: "" }));
    expect([access, untranslated(answer.body)]).toEqual([access, []]);
  }
});

test("the pages of venues, duplicates and proposals have no untranslated words, with and without content", async () => {
  const pages = ["/operator/venues", "/operator/duplicates", "/operator/proposals"];
  for (const path of pages) expect([path, untranslated((await browser.get(path)).body)]).toEqual([path, []]);
  const [id, other, third] = [
    await addVenue(host, "Lantern Café"),
    await addVenue(host, "Lantern Cafe"),
    await addVenue(host, "Harbor Books"),
  ];
  const { id: userId } = await host.user();
  const by = { userId, clientId: "other", isOperator: false };
  await editVenue(host.deps, { id, wanted: { city: "Bristol" }, was: undefined }, { ...by, isOperator: true });
  const more = { was: undefined, comment: undefined };
  await propose(host.deps, { ...more, id: third, wanted: { closed: "true", ll: "41.9,-71.4" }, into: undefined }, by);
  await propose(host.deps, { ...more, id, wanted: {}, into: other }, by);
  await searchDuplicates(host.deps);
  const query = new URLSearchParams({ id, into: other });
  const edit = await browser.get(`/operator/venues/edit?id=${third}`);
  expect(untranslated(edit.body)).toEqual([]);
  const wrong = { name: "", ll: "x", phone: "1", city: "\u0000" };
  expect(untranslated((await browser.submit(edit, "/operator/venues/edit", wrong)).body)).toEqual([]);
  for (const path of [...pages, `/operator/venues?${query}`, "/operator/venues?id=none"])
    expect([path, untranslated((await browser.get(path)).body)]).toEqual([path, []]);

  const [proposals, duplicates] = [await browser.get("/operator/proposals"), await browser.get("/operator/duplicates")];
  const proposal = /name="decline" value="(\d+)"/.exec(proposals.body)?.[1] ?? "";
  const group = /name="merge" value="([^"]+)"/.exec(duplicates.body)?.[1] ?? "";
  for (const [page, path, fields] of [
    [proposals, "/operator/proposals", { decline: proposal }],
    [proposals, "/operator/proposals", { accept: proposal }],
    [duplicates, "/operator/duplicates", { merge: group }],
    [duplicates, "/operator/duplicates", { merge: group }],
    [duplicates, "/operator/duplicates", { decision: "merge" }],
  ] as const) {
    const answer = await browser.follow(await browser.submit(page, path, fields));
    expect([path, untranslated(answer.body)]).toEqual([path, []]);
  }
  expect(untranslated((await browser.get("/operator/venues")).body)).toEqual([]);
});
