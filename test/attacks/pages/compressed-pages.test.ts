import { brotliDecompressSync, gunzipSync } from "node:zlib";
import Fastify from "fastify";
import { expect, it } from "vitest";
import { assetBase, registerAssets } from "../../../src/http/files/assets.ts";
import { csrfToken } from "../../../src/http/pages/forms.ts";
import { registerViews } from "../../../src/http/pages/views.ts";
import { FRAME } from "../../http/pages/frame.ts";

const BROWSER = { "accept-encoding": "gzip, deflate, br" };
const MEMBER = { ...BROWSER, cookie: "samespot=x" };

const app = Fastify();
await registerViews(app, { production: true, defaults: { ...FRAME, nav: "app" } });
await registerAssets(app);
app.get("/page", { exposeHeadRoute: true }, (_request, reply) =>
  reply.view("home/guest", { title: "Page" }, { layout: "layout" }),
);

async function encodingOf(headers: Record<string, string>): Promise<string | undefined> {
  const answer = await app.inject({ url: "/page", headers });
  expect(answer.headers.vary).toBe("accept-encoding");
  return answer.headers["content-encoding"] as string | undefined;
}

it("W26: a member's page is compressed only if no other site led to it, so that its size reveals nothing to other sites", async () => {
  for (const site of ["cross-site", "same-site", "", "Same-Origin"])
    expect([site, await encodingOf({ ...MEMBER, "sec-fetch-site": site })]).toEqual([site, undefined]);
  expect(await encodingOf(MEMBER)).toBeUndefined();
  for (const site of ["same-origin", "none"])
    expect([site, await encodingOf({ ...MEMBER, "sec-fetch-site": site })]).toEqual([site, "br"]);
  expect(await encodingOf({ ...BROWSER, "sec-fetch-site": "cross-site" })).toBe("br");
});

it("W26: the token of a form differs on every page", () => {
  const reply = { request: { session: {} } } as Parameters<typeof csrfToken>[0];
  expect(csrfToken(reply)).not.toBe(csrfToken(reply));
});

it("a page has the same content in every encoding, and is never sent in an encoding that the browser refuses", async () => {
  const get = (accepted: string) => app.inject({ url: "/page", headers: { "accept-encoding": accepted } });
  const plain = await get("identity");
  expect([plain.headers["content-encoding"], plain.body]).toEqual([undefined, expect.stringContaining("</html>")]);
  expect(brotliDecompressSync((await get("br")).rawPayload).toString()).toBe(plain.body);
  expect(gunzipSync((await get("gzip, br;q=0")).rawPayload).toString()).toBe(plain.body);
  const head = await app.inject({ method: "HEAD", url: "/page", headers: BROWSER });
  expect([head.headers["content-encoding"], head.body]).toEqual(["br", ""]);
});

it("an asset is compressed at the highest level, and is not sent again if the browser has it", async () => {
  const url = `${assetBase}/pages.css`;
  const plain = await app.inject(url);
  const small = await app.inject({ url, headers: BROWSER });
  expect(brotliDecompressSync(small.rawPayload).toString()).toBe(plain.body);
  expect(small.rawPayload.length).toBeLessThan(plain.body.length / 5);
  const again = await app.inject({ url, headers: { "if-none-match": String(plain.headers.etag) } });
  expect([again.statusCode, again.body]).toEqual([304, ""]);
});
