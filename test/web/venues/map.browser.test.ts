import Fastify, { type FastifyInstance, type FastifyReply } from "fastify";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeLine } from "../../../src/directory/map/lines.ts";
import { registerAssets } from "../../../src/http/files/assets.ts";
import { contentSecurityPolicy } from "../../../src/http/headers.ts";
import type { MapView } from "../../../src/http/pages/parts.ts";
import { registerViews } from "../../../src/http/pages/views.ts";
import { FRAME } from "../../http/pages/frame.ts";
import { expectAccessible, launchBrowser, openPage } from "../../support/browser.ts";
import { pickByKeyboard } from "./pick-by-keyboard.ts";

const HOSTILE = "<img src=x onerror=alert(1)>";
const POINTS = [
  { lat: 41.8236, lng: -71.4222, name: HOSTILE, href: "/venues/1" },
  { lat: 41.8188, lng: -71.3965, name: "Coffee Exchange", href: "/venues/2" },
];
const PICK = { center: { lat: 41.8236, lng: -71.4222 }, zoom: 13, pick: { lat: "ll", lng: "ll" } };

const CENTER = { lat: 41.8236, lng: -71.4222, name: "Venue" };
const FAR = { lat: 41.86, lng: -71.36, name: "Far away" };
const AREA = encodeLine([
  { lat: 41.8, lng: -71.45 },
  { lat: 41.85, lng: -71.45 },
  { lat: 41.85, lng: -71.422 },
  { lat: 41.8, lng: -71.422 },
]);
const MAIN_STREET = {
  name: "Main St",
  line: encodeLine([
    { lat: 41.82, lng: -71.43 },
    { lat: 41.83, lng: -71.41 },
  ]),
};
let tile: object | undefined = {
  ...{ streets: [MAIN_STREET], towns: [{ ...CENTER, name: "Providence", venues: 5 }] },
  ...{ areas: [{ name: "02903", rings: [AREA] }], credit: "Boundaries: us" },
};

/** What tiles wait for. */
let held: Promise<void> | undefined;

/** A name in a tile: its centre and half its width, in pixels. */
interface Town {
  canvas: HTMLCanvasElement;
  x: number;
  y: number;
  half: number;
}

