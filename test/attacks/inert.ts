import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { HttpClient } from "../support/http-client.ts";

/** Expects that no payload executed or became an element, a handler or a link, on the map too. */
export async function expectInert(page: Page, what: string): Promise<void> {
  const found = await page.evaluate(() => {
    const all = [...document.querySelectorAll("*")];
    return {
      hacked: "hacked" in window,
      handlers: all.flatMap((each) => each.getAttributeNames().filter((name) => name.startsWith("on"))),
      strangers: all
        .filter((each) =>
          each.matches("iframe, object, embed, base, style, math, template, svg script, svg a, img[src='x']"),
        )
        .map((each) => each.outerHTML),
      addresses: all
        .flatMap((each) => ["href", "src", "action", "formaction"].map((name) => each.getAttribute(name) ?? ""))
        .filter((address) => address && !/^https?:$/.test(new URL(address, location.href).protocol)),
    };
  });
  expect({ what, ...found }).toEqual({ what, hacked: false, handlers: [], strangers: [], addresses: [] });
}

/** Like expectInert() for HTML that is parsed without running scripts. */
export async function expectInertHtml(page: Page, pages: Record<string, string>): Promise<void> {
  const found = await page.evaluate((all) => {
    const STRANGERS =
      "script:not([src^='/assets/']), iframe, object, embed, base, style, math, template, video, marquee";
    const MORE =
      "svg script, svg a, svg animate, img[src='x'], [formaction]:not([formaction^='/harmonizations/']), meta[http-equiv], link:not([href^='/assets/']), b[title]";
    return Object.entries(all).flatMap(([what, html]) => {
      const parsed = new DOMParser().parseFromString(html, "text/html");
      const elements = [...parsed.querySelectorAll("*")];
      const handlers = elements.flatMap((each) => each.getAttributeNames().filter((name) => name.startsWith("on")));
      const strangers = [...parsed.querySelectorAll(`${STRANGERS}, ${MORE}`)].map((each) => each.outerHTML);
      const addresses = elements
        .flatMap((each) => ["href", "src", "action"].map((name) => each.getAttribute(name) ?? ""))
        .filter((address) => address && !/^https?:$/.test(new URL(address, location.href).protocol));
      const wrong = [...handlers, ...strangers, ...addresses];
      return wrong.length > 0 ? [{ what, wrong }] : [];
    });
  }, pages);
  expect(found).toEqual([]);
}

/** Copies the session of a cookie jar into the browser. */
export const lend = (page: Page, url: string, { cookies }: HttpClient) =>
  page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
