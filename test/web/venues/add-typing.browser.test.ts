import { afterAll, expect, test } from "vitest";
import { expectPresentable, launchBrowser, openPage } from "../../support/browser.ts";
import { answers } from "../../support/fake-directory/behaviours.ts";
import { startWeb } from "../web-app.ts";

const web = await startWeb();
web.directory.offerLocation();
const browser = await launchBrowser();
afterAll(() => browser.close());

const openForm = async (width = 1280) => {
  const page = await openPage(browser, { width });
  await page.goto(`${web.url}/login?next=/venues/new`);
  await page.getByRole("heading", { name: "Similar venues" }).waitFor();
  return page;
};
const LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";

test("while a venue is typed, its address sets the position and similar venues appear; the page does not jump", async () => {
  const response = { position: { lat: 41.8289, lng: -71.401, estimated: true } };
  web.directory.behave("/v2/addresses/locate", answers(200, { meta: { code: 200 }, response }));
  const alike = { id: "a1", score: 0.7, location: { lat: 41.82, lng: -71.4, address: LONG, distance: 12 } };
  const venues = [
    { ...alike, name: LONG },
    { ...alike, id: "a2", name: "مقهى الزاوية" },
  ];
  web.directory.behave("/v2/venues/search", answers(200, { meta: { code: 200 }, response: { venues } }));
  for (const width of [1280, 390]) {
    const page = await openForm(width);
    const below = page.getByText("More details");
    const topOf = () => below.evaluate((element) => Math.round(element.getBoundingClientRect().top + scrollY));
    const before = await topOf();
    await page.getByLabel("Name", { exact: true }).fill("Corner Café");
    await page.getByLabel("Street and number").fill("300 Thayer St");
    await page.getByLabel("City").fill("Providence");
    await page.getByRole("link", { name: "مقهى الزاوية" }).waitFor();
    expect(await page.getByLabel("Position").inputValue()).toBe("41.828900,-71.401000");
    await page.getByText("Position estimated from the address: check the pin.").waitFor();
    expect(await topOf()).toBe(before);
    const toMap = page.getByRole("link", { name: "See it on the map" });
    expect(await toMap.isVisible()).toBe(width === 390); // beside a wide form the map is in view
    if (width === 390) {
      await toMap.click();
      await expect
        .poll(() => page.locator(".map").evaluate((map) => Math.round(map.getBoundingClientRect().top)))
        .toBeCloseTo(0);
    }
    await expectPresentable(page, "add-typing");
    await page.close();
  }
});

test("the map moves to the address and shows the venues there; if none is similar, the form says so", async () => {
  const position = { lat: 41.5, lng: -71.3, estimated: false };
  web.directory.reset();
  web.directory.offerLocation();
  web.directory.behave("/v2/addresses/locate", answers(200, { meta: { code: 200 }, response: { position } }));
  const page = await openForm();
  await page.getByLabel("Name", { exact: true }).fill("Tidewater");
  await page.getByLabel("Street and number").fill("300 Thayer St");
  await page.getByLabel("City").fill("Newport");
  await page.getByText("Position found from the address.").waitFor();
  const none = page.getByText("No similar venue was found nearby.");
  await none.waitFor();
  const dots = page.locator(".map-dot");
  await dots.first().dispatchEvent("mouseover");
  await page.locator(".leaflet-tooltip", { hasText: "Corner Coffee" }).waitFor();
  await page.getByRole("button", { name: "Add venue" }).click(); // without a category
  await page.locator(".error-summary").waitFor();
  await page.getByText("Position found from the address.").waitFor();
  await none.waitFor();
  await page.getByLabel("Position").fill("41.51,-71.31");
  expect(await page.getByText("Position found from the address.").count()).toBe(0);
  await page.close();
});

test("a position that came from the address goes with it, also after a reload; one that the person has set stays", async () => {
  const know = (lat: number) =>
    web.directory.behave(
      "/v2/addresses/locate",
      answers(200, { meta: { code: 200 }, response: { position: { lat, lng: -71.3, estimated: true } } }),
    );
  web.directory.reset();
  web.directory.offerLocation();
  know(41.5);
  const page = await openForm();
  const [street, position] = [page.getByLabel("Street and number"), page.getByLabel("Position")];
  const note = page.getByText("Position estimated from the address: check the pin.");
  await street.fill("71 Thayer St");
  await page.getByLabel("City").fill("Newport");
  await note.waitFor();
  know(41.6);
  await street.fill("711 Thayer St");
  expect(await position.inputValue()).toBe("");
  await note.waitFor();
  expect(await position.inputValue()).toBe("41.600000,-71.300000");
  await page.reload();
  await note.waitFor();
  web.directory.behave("/v2/addresses/locate", answers(200, { meta: { code: 200 }, response: {} }));
  await page.getByLabel("City").fill("");
  expect([await position.inputValue(), await note.count()]).toEqual(["", 0]);
  await position.fill("41.7,-71.4");
  await street.fill("7 Thayer St");
  expect(await position.inputValue()).toBe("41.7,-71.4");
  await page.close();
});

test("what was typed for a venue survives a reload, Back and another page, and not the log-out or a form that was sent", async () => {
  web.directory.reset();
  web.directory.offerLocation();
  const page = await openForm();
  const name = page.getByLabel("Name", { exact: true });
  const description = page.getByLabel("Description");
  await name.fill("Half Typed");
  await page.getByText("More details").click();
  await description.fill("Cosy 🫖");
  await page.getByText("At most 300 characters. 6 used.").waitFor();
  await page.reload();
  await page.getByText("What you typed before is back in the form.").waitFor();
  expect([await name.inputValue(), await description.inputValue()]).toEqual(["Half Typed", "Cosy 🫖"]);
  await page.getByText("At most 300 characters. 6 used.").waitFor();
  await page.goto(`${web.url}/venues`);
  await page.goto(`${web.url}/venues/new`);
  expect(await name.inputValue()).toBe("Half Typed");
  await page.goto(`${web.url}/venues`);
  await page.goBack();
  expect(await name.inputValue()).toBe("Half Typed");
  await page.getByRole("button", { name: "Clear form" }).click();
  await expect.poll(() => name.inputValue()).toBe("");
  await name.fill("Half Typed");
  await page.evaluate(() => document.querySelector<HTMLFormElement>('form[action="/logout"]')?.requestSubmit());
  await page.waitForURL((url) => url.pathname !== "/venues/new");
  await page.goto(`${web.url}/login?next=/venues/new`);
  expect(await name.inputValue()).toBe("");
});
