import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import Fastify, { type FastifyInstance, type FastifyReply } from "fastify";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { pmtilesFile } from "../../../src/config/pmtiles.ts";
import { registerAssets } from "../../../src/http/files/assets.ts";
import { registerBasemap } from "../../../src/http/files/basemap.ts";
import { contentSecurityPolicy } from "../../../src/http/headers.ts";
import type { MapView } from "../../../src/http/pages/parts.ts";
import { registerViews } from "../../../src/http/pages/views.ts";
import { FRAME } from "../../http/pages/frame.ts";
import { expectAccessible, launchBrowser, openPage, screenshot, type WatchedPage } from "../../support/browser.ts";
import { townFile } from "../../support/pmtiles/town.ts";
import { pickByKeyboard } from "./pick-by-keyboard.ts";

const CREDIT = "© OpenStreetMap contributors";
const CENTER = { lat: 41.8236, lng: -71.4222 };
const POINTS = [
  { ...CENTER, name: "Coffee <Exchange>", href: "/venues/1" },
  { lat: 41.8188, lng: -71.3965, name: "Pastiche", href: "/venues/2" },
];
const PICK = { center: CENTER, zoom: 15, pick: { lat: "ll", lng: "ll" } };
const AWAY = [{ lat: 40.7, lng: -74, name: "New York", href: "/venues/3" }];

const folder = mkdtempSync(path.join(os.tmpdir(), "samespot-basemap-"));
const apps: FastifyInstance[] = [];
let browser: Browser;
/** Of the apps with a good file, one with damaged tiles, and one that is changed after the start. */
let [origin, damaged, changed] = ["", "", ""];
beforeAll(async () => {
  origin = await serve(write("town", townFile()));
  // Beyond header, directory and metadata.
  damaged = await serve(write("damaged", townFile().fill(7, 700)));
  const file = write("changed", townFile());
  changed = await serve(file);
  writeFileSync(file.file, townFile({ metadata: { name: "Another" } }));
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  for (const app of apps) await app.close();
  rmSync(folder, { recursive: true });
});

async function serve(basemap: z.infer<typeof pmtilesFile>): Promise<string> {
  const app = Fastify();
  apps.push(app);
  await registerViews(app, { production: true, defaults: { ...FRAME, streets: true, basemap } });
  await registerAssets(app);
  await registerBasemap(app, basemap);
  app.addHook("onSend", async (_request, reply) => {
    reply.header("content-security-policy", contentSecurityPolicy());
  });
  app.get("/map/*", (_request, reply) => reply.code(204).send());
  app.get("/list", (_request, reply) => sendPage(app, reply, "", { points: POINTS }));
  app.get("/es", (_request, reply) => sendPage(app, reply, "", { points: POINTS }, "es"));
  app.get("/away", (_request, reply) => sendPage(app, reply, "", { points: AWAY }));
  app.get("/pick", (_request, reply) => sendPage(app, reply, '<label>Position <input id="ll"></label>', PICK));
  return app.listen({ port: 0 });
}

describe("a map with the operator's file of streets", () => {
  it.each([
    [1280, "light"],
    [390, "dark"],
  ] as const)("draws it beneath the pins, credits it and is accessible, %s wide and %s", async (width, colorScheme) => {
    const page = await openPage(browser, { width, colorScheme });
    await open(page, `${origin}/list`);
    await page.getByText(CREDIT).waitFor();
    expect(await coloursOf(page)).toBeGreaterThan(20);
    expect(await page.locator(".map-grid-main").count()).toBe(0);
    await page.locator(".map-pin").first().click();
    expect(await page.locator(".leaflet-popup-content a").textContent()).toBe("Coffee <Exchange>");
    await expectAccessible(page);
    await screenshot(page, `basemap-${width}-${colorScheme}`);
  });

  it("it fills the map when the window grows", async () => {
    const page = await openPage(browser, { width: 390 });
    await open(page, `${origin}/list`);
    await page.getByText(CREDIT).waitFor();
    await page.setViewportSize({ width: 1000, height: 900 });
    const widthOf = async (part: string) => (await page.locator(part).boundingBox())?.width ?? 0;
    await expect.poll(() => widthOf(".maplibregl-canvas")).toBeGreaterThan(await widthOf(".map-canvas"));
    await expect
      .poll(() => page.locator(".maplibregl-canvas").evaluate((canvas) => canvas.clientWidth))
      .toBeGreaterThan(950);
  });

  it("W180: no grid is drawn on it that loads later than the streets", async () => {
    const page = await openPage(browser, { width: 700 });
    let letLoad = () => {};
    const streetsStand = new Promise<void>((resolve) => {
      letLoad = resolve;
    });
    await page.route(/grid/, async (route) => {
      await streetsStand;
      await route.continue();
    });
    const loaded = page.waitForResponse(/grid/);
    await open(page, `${origin}/list`);
    await page.getByText(CREDIT).waitFor();
    letLoad();
    await (await loaded).finished();
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
    expect(await page.locator(".map-grid-main, .map-edge").count()).toBe(0);
  });

  it("its names are in the language of the page where the file has them", async () => {
    const pictures: string[] = [];
    for (const address of ["/list", "/list", "/es"]) {
      const page = await openPage(browser, { width: 700 });
      await page.addInitScript(KEEP_MAP);
      await open(page, origin + address);
      await page.getByText(CREDIT).waitFor();
      await page.evaluate(DRAWN);
      await page.evaluate(SQUARE);
      pictures.push((await page.locator(".map-canvas").screenshot()).toString("base64"));
    }
    expect(pictures[0] === pictures[1], "the same page twice").toBe(true);
    expect(pictures[2] === pictures[0], "the page in Spanish").toBe(false);
  });

  it("a position can be set by keyboard on it: arrow keys move the map, Enter takes its middle", async () => {
    const page = await openPage(browser, { width: 700 });
    await open(page, `${origin}/pick`);
    await page.getByText(CREDIT).waitFor();
    await pickByKeyboard(page, 41.824);
    await expectAccessible(page);
  });
});

