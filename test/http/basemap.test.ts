import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { pmtilesFile } from "../../src/config/pmtiles.ts";
import { basemapPath, MOST_BYTES } from "../../src/http/files/basemap.ts";
import { townFile } from "../support/pmtiles/town.ts";
import { startWeb } from "../web/web-app.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "samespot-pmtiles-"));
const file = path.join(folder, "town.pmtiles");
/** Longer than one answer. */
const bytes = Buffer.concat([townFile(), Buffer.alloc(MOST_BYTES, 5)]);
writeFileSync(file, bytes);
const { id } = pmtilesFile.parse(file);
const address = basemapPath({ id });
const web = await startWeb({ env: { MAP_PMTILES: file } });
afterAll(() => rmSync(folder, { recursive: true }));

const get = (headers: Record<string, string>, method = "GET") => fetch(web.url + address, { headers, method });
const part = async (range: string) => {
  const answer = await get({ range });
  const body = Buffer.from(await answer.arrayBuffer());
  return [answer.status, answer.headers.get("content-range"), body.length];
};

describe("the operator's file of streets", () => {
  it("is served in ranges to guests, uncompressed, with an address and a tag for good", async () => {
    const answer = await get({ range: "bytes=10-29", "accept-encoding": "br" });
    expect(answer.status).toBe(206);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes.subarray(10, 30));
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      ...{ "content-range": `bytes 10-29/${bytes.length}`, "content-length": "20", "accept-ranges": "bytes" },
      ...{ "cache-control": "public, max-age=31536000, immutable", etag: `"${id}"` },
      ...{ "content-type": "application/vnd.pmtiles", "x-content-type-options": "nosniff" },
    });
    expect(answer.headers.has("set-cookie")).toBe(false);
    expect((await get({ "if-none-match": `"${id}"` })).status).toBe(304);
  });

  it.each([
    ["bytes=-5", [206, `bytes ${bytes.length - 5}-${bytes.length - 1}/${bytes.length}`, 5]],
    ["bytes=5-", [206, `bytes 5-${MOST_BYTES + 4}/${bytes.length}`, MOST_BYTES]],
    ["bytes=0-999999999999", [206, `bytes 0-${MOST_BYTES - 1}/${bytes.length}`, MOST_BYTES]],
    ["BYTES=0-0", [206, `bytes 0-0/${bytes.length}`, 1]],
    [`bytes=${bytes.length}-`, [416, `bytes */${bytes.length}`, 0]],
    ["bytes=9-3", [416, `bytes */${bytes.length}`, 0]],
    ["bytes=0-1,5-9", [416, `bytes */${bytes.length}`, 0]],
    ["bytes=-0", [416, `bytes */${bytes.length}`, 0]],
    ["bytes=-", [416, `bytes */${bytes.length}`, 0]],
    ["lines=1-2", [416, `bytes */${bytes.length}`, 0]],
    [`bytes=${"9".repeat(40)}-`, [416, `bytes */${bytes.length}`, 0]],
  ])("W27: answers the range %s within bounds, and with at most 4 MiB", async (range, expected) => {
    expect(await part(range)).toEqual(expected);
  });

  it("W27: is never sent whole: a request without a range, or for another version, is refused", async () => {
    for (const headers of [{}, { range: "bytes=0-9", "if-range": '"other"' }]) {
      const answer = await get(headers);
      expect([answer.status, (await answer.text()).includes("Range header")]).toEqual([400, true]);
    }
    expect((await get({ range: "bytes=0-9", "if-range": `"${id}"` })).status).toBe(206);
  });

  it("tells its size by HEAD", async () => {
    const { status, headers } = await get({}, "HEAD");
    expect([status, headers.get("content-length")]).toEqual([200, String(bytes.length)]);
  });

  it("has no other address", async () => {
    for (const other of ["/basemap/", "/basemap/town.pmtiles", `/basemap/..%2f${path.basename(file)}`])
      expect((await fetch(web.url + other, { headers: { range: "bytes=0-9" } })).status).toBe(404);
  });

  it("W27: stays the same while another file is put in its place, and is empty once its content was changed", async () => {
    const kept = path.join(folder, "kept.pmtiles");
    renameSync(file, kept);
    writeFileSync(file, "another file");
    expect(await part("bytes=0-9")).toEqual([206, `bytes 0-9/${bytes.length}`, 10]);
    writeFileSync(kept, Buffer.alloc(bytes.length, 7));
    utimesSync(kept, new Date(), new Date(Date.now() + 5000));
    expect(await part("bytes=0-9")).toEqual([204, null, 0]);
  });
});
