import { expect, it } from "vitest";
import { receiveFile } from "../../src/harmonize/file/receive.ts";
import { FILE_LIMITS } from "../../src/shared/file-limits.ts";
import { makeHarmonization } from "../harmonize/rows.ts";
import { manyListings, startRuns } from "../web/harmonize/runs.ts";
import { outsideBrackets } from "./outside.ts";

const { web, fay, owner } = await startRuns({ env: { LANGUAGES: "en-XA" } });
const { prisma, pool } = web.database;

/** Names of files, and signs of units and formats. */
const DATA = ["places.csv", "shops.csv", "KB", "MB", "UTF-8", "CSV", "Excel", "GeoJSON", "NDJSON", "Parquet"];
/** Cells, times and evidence are data; `line` has those of a listing or its venue. */
const CELLS =
  /<(time|bdi|small|span class="line"|a href="\/(?:venues\/|harmonizations\/[^"]*\/review\/\d)[^"]*")[^>]*>.*?<\/(?:time|bdi|small|span|a)>/gs;

const outside = (body: string) =>
  outsideBrackets((/<main.*<\/main>/s.exec(body)?.[0] ?? "No main").replace(CELLS, " "), DATA);

it("the list of files, a draft and its warnings have no words outside the catalogue", async () => {
  const text = "name,lat,lng,note\nJoe,41.82,-71.41,x\nJoe,-71.41,41.82,\uFFFD\nJoe,41.8\n";
  const bytes = (async function* () {
    yield Buffer.from(text);
  })();
  const deps = { prisma, pool, directoryUrl: web.config.api.url, limits: FILE_LIMITS };
  const id = await receiveFile(deps, {
    accountId: owner,
    name: "places.csv",
    bytes,
    signal: new AbortController().signal,
  });
  for (const path of ["/harmonizations", `/harmonizations/${id}`]) {
    const { status, body } = await fay.get(path);
    expect({ path, status, outside: outside(body) }).toEqual({ path, status: 200, outside: [] });
  }
});

it("the results and the pages beside them have no words outside the catalogue", async () => {
  const { id } = await makeHarmonization(web.database, owner, manyListings(), { directory: web.config.api.url });
  for (const way of ["", "?show=review&narrow=1", "?q=nothing", "/conflicts", "/changes", "/bridge"]) {
    const { status, body } = await fay.get(`/harmonizations/${id}${way}`);
    expect({ way, status, outside: outside(body) }).toEqual({ way, status: 200, outside: [] });
  }
});

it("what runs has no words outside the catalogue", async () => {
  const { id } = await makeHarmonization(web.database, owner, manyListings(), { directory: web.config.api.url });
  await prisma.harmonization.update({ where: { id }, data: { state: "matching" } });
  const { body } = await fay.get(`/harmonizations/${id}`);
  expect(outside(body)).toEqual([]);
});
