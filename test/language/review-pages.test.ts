import { beforeAll, expect, test } from "vitest";
import { makeCandidate, makeHarmonization } from "../harmonize/rows.ts";
import { startRuns } from "../web/harmonize/runs.ts";
import { outsideBrackets } from "./outside.ts";

const { web, fay, owner } = await startRuns({ env: { LANGUAGES: "en-XA" } });

/** The cells of the file, and names of venues and people. */
const DATA = [
  "Lantern Tea House",
  "The file",
  "Venue v1",
  "1 Main Street",
  "2 Main Street",
  "3 Main Street",
  "1 Main St",
  "own-1",
  "Fay",
];

/** Evidence and cells are data, and the comparison of a venue with a listing is of the pages of venues. */
const OTHERS = [
  ...[/<(kbd|time)\b.*?<\/\1>/gs, /<(ul) class="reasons".*?<\/\1>/gs, /<dl class="facts">.*?<\/dl>/gs],
  ...[/<table class="compare">.*?<\/table>/gs, /<span class="chip[^"]*">[^<]* % sure<\/span>/g],
  /same phone; different position/g,
];

let at = "";
beforeAll(async () => {
  const candidates = [makeCandidate("v1", 0.6, { phone: 1, distance: -1 })];
  const doubtful = { name: "Lantern Tea House", candidates };
  const left = { decision: "rejected", decidedHow: "person", decidedBy: owner, decidedAt: new Date() } as const;
  const { id } = await makeHarmonization(web.database, owner, [doubtful, doubtful, { ...doubtful, more: left }], {
    ...{ directory: web.directory.baseUrl, name: "The file" },
  });
  at = `/harmonizations/${id}`;
});

test.each([
  "/review/1",
  "/review/1?q=nothing+like+it",
  "/review/1?reason=phone%2B",
  "/review/3",
  "/review?show=skipped",
  "/listings/1/family",
  "/listings/1/family?kind=same",
])("%s of a file shows no words outside the catalogue but data", async (path) => {
  const { status, body } = await fay.get(at + path);
  const own = OTHERS.reduce((left, others) => left.replace(others, ""), body);
  expect([status, outsideBrackets(own, DATA)]).toEqual([200, []]);
});