/** Keeps MapLibre's map of the page as `drawn`. */
const KEEP_MAP = `Object.defineProperty(globalThis, "maplibregl", {
  configurable: true,
  set(value) {
    Object.defineProperty(globalThis, "maplibregl", { value });
    const { once } = value.Map.prototype;
    value.Map.prototype.once = function (...all) {
      globalThis.drawn = this;
      return once.apply(this, all);
    };
  },
})`;

/** Resolves when nothing of the map is loading or fading in. */
const DRAWN = `new Promise((resolve) => {
  drawn.once("idle", resolve);
  drawn.triggerRepaint();
})`;

/** Chromium smooths round corners a shade lighter or darker from one time to the next. */
const SQUARE = `document.querySelector(".map").style.borderRadius = 0`;

describe("without the operator's streets the map keeps its ground", () => {
  it("in a browser without WebGL, which loads no renderer", async () => {
    const page = await openPage(browser);
    await page.addInitScript("HTMLCanvasElement.prototype.getContext = () => null");
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await open(page, `${origin}/list`);
    await page.waitForLoadState("networkidle");
    expect(requests.filter((each) => /basemap\.js/.test(each))).toHaveLength(1);
    expect(requests.filter((each) => /maplibre|pmtiles/.test(each))).toEqual([]);
    expect(await page.locator(".map-grid-main").count()).toBeGreaterThan(0);
  });

  it.each([
    ["where the file has no streets", () => `${origin}/away`],
    ["if the file's tiles are damaged, without an error in the console", () => `${damaged}/list`],
    ["if the file is changed in place, without an error in the console", () => `${changed}/list`],
  ])("%s", async (_case, address) => {
    const page = await openPage(browser);
    const asked = page.waitForResponse(/pmtiles$/);
    await open(page, address());
    await asked;
    await page.waitForLoadState("networkidle");
    await expect.poll(() => page.locator(".leaflet-gl-layer").count()).toBe(0);
    expect(await page.locator(".map-grid-main").count()).toBeGreaterThan(0);
    expect(await page.getByText(CREDIT).count()).toBe(0);
  });

  it("without script, as a list of links", async () => {
    const page = await openPage(browser, { javaScript: false });
    await page.goto(`${origin}/list`);
    expect(await page.locator(".map-points li").last().innerText()).toMatch(/Pastiche\s+41\.81880, -71\.39650/);
  });
});

function write(name: string, bytes: Buffer): z.infer<typeof pmtilesFile> {
  const file = path.join(folder, `${name}.pmtiles`);
  writeFileSync(file, bytes);
  return pmtilesFile.parse(file);
}

async function open(page: WatchedPage, address: string): Promise<void> {
  await page.goto(address);
  await page.locator(".map.is-live").waitFor();
}

/** The number of colours in a picture of the map. */
async function coloursOf(page: WatchedPage): Promise<number> {
  const picture = await page.locator(".map-canvas").screenshot();
  return page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    const context = canvas.getContext("2d");
    context?.drawImage(image, 0, 0);
    return new Set(new Uint32Array(context?.getImageData(0, 0, image.width, image.height).data.buffer ?? [])).size;
  }, picture.toString("base64"));
}

async function sendPage(
  app: FastifyInstance,
  reply: FastifyReply,
  before: string,
  map: Partial<MapView>,
  language = "en",
): Promise<FastifyReply> {
  const view = { map: { points: [], around: [], label: "Map", ...map } };
  const body = `<h1>Map</h1>${before}${await app.view("partials/map", view)}`;
  const page: string = await app.view("layout", { title: "Map", body });
  return reply.type("text/html").send(page.replace('lang="en"', `lang="${language}"`));
}