let app: FastifyInstance;
let browser: Browser;
let origin: string;
beforeAll(async () => {
  app = Fastify();
  await registerViews(app, { production: true, defaults: FRAME });
  await registerAssets(app);
  app.addHook("onSend", async (_request, reply) => {
    reply.header("content-security-policy", contentSecurityPolicy());
  });
  app.get("/list", (_request, reply) => sendPage(reply, listOf(POINTS), { points: POINTS }));
  const dense = [1, 2, 3, 4].map((number) => ({ ...CENTER, lat: CENTER.lat + number / 1e5, name: `Venue ${number}` }));
  app.get("/dense", (_request, reply) => sendPage(reply, "", { points: [...dense, FAR], searchHref: "/venues?ll=" }));
  app.get("/streets", (_request, reply) => sendPage(reply, "", { points: [CENTER], zoom: 15 }, { streets: true }));
  app.get("/map/*", async (_request, reply) => {
    await held;
    return tile ? reply.send(tile) : reply.code(204).send();
  });
  app.get("/pick", (_request, reply) => sendPage(reply, '<label>Position <input id="ll"></label>', PICK));
  origin = await app.listen({ port: 0 });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

describe("a map of results", () => {
  it("numbers its pins like the list, and highlights pin and card together", async () => {
    const page = await openMap("/list");
    expect(await page.locator(".map-pin").allTextContents()).toEqual(["1", "2"]);
    await page.hover('[data-point="2"]');
    expect(await page.locator(".map-pin.is-active").allTextContents()).toEqual(["2"]);
    await page.locator(".map-pin").first().hover();
    expect(await page.locator(".is-active[data-point]").getAttribute("data-point")).toBe("1");
    await expectAccessible(page);
  });

  it("shows hostile names as text", async () => {
    const page = await openMap("/list");
    await page.locator(".map-pin").first().click();
    const link = page.locator(".leaflet-popup-content a");
    expect([await link.textContent(), await link.getAttribute("href")]).toEqual([HOSTILE, `${origin}/venues/1`]);
    expect(await page.locator(".map img").count()).toBe(0);
  });

  it("draws a grid of degrees if there are no tiles", async () => {
    const page = await openMap("/list");
    expect(await page.locator(".map-grid-main").count()).toBeGreaterThan(0);
    expect(await page.locator(".map-edge-west span").allTextContents()).toContain("41.82°");
    expect(await page.locator(".leaflet-control-scale-line").textContent()).toMatch(/ k?m$/);
  });

  it("the map joins dense pins under their numbers, and offers a search of the area it was moved to", async () => {
    const page = await openMap("/dense");
    expect(await page.locator(".map-cluster").allTextContents()).toEqual(["4"]);
    expect(await page.locator(".map-name").allTextContents()).toEqual(["Far away"]);
    expect(await page.getByText("Search this area").isVisible()).toBe(false);
    await page.locator(".map-canvas").focus();
    await page.keyboard.press("ArrowRight");
    await expect
      .poll(() => page.getByText("Search this area").getAttribute("href"))
      .toMatch(/^\/venues\?ll=41\.8\d+%2C-71/);
    await expectAccessible(page);
  });

  it("the map shows that it is loading as long as it waits for tiles", async () => {
    let goOn = () => {};
    held = new Promise((resolve) => {
      goOn = resolve;
    });
    const page = await openMap("/streets");
    await page.locator('.map-canvas[aria-busy="true"]').waitFor();
    await expectAccessible(page);
    goOn();
    await page.locator('.map-canvas[aria-busy="false"]').waitFor();
    held = undefined;
  });

  it("the name of a town stands clear of the pin at its centre", async () => {
    const page = await openPage(browser);
    await page.addInitScript(() => {
      const { fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
        const { a: scale, e, f } = this.getTransform();
        const half = this.measureText(text).width / 2;
        if (text === "Providence")
          Object.assign(window, { town: { canvas: this.canvas, x: e / scale, y: f / scale, half } });
        return fillText.call(this, text, ...at);
      };
    });
    await page.goto(`${origin}/streets`);
    await expect.poll(() => page.evaluate("window.town?.canvas.isConnected")).toBe(true);
    const [town, pin] = await page.evaluate(() => {
      const { canvas, x, y, half } = (window as unknown as { town: Town }).town;
      const tile = canvas.getBoundingClientRect();
      const { left, right, top, bottom } =
        document.querySelector(".map-pin svg")?.getBoundingClientRect() ?? new DOMRect();
      return [
        { left: tile.x + x - half, right: tile.x + x + half, top: tile.y + y - 7, bottom: tile.y + y + 7 },
        { left, right, top, bottom },
      ] as const;
    });
    expect(pin.bottom - pin.top).toBeGreaterThan(20);
    expect([Math.round((town.left + town.right - pin.left - pin.right) / 2), town.top >= pin.bottom]).toEqual([
      0,
      true,
    ]);
  });

  it("the map draws the streets of its tiles, and a grid where there are none", async () => {
    const page = await openMap("/streets");
    await page.getByText("Boundaries: us").waitFor();
    const painted = `[...document.querySelectorAll(".map canvas")].some((canvas) =>
      new Set(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data).size > 8)`;
    await expect.poll(() => page.evaluate(painted)).toBe(true);
    expect(await page.locator(".map-grid-main").count()).toBe(0);
    tile = undefined;
    await page.reload();
    await expect.poll(() => page.locator(".map-grid-main").count()).toBeGreaterThan(0);
  });

  it("is a list of links and positions without script", async () => {
    const page = await openPage(browser, { javaScript: false });
    await page.goto(`${origin}/list`);
    expect(await page.locator(".map-points li").last().innerText()).toMatch(/Coffee Exchange\s+41\.81880, -71\.39650/);
  });
});

describe("a map for picking a position", () => {
  it("writes a clicked point, and one that the pin is dragged to, into the field", async () => {
    const page = await openMap("/pick");
    await page.locator(".map-canvas").click({ position: { x: 100, y: 100 } });
    const clicked = await page.inputValue("#ll");
    expect(clicked).toMatch(/^41\.\d{6},-71\.\d{6}$/);
    const pin = await page.locator(".map-pin").boundingBox();
    if (!pin) throw new Error("no pin");
    await page.mouse.move(pin.x + 15, pin.y + 15);
    await page.mouse.down();
    await page.mouse.move(pin.x + 95, pin.y + 75, { steps: 4 });
    await page.mouse.up();
    expect(await page.inputValue("#ll")).not.toBe(clicked);
  });

  it("the position can be set by keyboard: arrow keys move the map, Enter takes its middle", async () => {
    const page = await openMap("/pick");
    await pickByKeyboard(page, 41.83);
    expect(await page.getByText(/^Position set to 41\.8/).count()).toBe(1);
    await expectAccessible(page);
  });

  it("moves its pin to a typed position, and removes it if that is invalid", async () => {
    const page = await openMap("/pick");
    await page.fill("#ll", "10.5, 20.25");
    await page.locator("#ll").blur();
    await expect.poll(() => page.locator(".map-edge-west span").allTextContents()).toContain("10.500°");
    await page.fill("#ll", "95, 20");
    await page.locator("#ll").blur();
    expect(await page.locator(".map-pin").count()).toBe(0);
  });
});

async function openMap(address: string): Promise<Page> {
  const page = await openPage(browser, { width: 700 });
  await page.goto(`${origin}${address}`);
  await page.locator(".map.is-live").waitFor();
  return page;
}

function listOf(points: typeof POINTS): string {
  return `<ul>${points.map((_point, index) => `<li class="venue-card" data-point="${index + 1}">Venue</li>`).join("")}</ul>`;
}

async function sendPage(
  reply: FastifyReply,
  before: string,
  map: Partial<MapView>,
  more: object = {},
): Promise<FastifyReply> {
  const body = `<h1>Map</h1>${before}${await app.view("partials/map", { map: { points: [], around: [], label: "Map", ...map }, ...more })}`;
  return reply.type("text/html").send(await app.view("layout", { title: "Map", body }));
}
