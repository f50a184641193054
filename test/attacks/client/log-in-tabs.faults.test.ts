import { expect, test } from "vitest";
import { atMost } from "../../../src/shared/at-most.ts";
import { roundsOf } from "../../support/rounds.ts";
import { startWeb } from "../../web/web-app.ts";

const web = await startWeb();
const TABS = ["/", "/checkins", "/settings", "/venues?query=tea&ll=41.8,-71.4", "/venues/new"];

/** All orders, or those in which any two tabs come back at any two places exactly once. */
const ORDERS = roundsOf(120, 20);
const orders = ORDERS === 120 ? permutations(TABS.map((_, tab) => tab)) : pairwise(TABS.length);

test(`A11: log-ins in five tabs of one browser each end on the page they began from, in ${ORDERS} orders`, async () => {
  expect(new Set(orders.map(String)).size).toBe(ORDERS);
  const landed = await atMost(4, orders, async (order) => {
    const browser = web.newBrowser();
    // All five have started, one after another as a person opens tabs, before the first returns.
    const callbacks: string[] = [];
    for (const next of TABS) callbacks.push(await web.beginLogin(browser, next));
    const replies = [];
    for (const tab of order) replies.push(await browser.get(callbacks[tab] ?? ""));
    return replies.map(({ status, headers }) => `${status} ${headers.get("location")}`);
  });
  expect(landed).toEqual(orders.map((order) => order.map((tab) => `303 ${TABS[tab]}`)));
});

function permutations(items: number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((first) => permutations(items.filter((each) => each !== first)).map((rest) => [first, ...rest]));
}

/** Orders of a prime number of items: every stride from every place. */
function pairwise(prime: number): number[][] {
  const places = Array.from({ length: prime }, (_, place) => place);
  const strides = places.slice(1);
  return strides.flatMap((stride) => places.map((from) => places.map((place) => (from + stride * place) % prime)));
}
