import type { Page } from "playwright-core";
import { expect } from "vitest";
import { openAccount } from "../support/browser.ts";
import type { Running } from "../support/samespot.ts";

export interface Visitor {
  page: Page;
  site: Pick<Running, "webUrl" | "authUrl">;
  account: Running["demo"];
  /** Checks a page of the walk, which has a unique name. */
  look: (name: string) => Promise<void>;
}

/** The centre of Providence, where the sample has venues. */
const PLACE = "41.8240, -71.4128";

/** A venue of the sample near it. */
const ALIKE = "Starbucks Coffee";

/** Walks through the main job from log-in to log-out. Returns how many check-ins were seen. */
export async function walk(visitor: Visitor): Promise<number> {
  await logIn(visitor);
  await searchAndOpen(visitor, "coffee");
  const name = `${ALIKE} ${randomWord()}`;
  expect(await addVenue(visitor, name), "how often similar venues were shown").toBeGreaterThanOrEqual(1);
  await search(visitor, name);
  await heading(visitor, name, 2);
  const checkins = await pageThroughCheckins(visitor);
  await openAccount(visitor.page);
  await visitor.page.getByRole("link", { name: "Settings" }).click();
  await heading(visitor, "Settings");
  await visitor.look("settings");
  await logOut(visitor);
  return checkins;
}

/** Without digits: a number would name another branch, to which nothing is alike. */
const randomWord = () =>
  crypto
    .randomUUID()
    .replace(/[^a-f]/g, "")
    .slice(0, 5);

export async function logIn({ page, site, account, look }: Visitor): Promise<void> {
  await page.goto(site.webUrl);
  await look("home");
  await page.getByRole("banner").getByRole("link", { name: "Log in" }).click();
  expect(new URL(page.url()).origin).toBe(site.authUrl);
  await look("log-in");
  await page.getByLabel("Username").fill(account.handle);
  await page.getByLabel("Password").fill(account.password);
  await page.getByRole("button", { name: "Log in" }).click();
  await allowIfAsked({ page, look });
  await page.waitForURL(`${site.webUrl}/`);
  await accountOf(page).waitFor();
  await look("member");
}

/** For people who have not allowed the application yet. */
export async function allowIfAsked({ page, look }: Pick<Visitor, "page" | "look">): Promise<void> {
  const allow = page.getByRole("button", { name: "Allow" });
  await allow.or(accountOf(page)).first().waitFor();
  if (!(await allow.isVisible())) return;
  await look("consent");
  await allow.click();
}

export async function menu({ page }: Pick<Visitor, "page">, name: string): Promise<void> {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true }).click();
}

const accountOf = (page: Visitor["page"]) => page.getByRole("banner").getByText("Logged in as");

async function search(visitor: Visitor, query: string): Promise<void> {
  const { page, look } = visitor;
  await menu(visitor, "Places");
  await page.getByLabel("What").fill(query);
  await page.getByLabel("Near").fill(PLACE);
  await page.getByRole("button", { name: "Search" }).click();
  await page.waitForURL(/query=/);
  await look(query === "coffee" ? "search" : "found-again");
}

async function searchAndOpen(visitor: Visitor, query: string): Promise<void> {
  const { page, look } = visitor;
  await search(visitor, query);
  const results = page.getByRole("region", { name: "Results", exact: true }).getByRole("heading", { level: 2 });
  expect(await results.count()).toBeGreaterThanOrEqual(5);
  expect((await results.allInnerTexts()).filter((name) => /coffee|café|cafe|roast/i.test(name))).not.toEqual([]);
  const first = (await results.first().innerText()).trim();
  await results.first().getByRole("link").click();
  await heading(visitor, first);
  await look("venue");
}

/** Adds a venue in spite of similar ones. Returns how often similar venues were shown. */
export async function addVenue(visitor: Visitor, name: string): Promise<number> {
  const { page, look } = visitor;
  await menu(visitor, "Places");
  await page.getByRole("link", { name: "Add a venue" }).click();
  await look("add");
  await page.getByRole("button", { name: "Add venue" }).click();
  await page.getByText("Give the venue a name.").first().waitFor();
  await look("add-mistakes");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Position").fill(PLACE);
  await chooseCategory(page, "Coffee Shop");
  await page.getByRole("button", { name: "Add venue" }).click();
  const rounds = await passLookAlikes(visitor, name);
  await look("added");
  return rounds;
}

/** With script the list becomes a field to type in, once another field of the form has had the focus. */
export async function chooseCategory(page: Page, name: string): Promise<void> {
  const list = page.locator("select[name=primaryCategoryId]");
  if (!(await page.evaluate("matchMedia('(scripting: enabled)').matches")))
    return void (await list.selectOption({ label: name }));
  await page.locator("input[role=combobox]").fill(name);
  await page.getByRole("option", { name }).first().click();
}

/** They are shown before the add, and again if the directory takes the venue for a duplicate. */
async function passLookAlikes({ page, look }: Visitor, name: string): Promise<number> {
  const added = page.getByRole("heading", { level: 1, name });
  for (let rounds = 0; ; rounds++) {
    await added.or(page.getByRole("heading", { level: 1, name: "Is it one of these?" })).waitFor();
    if ((await added.isVisible()) || rounds === 2) return rounds;
    await look(`look-alikes-${rounds + 1}`);
    await page.getByRole("button", { name: /^(None of these|Add anyway)/ }).click();
  }
}

/** Checks that every check-in is on exactly one page. */
async function pageThroughCheckins(visitor: Visitor): Promise<number> {
  const { page, look } = visitor;
  await menu(visitor, "Check-ins");
  await heading(visitor, "Check-ins");
  await page.getByText(/check-ins?, newest first/).waitFor();
  await look("check-ins");
  const [total = ""] = /[\d,]+/.exec(await page.getByText(/check-ins?, newest first/).innerText()) ?? [];
  const times: string[] = [];
  for (let number = 1; ; number++) {
    const onThisPage = page.getByRole("listitem").locator("time");
    times.push(...(await onThisPage.evaluateAll((all) => all.map((time) => String(time.getAttribute("datetime"))))));
    const older = page.getByRole("link", { name: "Older" });
    if ((await older.count()) === 0) break;
    await older.click();
    await page.waitForURL(`**/checkins?page=${number + 1}`);
    if (number === 1) await look("check-ins-2");
  }
  expect(times.length).toBe(Number(total.replace(",", "")));
  expect(times).toEqual(times.toSorted().reverse());
  return times.length;
}

/** The old cookie must not work afterwards. */
async function logOut({ page, site, look }: Visitor): Promise<void> {
  const cookies = await page.context().cookies(site.webUrl);
  await openAccount(page);
  await page.getByRole("banner").getByRole("button", { name: "Log out" }).click();
  await page.getByText("You are logged out.").waitFor();
  await page.getByRole("banner").getByRole("link", { name: "Log in" }).waitFor();
  await look("logged-out");
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const answer = await fetch(`${site.webUrl}/checkins`, { headers: { cookie }, redirect: "manual" });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/login?next=%2Fcheckins"]);
}

async function heading({ page }: Visitor, name: string, level = 1): Promise<void> {
  await page.getByRole("heading", { level, name }).first().waitFor();
}
