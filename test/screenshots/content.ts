import { readFileSync } from "node:fs";
import { setTimeout as after } from "node:timers/promises";
import { EXAMPLE } from "../../src/harmonize/file/example.ts";
import { throughDirectory } from "../attacks/running-apps.ts";
import { createHttpClient, type HttpClient, type Page } from "../support/http-client.ts";

/** Addresses of the web app and both hosts of the directory. */
export interface Hosts {
  app: string;
  auth: string;
  api: string;
}

export interface Account {
  handle: string;
  password: string;
}

/** Accounts beside that of the demo, who is "user". Each is added before the start, or by its settings. */
export const ACCOUNTS = {
  admin: { handle: "admin", password: "a password of some length" },
  /** Has long and Arabic names everywhere, and is a member with another account than the user. */
  other: { handle: "other", password: "another password of some length" },
  /** Is a member without any data. */
  newcomer: { handle: "newcomer", password: "yet another password of some length" },
  /** Is logged in at the directory only. */
  stranger: { handle: "stranger", password: "one more password of some length" },
} satisfies Record<string, Account>;

/** With which all pages are on, and the admin may open theirs. */
export const SETTINGS = {
  SAMPLE_DATA: "on",
  SIGN_UP: "on",
  ADMINS: ACCOUNTS.admin.handle,
  OPERATORS: ACCOUNTS.admin.handle,
};

export type Role = "guest" | "user" | keyof typeof ACCOUNTS;

/** Paths of what the pages of a site show: all of the user, who is the demo. */
export interface Content {
  /** Of a file that was matched and partly reviewed, and of one before its start. */
  file: string;
  draft: string;
  venue: string;
  checkin: string;
  /** At the auth host. */
  application: string;
}

export interface Visitor {
  app: HttpClient;
  auth: HttpClient;
  api: HttpClient;
}

/** Logs in everybody but the guest. */
export async function logInAll(hosts: Hosts, demo: Account): Promise<Record<Role, Visitor>> {
  const { stranger, ...members } = ACCOUNTS;
  const visitors: Partial<Record<Role, Visitor>> = { guest: visit(hosts) };
  for (const [role, account] of Object.entries({ user: demo, ...members }))
    visitors[role as keyof typeof members | "user"] = await logIn(hosts, account);
  return { ...visitors, stranger: await logInAtDirectory(hosts, stranger) } as Record<Role, Visitor>;
}

/** As a guest. */
const visit = ({ app, auth, api }: Hosts): Visitor => ({
  ...{ app: createHttpClient(app), auth: createHttpClient(auth), api: createHttpClient(api) },
});

/** Logs in to the web app through the directory, and allows it. */
async function logIn(hosts: Hosts, account: Account): Promise<Visitor> {
  const visitor = visit(hosts);
  const begun = await visitor.app.get("/login");
  const end = await visitor.app.get(await throughDirectory(visitor.auth, begun.location, account));
  if (end.location !== `${hosts.app}/`) throw new Error(`The log-in of ${account.handle} ended with ${end.status}.`);
  return visitor;
}

async function logInAtDirectory(hosts: Hosts, { handle, password }: Account): Promise<Visitor> {
  const visitor = visit(hosts);
  const { status } = await visitor.auth.submit(await visitor.auth.get("/login"), "/login", { handle, password });
  if (status !== 303) throw new Error(`The log-in of ${handle} at the directory ended with ${status}.`);
  return visitor;
}

/** Makes what the pages show, as a person would on the pages themselves. */
export async function addContent({ app, auth }: Visitor): Promise<Content> {
  const file = await uploadExample(app);
  const draft = await pasteExample(app);
  await start(app, file);
  await review(app, file);
  await shareWork(app, file);
  const venue = await untilShown(app, "/venues?query=coffee&ll=41.8236,-71.4222", /href="(\/venues\/[0-9a-f]{24})/);
  // Their copy takes a moment.
  const checkin = await untilShown(app, "/checkins", /class="timeline-change"><a href="([^"]+)/);
  return { file, draft, venue, checkin, application: await register(auth) };
}

async function uploadExample(app: HttpClient): Promise<string> {
  const sent = await app.submit(await app.get("/harmonizations"), "/harmonizations", { example: "1" });
  return redirected(sent);
}

/** Rows that are no copy of the example, which is opened again and not doubled. */
async function pasteExample(app: HttpClient): Promise<string> {
  const [header, ...rows] = readFileSync(EXAMPLE, "utf8").trimEnd().split("\n");
  const text = [header, ...rows.slice(0, 40).map((row) => row.replace(/^RI-/, "NEW-"))].join("\n");
  return redirected(await app.submit(await app.get("/harmonizations"), "/harmonizations", { example: "", text }));
}

async function start(app: HttpClient, file: string): Promise<void> {
  const page = await app.get(file);
  redirected(await app.submit(page, `${file}/columns`, { ...chosenIn(page), action: "start" }));
  await untilShown(app, file, /^(?!.*data-events).*\/review"/s);
}

/** Accepts two candidates and rejects one. */
async function review(app: HttpClient, file: string): Promise<void> {
  for (const decision of ["matched", "matched", "rejected"]) {
    const card = await app.follow(await app.get(`${file}/review`));
    const number = card.url.split("/").at(-1);
    redirected(await app.submit(card, `${file}/listings/${number}`, { decision }));
  }
}

/** The admin reviews with the user, who asks them about the first row and notes something on it. */
async function shareWork(app: HttpClient, file: string): Promise<void> {
  const people = `${file}/people`;
  redirected(
    await app.submit(await app.get(people), people, { person: "", who: ACCOUNTS.admin.handle, role: "reviewer" }),
  );
  const note = `${file}/listings/1/note`;
  for (const ask of [false, true]) {
    const card = await app.get(`${file}/review/1`);
    const [, admin = ""] = /<select id="ask".*?<option value="([^"]+)"/s.exec(card.body) ?? [];
    redirected(await app.submit(card, note, { text: "Closed for a year, says its door.", ask: ask ? admin : "" }));
  }
}

async function register(auth: HttpClient): Promise<string> {
  const fields = { name: "Bakery map", redirectUris: "https://bakeries.example/callback" };
  await auth.submit(await auth.get("/applications/new"), "/applications", fields);
  return untilShown(auth, "/applications", /href="(\/applications\/(?!new")[^"]+)"/);
}

const PATIENCE_MS = 120_000;

/** Opens a page until it shows such words, and returns their first group. */
export async function untilShown(host: HttpClient, path: string, words: RegExp): Promise<string> {
  for (const begun = performance.now(); ; await after(100)) {
    const page = await host.get(path);
    const found = words.exec(page.body);
    if (found) return found[1] ?? "";
    if (page.status !== 200 || performance.now() - begun > PATIENCE_MS)
      throw new Error(`${path} does not show ${words} (status ${page.status}):\n${page.body.slice(0, 2000)}`);
  }
}

function redirected({ url, status, location, body }: Page): string {
  if (status !== 303) throw new Error(`${url} ended with ${status}:\n${body.slice(0, 2000)}`);
  return new URL(location).pathname;
}

/** What is chosen in the lists of a page. */
function chosenIn({ body }: Page): Record<string, string> {
  const lists = body.matchAll(/<select\b[^>]*\bname="([^"]+)"[^>]*>(.*?)<\/select>/gs);
  const chosen = ([, name = "", options = ""]: string[]) => [name, /value="([^"]*)" selected/.exec(options)?.[1] ?? ""];
  return Object.fromEntries([...lists].map(chosen));
}
